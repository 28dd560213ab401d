internal import Glibc

/// A reading of the monotonic clock, in nanoseconds.
struct ContinuousTime: Comparable, Sendable {
  let nanoseconds: Int64

  static let zero = ContinuousTime(nanoseconds: 0)

  static var now: ContinuousTime { reading(of: CLOCK_MONOTONIC) }

  /// The same, some milliseconds behind and cheaper.
  static var coarse: ContinuousTime { reading(of: CLOCK_MONOTONIC_COARSE) }

  private static func reading(of clock: clockid_t) -> ContinuousTime {
    var time = timespec()
    clock_gettime(clock, &time)
    return ContinuousTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  func advanced(by duration: Duration) -> ContinuousTime {
    let (seconds, attoseconds) = duration.components
    return ContinuousTime(nanoseconds: nanoseconds + seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }

  static func < (left: ContinuousTime, right: ContinuousTime) -> Bool { left.nanoseconds < right.nanoseconds }
}
