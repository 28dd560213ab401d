/// What a person entered in one field, before or after it is normalised.
public enum Input: Sendable, ExpressibleByStringLiteral {
  case text(String)
  /// The chosen values of a `choices` field.
  case choices([String])
  /// A text with half a surrogate pair, which no Swift string can hold; it is never valid.
  case illFormed

  public init(stringLiteral text: String) { self = .text(text) }

  /// Nothing entered, or nothing chosen.
  public var isEmpty: Bool {
    switch self {
    case .text(let text): text.isEmpty
    case .choices(let texts): texts.isEmpty
    case .illFormed: false
    }
  }

  /// The text; nil for choices and what is no text.
  public var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// The text, or the chosen ones; none of what is no text.
  var texts: [String] {
    switch self {
    case .text(let text): [text]
    case .choices(let texts): texts
    case .illFormed: []
    }
  }

  /// How many bytes of UTF-8 its texts have.
  var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .choices(let texts): texts.reduce(0) { $0 + $1.utf8.count }
    case .illFormed: 0
    }
  }

  /// Whether this is a text, as nearly all are, that `normalized` leaves as it is and in which `TextRule` finds no fault:
  /// it has no control character, nothing at its ends that may be trimmed, and is not too long.
  func isPlain(trim: Bool) -> Bool {
    guard case .text(let text) = self, text.utf8.count <= TextRule.limit else { return false }
    return text.withBytes { bytes in
      if trim, let first = bytes.first, let last = bytes.last, !(0x21...0x7E ~= first && 0x21...0x7E ~= last) {
        return false
      }
      // To the end whatever comes, so that many bytes are looked at in one step.
      var found = false
      for byte in bytes { found = found || byte < 0x20 }
      return !found
    }
  }

  func map(_ transform: (String) -> String) -> Input {
    switch self {
    case .text(let text): .text(transform(text))
    case .choices(let texts): .choices(texts.map(transform))
    case .illFormed: .illFormed
    }
  }

  /// Line breaks as LF and, where the field says so, trimmed.
  func normalized(trim: Bool) -> Input {
    map { text in
      let lines = Self.lineFeeds(text)
      return trim ? Self.trimmed(lines) : lines
    }
  }

  /// CRLF and CR become LF.
  private static func lineFeeds(_ text: String) -> String {
    guard text.withBytes({ $0.contains(0x0D) }) else { return text }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var afterCR = false
    for byte in text.utf8 {
      if byte != 0x0A || !afterCR { bytes.append(byte == 0x0D ? 0x0A : byte) }
      afterCR = byte == 0x0D
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.isWhiteSpace }),
      let last = scalars.lastIndex(where: { !$0.isWhiteSpace })
    else { return "" }
    return String(scalars[first...last])
  }
}
