internal import Base
internal import Synchronization

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
        let kept = buckets.sorted { $0.value > $1.value }.prefix(Self.capacity / 2)
        buckets = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
      }
      return result
    }
  }
}
