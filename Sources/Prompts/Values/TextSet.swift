internal import Glibc

/// Texts, each once, code point by code point, among which one is found without looking at all of them.
package struct TextSet: Sendable {
  /// In order of their length, and of their bytes if that is the same.
  private let texts: [String]

  package init(_ texts: [String]) {
    var distinct: [String] = []
    for text in texts.sorted(by: { one, other in other.withBytes { Self.order(one, $0) < 0 } })
    where distinct.last.map({ !isSame($0, text) }) ?? true {
      distinct.append(text)
    }
    self.texts = distinct
  }

  package var count: Int { texts.count }

  package func contains(_ text: String) -> Bool { text.withBytes(contains) }

  /// - Parameter bytes: a text in UTF-8.
  func contains(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let index = texts.partitioningIndex { Self.order($0, bytes) >= 0 }
    return index < texts.count && isSame(texts[index], bytes)
  }

  /// How many texts are looked at, at most, to find one.
  var mostComparisons: Int { Int.bitWidth - texts.count.leadingZeroBitCount + 1 }

  /// At most what it costs to make a set of so many texts; see `WorkBudget`.
  static func work(of count: Int) -> Int { count * (100 + 30 * (Int.bitWidth - count.leadingZeroBitCount)) }

  /// Less than zero if the one comes first, more if the other does.
  private static func order(_ one: String, _ other: UnsafeBufferPointer<UInt8>) -> Int {
    let difference = one.utf8.count - other.count
    guard difference == 0, let bytes = other.baseAddress else { return difference }
    return Int(one.withBytes { memcmp($0.baseAddress ?? bytes, bytes, other.count) })
  }
}
