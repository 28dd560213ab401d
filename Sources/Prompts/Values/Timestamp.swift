internal import Glibc

/// A moment in UTC, counted in whole milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
package struct Timestamp: Hashable, Comparable, Sendable {
  package let milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// 1970-01-01T00:00:00Z
  package static let zero = Timestamp(milliseconds: 0)

  package static func < (one: Timestamp, other: Timestamp) -> Bool { one.milliseconds < other.milliseconds }

  /// The moment that much later, to the millisecond below.
  package static func + (moment: Timestamp, duration: Duration) -> Timestamp {
    let (seconds, attoseconds) = duration.components
    return Timestamp(milliseconds: moment.milliseconds + seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }

  package static func - (moment: Timestamp, duration: Duration) -> Timestamp { moment + (.zero - duration) }

  package static func - (later: Timestamp, earlier: Timestamp) -> Duration {
    .milliseconds(later.milliseconds - earlier.milliseconds)
  }
}

extension Timestamp {
  /// Reads a moment as RFC 3339 writes it, section 5.6, to the millisecond below; `nil` for any other text, and for a day
  /// or a time that there is not.
  package init?(rfc3339 text: String) {
    let form = #/([0-9-]{10})[Tt]([0-9:]{8})(\.[0-9]+)?(?:[Zz]|([+-])([0-9:]{5}))/#.matchingSemantics(.unicodeScalar)
    guard let (_, date, time, fraction, sign, clock) = text.wholeMatch(of: form)?.output,
      let local = Calendar.milliseconds("\(date)T\(time)\((fraction ?? "").prefix(4))".utf8[...], as: .dateTime),
      let offset = clock == nil ? 0 : clock.flatMap({ Calendar.milliseconds($0.utf8, as: .time) })
    else { return nil }
    self.init(milliseconds: Int64(sign == "-" ? local + offset : local - offset))
  }
}

extension Timestamp: CustomStringConvertible {
  /// The moment as RFC 3339 writes it, section 5.6, in UTC with milliseconds: `2026-11-21T09:30:00.000Z`.
  ///
  /// Always 24 characters for the years 0000 to 9999, so that texts sort as the moments do.
  package var description: String { Calendar.text(of: Int(milliseconds)) + "Z" }
}

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
