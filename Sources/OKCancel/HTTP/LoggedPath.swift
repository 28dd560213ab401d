/// A request's path as it may stand in a log: in visible ASCII, of a bounded length, and without
/// the tokens of links, which whoever reads the log could answer with.
struct LoggedPath: CustomStringConvertible {
  let description: String

  /// Bytes that are kept.
  private static let limit = 256
  /// Letters and digits of a token.
  private static let tokenLength = 26

  /// - Parameter path: decoded once; any text.
  init(_ path: String) {
    if Self.isPlain(path.utf8) {
      description = path
      return
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(path.utf8.count, Self.limit) + 3)
    var previous: Substring.UTF8View?
    for segment in path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      if previous != nil { bytes.append(UInt8(ascii: "/")) }
      if Self.isSecret(segment, after: previous) {
        bytes.append(contentsOf: Self.omission)
      } else {
        for byte in segment where bytes.count < Self.limit { Self.append(byte, to: &bytes) }
      }
      guard bytes.count < Self.limit else {
        bytes.append(contentsOf: Self.omission)
        break
      }
      previous = segment
    }
    description = String(decoding: bytes, as: UTF8.self)
  }

  /// True for what stays as it is: nearly every path. It is too short for a token, and nothing in it follows `/a/`.
  private static func isPlain(_ path: String.UTF8View) -> Bool {
    guard path.count < tokenLength else { return false }
    var (previous, last) = (UInt8(0), UInt8(0))
    for byte in path {
      if isEncoded(byte) || (byte == UInt8(ascii: "/") && last == UInt8(ascii: "a") && previous == UInt8(ascii: "/")) {
        return false
      }
      (previous, last) = (last, byte)
    }
    return true
  }

  private static let omission = Array("…".utf8)

  /// What follows `/a/`, and wherever it stands, so in a mistyped path too, what holds as many
  /// letters and digits in a row as a token. An ask's id does, and opens nothing.
  private static func isSecret(_ segment: Substring.UTF8View, after previous: Substring.UTF8View?) -> Bool {
    guard !segment.isEmpty, let previous else { return false }
    if previous.elementsEqual("a".utf8) { return true }
    if previous.elementsEqual("asks".utf8), segment.count == tokenLength { return false }
    var run = 0
    for byte in segment {
      run = isLetterOrDigit(byte) ? run + 1 : 0
      if run == tokenLength { return true }
    }
    return false
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26
  }

  private static func isEncoded(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte >= 0x7F || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\"")
  }

  /// Percent-encodes whatever could end a line, forge a field or move a terminal's cursor.
  private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
    guard isEncoded(byte) else { return bytes.append(byte) }
    bytes.append(UInt8(ascii: "%"))
    for digit in [byte >> 4, byte & 15] { bytes.append(digit + (digit < 10 ? 0x30 : 0x37)) }
  }
}
