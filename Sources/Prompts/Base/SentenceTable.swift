/// A table of sentences inside the executable: rows of an id, what belongs to it, and a text that may hold semicolons.
package struct SentenceTable: Sendable {
  /// What is particular to one use of a sentence, by the names of its placeholders.
  package typealias Facts = [String: any CustomStringConvertible & Sendable]

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

  /// The fields of a row after its id, the last of them with facts for its placeholders.
  ///
  /// - Precondition: there is such a row.
  package func fields(of id: String, _ facts: Facts) -> [String] {
    guard var fields = rows[id] else { preconditionFailure("\(path) has no row \(id)") }
    fields.append(Self.filled(fields.removeLast(), facts))
    return fields
  }

  /// A text with a fact for each placeholder, `{name}`; `{{` is one brace.
  package static func filled(_ text: String, _ facts: Facts) -> String {
    var reader = TextReader(text), filled = ""
    while !reader.isAtEnd {
      filled += reader.take(any: "^{")
      var placeholder = reader
      _ = placeholder.take("{")
      if let name = placeholder.take(some: "a-z"), placeholder.take("}"), let fact = facts[String(name)] {
        filled += fact.description
        reader = placeholder
      } else if reader.take("{{") || reader.take("{") {
        filled += "{"
      }
    }
    return filled
  }
}
