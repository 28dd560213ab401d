/// The rates at which one client may request verdicts, submit answers, make asks, open links and show a wrong API
/// token.
public struct RateLimits: Sendable {
  /// The actions of a client.
  public enum Action: String, CaseIterable, Sendable {
    /// To have values judged, without an outcome.
    case validate
    /// To answer.
    case submit
    /// To make an ask.
    case create
    /// To look at an ask by its link.
    case open
    /// Milliseconds of CPU for requests that take longer than one. When they are used up, cheaper requests still pass.
    case work
    /// To show a wrong API token.
    case token
  }

  /// By action: the rate, and whether it applies to this machine's own clients too. What is not there has no limit.
  var limits: [Action: (rate: Rate, coversLoopback: Bool)]

  /// Generous for a person and for an office behind one address: verdicts 1200, answers 300, asks 600, links 600 and
  /// 2 seconds of CPU for costly requests a minute. This machine's own clients have no limit. Wrong API
  /// tokens are guesses: 10 a minute, this machine's own included.
  public init() {
    limits = [.validate: 1200, .submit: 300, .create: 600, .open: 600, .work: 2000].mapValues {
      (Rate(perMinute: $0), false)
    }
    limits[.token] = (Rate(perMinute: 10), true)
  }

  /// Sets a limit for every client, this machine's own included, or `nil` for none.
  public mutating func set(_ rate: Rate?, for action: Action) { limits[action] = rate.map { ($0, true) } }

  /// The limits as the command line takes them, and which clients they cover.
  package var text: String {
    func text(_ coversLoopback: Bool) -> String {
      Action.allCases.compactMap { action in
        limits[action].flatMap { $0.coversLoopback == coversLoopback ? "\(action.rawValue)=\($0.rate.text)" : nil }
      }.joined(separator: ", ")
    }
    return "\(text(false)), and no limit for clients on this machine; \(text(true)) for all"
  }
}

/// The rate at which one client may do something: a number of times at once, refilled evenly over a period.
public struct Rate: Sendable, Hashable {
  /// 1 to 1,000,000.
  let count: Int
  let period: Duration

  /// Reads `60/m`: a count of 1 to 1,000,000, a slash, and `s`, `m` or `h`; `nil` for anything else.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let count = Int(parts[0]), (1...1_000_000).contains(count), parts[0].first != "+",
      let period = Self.periods[String(parts[1])]
    else { return nil }
    self.count = count
    self.period = period
  }

  init(perMinute count: Int) {
    self.count = count
    period = .seconds(60)
  }

  private static let periods: [String: Duration] = ["s": .seconds(1), "m": .seconds(60), "h": .seconds(3600)]

  /// The rate as it is read, `60/m`.
  var text: String { "\(count)/" + Self.periods.filter { $0.value == period }.keys.joined() }
}
