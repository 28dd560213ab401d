/// Reads a table of inputs with what is expected of each.
///
/// A line is `input → expected`; where that is too long, `→ expected` stands in the next line. `⏎` is a line feed. Lines
/// that begin with `//` are comments. Whatever has white space at an end or is not visible is a literal of Swift beside
/// the table.
package func cases(_ table: String) -> [(String, String)] {
  var cases: [(String, String)] = []
  var input = ""
  for line in table.split(separator: "\n").map({ $0.drop { $0 == " " } }) where !line.hasPrefix("//") {
    let line = line.replacing("⏎", with: "\n")
    if line.hasPrefix("→ ") {
      cases.append((input, String(line.dropFirst(2))))
    } else if let arrow = line.firstRange(of: " → ") {
      cases.append((String(line[..<arrow.lowerBound]), String(line[arrow.upperBound...])))
    } else {
      input = String(line)
    }
  }
  return cases
}
