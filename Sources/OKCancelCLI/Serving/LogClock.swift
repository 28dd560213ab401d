internal import Glibc

/// The time at the head of a line of the log. What stays the same for a second is kept.
struct LogClock {
  private var second: time_t?
  private var text: [UInt8] = []

  /// Appends the time: UTC, RFC 3339, to the millisecond.
  mutating func append(to line: inout [UInt8]) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    if now.tv_sec != second { turn(to: now.tv_sec) }
    line += text
    Self.append(now.tv_nsec / 1_000_000, digits: 3, to: &line)
    line.append(UInt8(ascii: "Z"))
  }

  private mutating func turn(to second: time_t) {
    var (now, parts) = (second, tm())
    gmtime_r(&now, &parts)
    text.removeAll(keepingCapacity: true)
    for (number, digits, end) in [
      (Int(parts.tm_year) + 1900, 4, "-"), (Int(parts.tm_mon) + 1, 2, "-"), (Int(parts.tm_mday), 2, "T"),
      (Int(parts.tm_hour), 2, ":"), (Int(parts.tm_min), 2, ":"), (Int(parts.tm_sec), 2, "."),
    ] {
      Self.append(number, digits: digits, to: &text)
      text += end.utf8
    }
    self.second = second
  }

  /// - Parameter digits: how many there are, zeros in front.
  static func append(_ number: Int, digits: Int, to line: inout [UInt8]) {
    var place = 1
    for _ in 1..<digits { place *= 10 }
    while place > 0 {
      line.append(UInt8(ascii: "0") + UInt8(number / place % 10))
      place /= 10
    }
  }
}
