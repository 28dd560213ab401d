internal import Glibc

/// Tells what time it is. What needs the time is given one, so that a test can set it.
package struct WallClock: Sendable {
  private let read: @Sendable () -> Timestamp

  /// A clock that tells what `read` returns; it is called from any thread.
  package init(_ read: @escaping @Sendable () -> Timestamp) { self.read = read }

  package var now: Timestamp { read() }

  /// The system's clock.
  package static let system = WallClock {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
