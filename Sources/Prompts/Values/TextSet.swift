/// Texts, each once, code point by code point.
package struct TextSet: Sendable {
  // Not strings, which are equal if they only look the same.
  private let texts: Set<[UInt8]>

  package init(_ texts: [String]) { self.texts = Set(texts.map { Array($0.utf8) }) }

  package var count: Int { texts.count }

  package func contains(_ text: String) -> Bool { texts.contains(Array(text.utf8)) }

  /// At most what it costs to make a set of so many texts, or to look for so many; see `WorkBudget`.
  static func work(of count: Int) -> Int { 300 * count }
}
