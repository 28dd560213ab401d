internal import Mustache

/// Makes JSON safe inside a `<script>` element, which knows no character references.
///
/// `<`, `>` and `&` only occur inside JSON strings, where their escapes mean the same.
///
/// - Parameter json: JSON as UTF-8.
func embeddable(json: [UInt8]) -> String { jsonEscapes.applied(to: json) }

private let jsonEscapes = Escapes(["<": #"\u003c"#, ">": #"\u003e"#, "&": #"\u0026"#])

/// Replacements for single bytes of a text. They are ASCII, which never occurs inside the UTF-8 of another code point.
struct Escapes: Sendable {
  /// By the byte.
  private var replacements = [String?](repeating: nil, count: 256)

  init(_ characters: [Unicode.Scalar: String]) {
    for (character, replacement) in characters { replacements[Int(character.value)] = replacement }
  }

  func applied(to text: some Collection<UInt8>) -> String {
    var escaped: [UInt8] = []
    escaped.reserveCapacity(text.count + 32)
    for byte in text {
      if let replacement = replacements[Int(byte)] { escaped += replacement.utf8 } else { escaped.append(byte) }
    }
    return String(decoding: escaped, as: UTF8.self)
  }
}

/// Escapes text for HTML, in content and in quoted attribute values alike.
///
/// Mustache's own HTML content type compares grapheme clusters, and `"` followed by a combining mark is another cluster
/// than `"`: it passes through as it is and closes the attribute. This one compares single bytes of UTF-8.
struct HTMLContent: MustacheContentType {
  /// The name templates call this content type by.
  static let name = "SafeHTML"

  /// Makes the content type known to every template that is parsed from now on.
  static func register() {
    MustacheContentTypes.register(HTMLContent(), named: name)
  }

  func escapeText(_ text: String) -> String { Self.escapes.applied(to: text.utf8) }

  /// The number of bytes of UTF-8 of an escaped text.
  static func escapedCount(_ text: String) -> Int { escapes.applied(to: text.utf8).utf8.count }

  private static let escapes = Escapes(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"])
}
