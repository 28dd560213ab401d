/// A table of sentences inside the executable: rows of an id, what belongs to it, and a text that may hold semicolons.
package struct SentenceTable: Sendable {
  /// What is particular to one use of a sentence, by the names of its placeholders.
  package typealias Facts = [String: Fact]
  package typealias Fact = any CustomStringConvertible & Sendable

  private let path: String
  private let rows: [String: [String]]

  /// Reads a table; keep it, as in a `static let`.
  ///
  /// - Parameter columns: how many fields a row has.
  package init(_ path: String, columns: Int) {
    self.path = path
    rows = Dictionary(
      uniqueKeysWithValues: EmbeddedFiles.rows(of: path, columns: columns).map { row in
        (String(row[0]), row.dropFirst().map(String.init))
      })
  }

  /// The fields of a row after its id, with facts for their placeholders.
  ///
  /// - Precondition: there is such a row.
  package func fields(of id: String, _ facts: Facts) -> [String] {
    guard let fields = rows[id] else { preconditionFailure("\(path) has no row \(id)") }
    return fields.map { Self.filled($0, facts) }
  }

  package func has(_ id: String) -> Bool { rows[id] != nil }

  /// A text with a fact for each placeholder, `{name}`; `{{` is one brace.
  package static func filled(_ text: String, _ facts: Facts) -> String {
    var rest = text[...], filled = ""
    while let brace = rest.utf8.firstIndex(of: UInt8(ascii: "{")) {
      filled += rest[..<brace]
      var reader = TextReader(rest[brace...])
      _ = reader.take("{")
      if reader.take("{") {
        filled += "{"
      } else if let name = reader.take(some: "a-z"), reader.take("}"), let fact = facts[String(name)] {
        filled += fact.description
      } else {
        filled += rest[brace..<reader.rest.startIndex]
      }
      rest = reader.rest
    }
    filled += rest
    return filled
  }
}
