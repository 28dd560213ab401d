/// How often one client may do something: so many times at once, given back evenly over a time.
public struct Rate: Sendable, Hashable {
  /// 1 to 1,000,000.
  public let count: Int
  public let period: Duration

  /// Reads `60/m`: a count of 1 to 1,000,000, a slash, and `s`, `m` or `h`; nil: something else.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let count = Int(parts[0]), (1...1_000_000).contains(count), parts[0].first != "+"
    else { return nil }
    switch parts[1] {
    case "s": period = .seconds(1)
    case "m": period = .seconds(60)
    case "h": period = .seconds(3600)
    default: return nil
    }
    self.count = count
  }

  fileprivate init(perMinute count: Int) {
    self.count = count
    period = .seconds(60)
  }
}

/// How often one client may ask for verdicts, submit answers, make asks, open links and show a wrong API token.
public struct RateLimits: Sendable {
  public enum Action: String, CaseIterable, Sendable {
    /// To have values judged, without an outcome.
    case validate
    /// To answer.
    case submit
    /// To make an ask.
    case create
    /// To look at an ask by its link.
    case open
    /// Milliseconds of CPU for what takes longer than one; cheaper requests go on when they are used up.
    case work
    /// To show a wrong API token.
    case token
  }

  struct Limit: Sendable {
    /// nil: as often as it likes.
    var rate: Rate?
    /// Whether it holds for this machine's own clients too.
    var coversLoopback: Bool
  }

  private var limits: [Action: Limit]

  /// Generous for a person and for an office behind one address: verdicts 1200, answers 300, asks 600, links 600 and
  /// 2 seconds of CPU for costly requests a minute. This machine's own clients have no limit. Wrong API
  /// tokens are guesses: 10 a minute, this machine's own included.
  public init() {
    limits = [.validate: 1200, .submit: 300, .create: 600, .open: 600, .work: 2000].mapValues {
      Limit(rate: Rate(perMinute: $0), coversLoopback: false)
    }
    limits[.token] = Limit(rate: Rate(perMinute: 10), coversLoopback: true)
  }

  /// Sets a limit for every client, this machine's own included; nil: none.
  public mutating func set(_ rate: Rate?, for action: Action) {
    limits[action] = Limit(rate: rate, coversLoopback: true)
  }

  subscript(action: Action) -> Limit { limits[action] ?? Limit(rate: nil, coversLoopback: false) }
}
