internal import MicroHTTP
internal import Synchronization

/// Lets each client do something so often and no more, in bounded memory.
///
/// Each client has a token bucket, kept as the moment at which it is full again (the generic cell
/// rate algorithm, ITU-T I.371): an empty place and a full bucket are the same. The places are
/// fixed in number. Where a flood of addresses needs more, the bucket that is nearest to full
/// gives way, so that who did the most is remembered the longest.
final class RateLimiter: Sendable {
  private struct Bucket {
    var client: IPAddress
    /// Nanoseconds of the limiter's clock.
    var fullAt: Int64
  }

  private final class Shard: Sendable {
    /// Sets of `ways` places; empty until the first client comes.
    let places = Mutex<[Bucket?]>([])
  }

  private static let ways = 8
  private static let setsInShard = 128
  /// 16,384 clients in half a megabyte, once the first has come to each.
  private let shards = (0..<16).map { _ in Shard() }
  private let period: Int64
  /// What one request takes, in nanoseconds of filling.
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
  /// - Returns: nil: it may; else how long until it may.
  func take(_ client: IPAddress) -> Duration? {
    withBucket(of: client) { bucket, now in
      let fullAt = bucket + price
      guard fullAt - now <= period else { return .nanoseconds(fullAt - now - period) }
      bucket = fullAt
      return nil
    }
  }

  /// How long until the client's bucket holds anything; `nil` if it does now.
  func delay(_ client: IPAddress) -> Duration? {
    withBucket(of: client) { bucket, now in
      bucket + price - now <= period ? nil : .nanoseconds(bucket + price - now - period)
    }
  }

  /// Takes what was used, as a multiple of one request, even if the bucket holds less.
  func charge(_ client: IPAddress, _ amount: Double) {
    // No more than a whole bucket is owed.
    withBucket(of: client) { bucket, now in bucket = min(bucket + Int64(amount * Double(price)), now + 2 * period) }
  }

  /// - Parameter body: gets the moment at which the client's bucket is full again, now or later, and what time it is.
  private func withBucket<Result>(of client: IPAddress, _ body: (inout Int64, Int64) -> Result) -> Result {
    let client = client.subscriber
    var hasher = Hasher()
    hasher.combine(client)
    // Seeded by the process: no client can choose whom it shares a set with.
    let hash = UInt(bitPattern: hasher.finalize())
    let first = Int(hash / UInt(shards.count) % UInt(Self.setsInShard)) * Self.ways
    let now = now()
    return shards[Int(hash % UInt(shards.count))].places.withLock { places in
      if places.isEmpty { places = Array(repeating: nil, count: Self.setsInShard * Self.ways) }
      let set = first..<first + Self.ways
      let place = set.first { places[$0]?.client == client } ?? Self.placeToGive(set, places)
      let known = places[place].flatMap { $0.client == client ? $0.fullAt : nil }
      let fullAt = max(known ?? now, now)
      var changed = fullAt
      let result = body(&changed, now)
      if changed != fullAt { places[place] = Bucket(client: client, fullAt: changed) }
      return result
    }
  }

  private static func placeToGive(_ set: Range<Int>, _ places: [Bucket?]) -> Int {
    set.min { (places[$0]?.fullAt ?? .min) < (places[$1]?.fullAt ?? .min) } ?? set.lowerBound
  }
}
