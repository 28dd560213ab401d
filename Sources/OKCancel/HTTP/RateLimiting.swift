internal import Base
internal import Logging
internal import MicroHTTP
internal import Synchronization

/// The server's limits on what one client may request.
final class RateLimiting: Sendable {
  private let limiters: [(action: RateLimits.Action, limiter: RateLimiter, coversLoopback: Bool)]
  let logger: Logger
  private let hasWarned = Atomic(false)

  init(_ limits: RateLimits, logger: Logger) {
    limiters = limits.limits.map { ($0, RateLimiter($1.rate), $1.coversLoopback) }
    self.logger = logger
  }

  /// Counts this action towards the client's limit. `work` is only checked here: `chargeWork` counts its CPU time
  /// afterwards. The limit for `work` does not stop cheap requests: behind an untrusted proxy all clients count as one,
  /// and a client that sends costly requests must not stop the others.
  ///
  /// - Throws: `Problem` 429 if this client has done this too often.
  func admit(_ payer: Payer, as action: RateLimits.Action) throws(Problem) {
    guard let limiter = limiter(of: action, for: payer),
      let delay = action == .work ? limiter.delay(payer.client) : limiter.take(payer.client)
    else { return }
    let seconds = max(1, Int((delay / .seconds(1)).rounded(.up)))
    throw Problem(.tooManyRequests(what: action == .token ? "wrong API tokens" : "requests", seconds: seconds))
  }

  /// Warns once of a proxy that is not trusted: everybody behind it is one client, whose request was refused.
  func warn(ofProxyBefore request: Request) {
    guard request.header("x-forwarded-for") != nil, !hasWarned.exchange(true, ordering: .relaxed) else { return }
    logger.warning(
      "\(request.clientAddress) exceeds a rate limit and sends X-Forwarded-For; if it is your proxy, name it with --trust-proxy, otherwise all clients behind it count as one"
    )
  }

  /// Counts CPU time that was used for the client.
  func chargeWork(_ nanoseconds: Int64, to payer: Payer) {
    limiter(of: .work, for: payer)?.charge(payer.client, Double(nanoseconds) / 1e6)
  }

  /// `nil` if there is no limit for this client.
  private func limiter(of action: RateLimits.Action, for payer: Payer) -> RateLimiter? {
    guard let (_, limiter, coversLoopback) = limiters.first(where: { $0.action == action }) else { return nil }
    return coversLoopback || !payer.client.isLoopback ? limiter : nil
  }
}
