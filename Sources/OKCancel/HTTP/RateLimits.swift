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
