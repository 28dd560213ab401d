/// A set of small numbers.
struct BitSet: Hashable {
  private var words: [UInt64]

  /// - Parameter limit: every number is less.
  init(below limit: Int) { words = Array(repeating: 0, count: (limit + 63) / 64) }

  func contains(_ number: Int) -> Bool { words[number / 64] >> (number % 64) & 1 == 1 }
  func intersection(_ other: BitSet) -> BitSet {
    var common = self
    for index in words.indices { common.words[index] &= other.words[index] }
    return common
  }
  func meets(_ other: BitSet) -> Bool { words.indices.contains { words[$0] & other.words[$0] != 0 } }
  mutating func insert(_ number: Int) { words[number / 64] |= 1 << (number % 64) }
  mutating func toggle(_ number: Int) { words[number / 64] ^= 1 << (number % 64) }
}
