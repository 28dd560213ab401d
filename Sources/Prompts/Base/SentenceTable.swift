/// A table of sentences inside the executable: rows of an id, what belongs to it, and a text that may hold semicolons.
package struct SentenceTable: Sendable {
  /// What is particular to one use of a sentence, by the names of its placeholders.
  package typealias Facts = [String: Fact]
  package typealias Fact = any CustomStringConvertible & Sendable

  /// A text, and the name of the fact that follows it, or `nil` at the end of a sentence.
  private typealias Piece = (text: String, fact: String?)

  private let path: String
  private let rows: [String: [[Piece]]]

  /// Reads a table; keep it, as in a `static let`.
  ///
  /// - Parameter columns: how many fields a row has.
  package init(_ path: String, columns: Int) {
    self.path = path
    rows = Dictionary(
      uniqueKeysWithValues: EmbeddedFiles.rows(of: path, columns: columns).map { row in
        (String(row[0]), row.dropFirst().map(Self.pieces))
      })
  }

  /// The fields of a row after its id, with facts for their placeholders.
  ///
  /// - Precondition: there is such a row.
  package func fields(of id: String, _ facts: Facts) -> [String] {
    guard let fields = rows[id] else { preconditionFailure("\(path) has no row \(id)") }
    return fields.map { pieces in
      pieces.reduce(into: "") { text, piece in
        text += piece.text
        if let name = piece.fact { text += facts[name]?.description ?? "{\(name)}" }
      }
    }
  }

  package func has(_ id: String) -> Bool { rows[id] != nil }

  /// The pieces of a text with placeholders like `{name}`; `{{` is one brace.
  private static func pieces(of text: Substring) -> [Piece] {
    var pieces: [Piece] = [("", nil)], isOpen = false
    for part in text.utf8.split(separator: UInt8(ascii: "{"), omittingEmptySubsequences: false).map(Substring.init) {
      var reader = TextReader(part)
      if isOpen, let name = reader.take(some: "a-z"), reader.take("}") {
        pieces[pieces.count - 1].fact = String(name)
        pieces.append((String(reader.rest), nil))
      } else {
        pieces[pieces.count - 1].text += (isOpen ? "{" : "") + part
      }
      // An empty part is between two braces, and the next one no name.
      isOpen = !isOpen || !part.isEmpty
    }
    return pieces
  }
}
