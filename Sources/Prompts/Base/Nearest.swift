/// A word that may be mistyped, and those that may be meant.
package struct Nearest: CustomStringConvertible, Sendable {
  let word: String
  let words: [String]

  package init(to word: String, among words: [String]) { (self.word, self.words) = (word, words) }

  /// What to do: “did you mean `label`?” or, if nothing is near, a list of the words.
  package var description: String {
    if let nearest = Self.nearest(to: word, among: words) { return "did you mean `\(nearest)`?" }
    if words.isEmpty { return "remove it" }
    return "use " + (words.count > 1 ? "one of " : "") + words.map { "`\($0)`" }.joined(separator: ", ")
  }

  /// The word with the smallest edit distance, or `nil` if more than a third of every word, or more than so many letters,
  /// would have to be edited.
  package static func nearest(to word: String, among words: [String], edits: Int = .max) -> String? {
    let typed = Array(word.lowercased().unicodeScalars.prefix(64))
    var best: (word: String, distance: Int)?
    for word in words {
      let letters = Array(word.lowercased().unicodeScalars)
      // The distance is at least the difference in length, which rules out most words.
      let limit = min(edits, max(1, letters.count / 3), (best?.distance ?? .max) - 1)
      guard abs(letters.count - typed.count) <= limit, let distance = distance(typed, letters, limit: limit)
      else { continue }
      best = (word, distance)
    }
    return best?.word
  }

  /// The optimal string alignment distance (insertions, deletions, substitutions, neighbours swapped), or `nil` if it is
  /// more than the limit.
  private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar], limit: Int) -> Int? {
    var row = Array(0...b.count), last = row, beforeLast = row
    for i in a.indices {
      // After two rows beyond the limit, all others are.
      if i > 1, row.allSatisfy({ $0 > limit }), last.allSatisfy({ $0 > limit }) { return nil }
      (row, last, beforeLast) = (beforeLast, row, last)
      row[0] = i + 1
      for j in b.indices {
        row[j + 1] = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { row[j + 1] = min(row[j + 1], beforeLast[j - 1] + 1) }
      }
    }
    return row[b.count] <= limit ? row[b.count] : nil
  }
}
