internal import Logging
internal import MicroHTTP
internal import Platform
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
    let what = action == .token ? "wrong API tokens" : "requests"
    let headers = [(name: "Retry-After", value: String(seconds))]
    if seconds == 1 { throw Problem("too-many-requests.one", ["what": what, "seconds": seconds], headers: headers) }
    throw Problem("too-many-requests", ["what": what, "seconds": seconds], headers: headers)
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

/// Limits how often each client may do something, in bounded memory.
///
/// Each client has a token bucket, kept as the moment at which it is full again (the generic cell rate algorithm, ITU-T
/// I.371): a client without an entry has a full bucket. If a flood of addresses exceeds the capacity, the fullest
/// buckets are removed first, so that the busiest clients are remembered the longest.
final class RateLimiter: Sendable {
  /// Clients that are remembered, in about a megabyte.
  private static let capacity = 16_384

  /// Nanoseconds of the limiter's clock.
  private let buckets = Mutex<[IPAddress: Int64]>([:])
  private let period: Int64
  /// The price of one request, in nanoseconds of filling.
  private let price: Int64
  private let now: @Sendable () -> Int64

  /// - Parameter now: nanoseconds of a clock that never goes back.
  init(_ rate: Rate, now: @escaping @Sendable () -> Int64 = RateLimiter.uptime) {
    period = Int64(rate.period / .nanoseconds(1))
    price = max(1, period / Int64(rate.count))
    self.now = now
  }

  private static let start = ContinuousClock.now
  static let uptime: @Sendable () -> Int64 = { Int64((ContinuousClock.now - start) / .nanoseconds(1)) }

  /// Takes one request from the client's bucket.
  ///
  /// - Returns: `nil` if it may, else how long until it may.
  func take(_ client: IPAddress) -> Duration? {
    withBucket(of: client) { bucket, now in
      let delay = delay(until: bucket, now)
      if delay == nil { bucket += price }
      return delay
    }
  }

  /// The time until the client's bucket holds anything, or `nil` if it does now.
  func delay(_ client: IPAddress) -> Duration? { withBucket(of: client) { delay(until: $0, $1) } }

  private func delay(until fullAt: Int64, _ now: Int64) -> Duration? {
    let missing = fullAt + price - now - period
    return missing > 0 ? .nanoseconds(missing) : nil
  }

  /// Takes what was used, as a multiple of one request, even if the bucket holds less.
  func charge(_ client: IPAddress, _ amount: Double) {
    // No more than a whole bucket is owed.
    withBucket(of: client) { bucket, now in bucket = min(bucket + Int64(amount * Double(price)), now + 2 * period) }
  }

  /// - Parameter body: gets the moment at which the client's bucket is full again, now or later, and what time it is.
  private func withBucket<Result>(of client: IPAddress, _ body: (inout Int64, Int64) -> Result) -> Result {
    let client = client.subscriber
    let now = now()
    return buckets.withLock { buckets in
      let fullAt = max(buckets[client] ?? now, now)
      var changed = fullAt
      let result = body(&changed, now)
      if changed != fullAt { buckets[client] = changed }
      if buckets.count > Self.capacity {
        // Equal ones by address: the first half in a dictionary's own order can all fall into one half of the next, and
        // under a flood each search soon passes a thousand others.
        let kept = buckets.sorted { ($0.value, $0.key.bits) > ($1.value, $1.key.bits) }.prefix(Self.capacity / 2)
        buckets = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
      }
      return result
    }
  }
}
