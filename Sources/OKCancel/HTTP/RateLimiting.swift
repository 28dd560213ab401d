internal import Logging
internal import MicroHTTP
internal import Synchronization

/// The server's limits on what one client may ask for.
final class RateLimiting: Sendable {
  private let limiters: [RateLimits.Action: (limiter: RateLimiter, coversLoopback: Bool)]
  private let logger: Logger
  private let hasWarned = Atomic(false)

  init(_ limits: RateLimits, logger: Logger) {
    var limiters: [RateLimits.Action: (RateLimiter, Bool)] = [:]
    for action in RateLimits.Action.allCases {
      let limit = limits[action]
      if let rate = limit.rate { limiters[action] = (RateLimiter(rate), limit.coversLoopback) }
    }
    self.limiters = limiters
    self.logger = logger
  }

  /// - Throws: `Problem` 429 if this client has done this too often.
  func admit(_ request: Request, as action: RateLimits.Action) throws(Problem) {
    guard let (limiter, client) = limiter(of: action, for: request), let delay = limiter.take(client) else { return }
    warn(of: request)
    throw Self.problem(delay, action == .token ? "wrong API tokens" : "requests")
  }

  /// Whether the client may have more done that takes longer than an event loop can spare.
  ///
  /// Cheap requests are not asked: behind a proxy that is not trusted everybody is one client, and one who sends costly
  /// requests must not stop the others.
  ///
  /// - Throws: `Problem` 429.
  func admitWork(for request: Request) throws(Problem) {
    guard let (limiter, client) = limiter(of: .work, for: request), let delay = limiter.delay(client) else { return }
    warn(of: request)
    throw Self.problem(delay)
  }

  /// Counts CPU time that was used for the client.
  func chargeWork(_ nanoseconds: Int64, to request: Request) {
    if let (limiter, client) = limiter(of: .work, for: request) { limiter.charge(client, Double(nanoseconds) / 1e6) }
  }

  /// `nil` if there is no limit for this client. A peer without an address is on this machine too.
  private func limiter(of action: RateLimits.Action, for request: Request) -> (RateLimiter, IPAddress)? {
    guard let (limiter, coversLoopback) = limiters[action] else { return nil }
    let client = request.client ?? .loopback
    return coversLoopback || !client.isLoopback ? (limiter, client) : nil
  }

  private static func problem(_ delay: Duration, _ what: String = "requests") -> Problem {
    let seconds = max(1, Int((delay / .seconds(1)).rounded(.up)))
    return Problem(
      status: .tooManyRequests,
      detail:
        "There were too many \(what) from your address; try again in \(seconds) second\(seconds == 1 ? "" : "s").",
      headers: [("Retry-After", String(seconds))])
  }

  /// All who stand behind a proxy that is not trusted are one client: the operator should know, once.
  private func warn(of request: Request) {
    guard request.header("x-forwarded-for") != nil, !hasWarned.exchange(true, ordering: .relaxed) else { return }
    logger.warning(
      "\(request.clientAddress) exceeds a rate limit and sends X-Forwarded-For; if it is your proxy, name it with --trust-proxy, else all behind it count as one client"
    )
  }
}
