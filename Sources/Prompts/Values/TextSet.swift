/// Texts, each once, code point by code point.
package struct TextSet: Sendable {
  private let texts: Set<ExactText>

  package init(_ texts: [String]) { self.texts = Set(texts.map { ExactText(text: $0) }) }

  package var count: Int { texts.count }

  package func contains(_ text: String) -> Bool { texts.contains(ExactText(text: text)) }

  /// At most what it costs to make a set of so many texts; see `WorkBudget`.
  static func work(of count: Int) -> Int { 300 * count }

  /// At most what it costs to look for these texts.
  static func workOfLookup(_ size: InputSize) -> Int { 100 * size.texts + 20 * size.bytes }

  /// A text that equals only itself: strings are equal if they only look the same.
  private struct ExactText: Hashable {
    let text: String

    static func == (one: Self, other: Self) -> Bool { isSame(one.text, other.text) }
    func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }
  }
}
