/// Texts, each once, code point by code point.
package struct TextSet: Sendable {
  /// As UTF-8: strings are equal if they only look the same.
  private let texts: Set<[UInt8]>

  package init(_ texts: [String]) { self.texts = Set(texts.map { Array($0.utf8) }) }

  package var count: Int { texts.count }

  package func contains(_ text: String) -> Bool { texts.contains(Array(text.utf8)) }

  /// At most what it costs to make a set of so many texts; see `WorkBudget`.
  static func work(of count: Int) -> Int { 300 * count }

  /// At most what it costs to look for these texts.
  static func workOfLookup(_ size: InputSize) -> Int { 100 * size.texts + 20 * size.bytes }
}
