/// Finds what somebody meant who mistyped a word.
package enum Nearest {
  /// “did you mean `label`?” or, where nothing is near, the words there are.
  package static func remedy(for word: String, among words: [String]) -> String {
    if let nearest = nearest(to: word, among: words) { return "did you mean `\(nearest)`?" }
    if words.isEmpty { return "remove it" }
    return "use " + (words.count > 1 ? "one of " : "") + words.map { "`\($0)`" }.joined(separator: ", ")
  }

  /// The word with the smallest edit distance, if at most a third of it is edited; nil: none is near.
  package static func nearest(to word: String, among words: [String]) -> String? {
    let typed = Array(word.lowercased().unicodeScalars.prefix(64))
    var best: (word: String, distance: Int)?
    for word in words {
      let letters = Array(word.lowercased().unicodeScalars)
      // Every word has a distance of at least the difference in length: most need no more than that.
      let limit = min(max(1, letters.count / 3), (best?.distance ?? .max) - 1)
      guard abs(letters.count - typed.count) <= limit, let distance = distance(typed, letters, limit: limit)
      else { continue }
      best = (word, distance)
    }
    return best?.word
  }

  /// Optimal string alignment: insertions, deletions, substitutions, neighbours swapped.
  ///
  /// - Returns: `nil` if the distance is more than the limit.
  private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar], limit: Int) -> Int? {
    var rows = [Array(0...b.count)]
    for i in a.indices {
      // Two rows in a row beyond the limit stay beyond it.
      if i > 1, rows[i].allSatisfy({ $0 > limit }), rows[i - 1].allSatisfy({ $0 > limit }) { return nil }
      var row = [i + 1]
      for j in b.indices {
        var cost = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, rows[i - 1][j - 1] + 1) }
        row.append(cost)
      }
      rows.append(row)
    }
    let distance = rows[a.count][b.count]
    return distance <= limit ? distance : nil
  }
}
