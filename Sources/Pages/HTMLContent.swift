internal import Mustache

/// Escapes text for HTML, in content and in quoted attribute values alike.
///
/// Mustache's own HTML content type compares grapheme clusters, and `"` followed by a combining mark is another cluster
/// than `"`: it passes through as it is and closes the attribute. This one compares single UTF-8 bytes. The five that it
/// replaces are ASCII, which never occurs inside the encoding of another code point.
struct HTMLContent: MustacheContentType {
  /// The name templates call this content type by.
  static let name = "SafeHTML"

  /// Makes the content type known to every template that is parsed from now on.
  static func register() {
    MustacheContentTypes.register(HTMLContent(), named: name)
  }

  func escapeText(_ text: String) -> String {
    guard text.utf8.contains(where: { Self.reference(for: $0) != nil }) else { return text }
    var html: [UInt8] = []
    html.reserveCapacity(text.utf8.count + 32)
    for byte in text.utf8 {
      if let reference = Self.reference(for: byte) {
        html.append(contentsOf: reference.utf8)
      } else {
        html.append(byte)
      }
    }
    return String(decoding: html, as: UTF8.self)
  }

  private static func reference(for byte: UInt8) -> String? {
    switch byte {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    case UInt8(ascii: "'"): "&#39;"
    default: nil
    }
  }
}

/// Makes JSON safe inside a `<script>` element, which knows no character references.
///
/// `<`, `>` and `&` only occur inside JSON strings, so their escapes mean the same; so do those of U+2028 and U+2029,
/// which end lines in old JavaScript.
///
/// - Parameter json: JSON as UTF-8.
func embeddable(json: [UInt8]) -> String {
  var safe: [UInt8] = []
  safe.reserveCapacity(json.count + 64)
  var index = json.startIndex
  while index < json.endIndex {
    switch json[index] {
    case UInt8(ascii: "<"): safe.append(contentsOf: #"\u003c"#.utf8)
    case UInt8(ascii: ">"): safe.append(contentsOf: #"\u003e"#.utf8)
    case UInt8(ascii: "&"): safe.append(contentsOf: #"\u0026"#.utf8)
    case 0xE2 where json[index...].starts(with: [0xE2, 0x80, 0xA8]):
      safe.append(contentsOf: #"\u2028"#.utf8)
      index += 2
    case 0xE2 where json[index...].starts(with: [0xE2, 0x80, 0xA9]):
      safe.append(contentsOf: #"\u2029"#.utf8)
      index += 2
    case let byte: safe.append(byte)
    }
    index += 1
  }
  return String(decoding: safe, as: UTF8.self)
}
