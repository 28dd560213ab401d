internal import Mustache

/// Escapes text for HTML, in content and in quoted attribute values alike.
///
/// Mustache's own HTML content type compares grapheme clusters, and `"` followed by a combining mark is another cluster
/// than `"`: it passes through as it is and closes the attribute. This one compares single UTF-8 bytes.
struct HTMLContent: MustacheContentType {
  /// The name templates call this content type by.
  static let name = "SafeHTML"

  /// Makes the content type known to every template that is parsed from now on.
  static func register() {
    MustacheContentTypes.register(HTMLContent(), named: name)
  }

  func escapeText(_ text: String) -> String {
    escaping(text.utf8, Self.reference)
  }

  /// How many bytes of UTF-8 an escaped text has.
  static func escapedCount(_ text: String) -> Int {
    text.utf8.reduce(0) { $0 + (reference(for: $1)?.utf8.count ?? 1) }
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
/// `<`, `>` and `&` only occur inside JSON strings, where their escapes mean the same.
///
/// - Parameter json: JSON as UTF-8.
func embeddable(json: [UInt8]) -> String {
  escaping(json) { byte in
    switch byte {
    case UInt8(ascii: "<"): #"\u003c"#
    case UInt8(ascii: ">"): #"\u003e"#
    case UInt8(ascii: "&"): #"\u0026"#
    default: nil
    }
  }
}

/// A text with replacements for single bytes. They must be ASCII, which never occurs inside the UTF-8 of another code
/// point.
private func escaping(_ text: some Collection<UInt8>, _ replacement: (UInt8) -> String?) -> String {
  var escaped: [UInt8] = []
  escaped.reserveCapacity(text.count + 32)
  for byte in text {
    if let replacement = replacement(byte) { escaped += replacement.utf8 } else { escaped.append(byte) }
  }
  return String(decoding: escaped, as: UTF8.self)
}
