internal import Prompts
internal import Synchronization

/// A database's clock, as far as this process knows it. All that share the database agree on what is due, whatever the
/// clocks of their machines say.
final class DatabaseClock: Sendable {
  /// The moment from which this process counts.
  private let start = ContinuousClock.now
  /// The time of the database's clock then, or a little less.
  private let startMoment = Mutex<Timestamp?>(nil)

  /// The time of the database's clock now, or a little less.
  var now: Timestamp {
    startMoment.withLock(\.self).map { $0 + start.duration(to: .now) } ?? WallClock.system.now
  }

  /// Records a reading of the database's clock: it showed `moment` at some time since `sent`. The previous estimate
  /// stays if it agrees with that reading.
  func set(_ moment: Timestamp, sent: ContinuousClock.Instant) {
    let (earliest, latest) = (moment - start.duration(to: .now), moment - start.duration(to: sent))
    startMoment.withLock { $0 = $0.map { min(max($0, earliest), latest) } ?? earliest }
  }
}
