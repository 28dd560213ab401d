internal import Glibc

/// A reading of the monotonic clock, in nanoseconds.
struct ContinuousTime: Comparable, Sendable {
  let nanoseconds: Int64

  static let zero = ContinuousTime(nanoseconds: 0)

  static var now: ContinuousTime {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return ContinuousTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  func duration(to later: ContinuousTime) -> Duration { .nanoseconds(later.nanoseconds - nanoseconds) }

  func advanced(milliseconds: Int64) -> ContinuousTime {
    ContinuousTime(nanoseconds: nanoseconds + milliseconds * 1_000_000)
  }

  static func < (left: ContinuousTime, right: ContinuousTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}
