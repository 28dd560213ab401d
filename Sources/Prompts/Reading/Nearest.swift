/// Finds what somebody meant who mistyped a word.
public enum Nearest {
  /// “did you mean `label`?” or, where nothing is near, the words there are.
  public static func remedy(for word: String, among words: [String]) -> String {
    if let nearest = nearest(to: word, among: words) { return "did you mean `\(nearest)`?" }
    if words.isEmpty { return "remove it" }
    return "use " + (words.count > 1 ? "one of " : "") + words.map { "`\($0)`" }.joined(separator: ", ")
  }

  /// The word with the smallest edit distance, if at most a third of it is edited; nil: none is near.
  public static func nearest(to word: String, among words: [String]) -> String? {
    let typed = Array(word.lowercased().unicodeScalars.prefix(64))
    let candidates = words.map { (word: $0, distance: distance(typed, Array($0.lowercased().unicodeScalars))) }
    guard let best = candidates.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, best.word.count / 3) ? best.word : nil
  }

  /// Optimal string alignment: insertions, deletions, substitutions, neighbours swapped.
  private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var rows = [Array(0...b.count)]
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, rows[i - 1][j - 1] + 1) }
        row.append(cost)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
