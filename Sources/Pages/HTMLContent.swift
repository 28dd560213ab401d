internal import Mustache

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
