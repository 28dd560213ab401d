internal import Prompts
internal import Synchronization

/// A database's clock, as far as this process knows it. All that share the database agree on what is due, whatever the
/// clocks of their machines say.
final class DatabaseClock: Sendable {
  /// The column `now`, in milliseconds since 1970.
  static let select = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now"

  private typealias Reading = (moment: Timestamp, instant: ContinuousClock.Instant)

  private let reading = Mutex<Reading?>(nil)

  /// What the database's clock says now, or a little less.
  var now: Timestamp {
    reading.withLock { $0.map(Self.estimate) } ?? WallClock.system.now
  }

  /// Takes note of what the database has said: its clock was at `moment` at some time since `sent`. What was known
  /// before stays if it agrees with that.
  func set(_ moment: Timestamp, sent: ContinuousClock.Instant) {
    reading.withLock { reading in
      let latest = moment + sent.duration(to: .now)
      let now = reading.map { min(max(Self.estimate($0), moment), latest) } ?? moment
      reading = (now, .now)
    }
  }

  private static func estimate(_ reading: Reading) -> Timestamp {
    reading.moment + reading.instant.duration(to: .now)
  }
}
