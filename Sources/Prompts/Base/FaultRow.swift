// What reads a text in a program throws it.
@_exported public import struct Platform.PlainError

/// A row of `faults.txt` with the facts of one use: what is wrong, and what to do.
package struct FaultRow: Sendable, CustomStringConvertible {
  /// The row's name: the id, perhaps with a dot and more.
  let name: String
  private var facts: SentenceTable.Facts
  /// Where in a pattern it is, or `nil`.
  private var column: Int?
  /// What is wrong and what to do, if something says it that has no row; or `nil`.
  private let said: (what: String, remedy: String)?

  private static let table = SentenceTable("Sources/Prompts/faults.txt", columns: 3)

  package init(_ name: String, _ facts: SentenceTable.Facts = [:]) {
    (self.name, self.facts, said) = (name, facts, nil)
  }

  /// A fault that its reader has put in words.
  init(_ name: String, saying what: String, _ remedy: String) {
    (self.name, facts, said) = (name, [:], (what, remedy))
  }

  /// The id by which tools group such faults: `no-such-key`. Clients rely on it, so it never changes.
  var id: String { String(Substring(name.utf8.prefix { !"./".utf8.contains($0) })) }

  static func has(_ name: String) -> Bool { table.has(name) }

  /// The same of a pattern, at this column.
  func inPattern(column: Int) -> FaultRow {
    var row = self
    row.column = column
    return row
  }

  /// The same of another key.
  func with(key: String) -> FaultRow {
    var row = self
    row.facts["key"] = key
    return row
  }

  /// What is wrong, and what to do.
  ///
  /// - Parameter inJSON: whether whoever reads it writes JSON, which has objects for maps.
  func words(inJSON: Bool = false) -> (what: String, remedy: String) {
    if let said { return said }
    var facts = facts
    if inJSON {
      facts = facts.mapValues { fact -> SentenceTable.Fact in
        (fact as? FaultRow)?.words(inJSON: true).remedy ?? fact
      }
      if facts["found"]?.description == Self.map { facts["found"] = "an object" }
    }
    let row = Self.table.fields(of: inJSON && Self.table.has("\(name)/json") ? "\(name)/json" : name, facts)
    let place = column.map { FaultRow("in-pattern", ["column": $0]).words().what + " " }
    return ((place ?? "") + row[0], row[1])
  }

  /// A map, as the fact `found` names it.
  static let map = "a map"

  /// `what is wrong; what to do`
  package var sentence: String {
    let (what, remedy) = words()
    return "\(what); \(remedy)"
  }

  /// What to do: as the fact of another row.
  package var description: String { words().remedy }
}
