/// Something wrong in a prompt: what, where, and what to do about it.
public struct Fault: Error, Sendable, CustomStringConvertible {
  let place: Node.Place
  /// The fault: what is wrong.
  public let what: String
  /// The remedy: what to do.
  public let remedy: String
  package let kind: Kind
  /// The id by which tools group such faults: `no-such-key`.
  let id: String

  /// The kinds by which programs can tell the faults in a request apart.
  package enum Kind: Sendable { case missingKey, unknownKey, unknownField, wrongType, wrongValue }

  /// True if there is nothing at the path of the file or folder.
  var isOfMissingPath: Bool { row.name.hasPrefix("unreadable-") && row.name.hasSuffix(".missing") }

  private let row: FaultRow
  private let isInJSON: Bool

  init(_ row: FaultRow, at place: Node.Place, inJSON: Bool = false) {
    (self.row, isInJSON, self.place, id) = (row, inJSON, place, row.id)
    (what, remedy) = row.words(inJSON: inJSON)
    kind =
      switch row.name {
      case "missing": .missingKey
      case "no-such-field": .unknownField
      case "not-a-count.no-number", "not-a-map": .wrongType
      default: Self.kinds[row.id] ?? .wrongValue
      }
  }

  private static let kinds: [String: Kind] = [
    "no-such-key": .unknownKey, "not-a-text": .wrongType, "not-a-boolean": .wrongType, "not-a-list": .wrongType,
  ]

  /// The same fault in other words.
  private init(_ what: String, _ remedy: String, _ fault: Fault) {
    (row, isInJSON, id) = (fault.row, fault.isInJSON, fault.id)
    self.what = what
    self.remedy = remedy
    kind = fault.kind
    place = fault.place
  }

  /// Sorts faults by line and column; faults at the same place keep their order. Duplicates are removed, such as
  /// those of a part of a schema that several properties refer to.
  static func inOrder(_ faults: [Fault]) -> [Fault] {
    var known = Set<String>()
    return faults.enumerated().sorted { one, other in
      (one.element.place.line, one.element.place.column, one.offset)
        < (other.element.place.line, other.element.place.column, other.offset)
    }.map(\.element).filter { known.insert("\($0.place.line):\($0.place.column):\($0)").inserted }
  }

  /// The same fault with each of its texts cut to 300 code points.
  var shortened: Fault {
    func short(_ text: String) -> String {
      text.unicodeScalars.count <= 300 ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(300))) + "…"
    }
    return Fault(short(what), short(remedy), self)
  }

  /// The same fault for somebody who writes JSON.
  var inJSON: Fault { isInJSON ? self : Fault(row, at: place, inJSON: true) }

  /// `what is wrong; what to do`
  package var sentence: String { "\(what); \(remedy)" }

  /// The place in the prompt as a definition in JSON, as a JSON Pointer (RFC 6901): `/fields/0/name`, or empty for all
  /// of it.
  public var pointer: String { place.pointer }

  /// `/fields/0/name: what is wrong; what to do`
  public var description: String { pointer.isEmpty ? sentence : "\(pointer): \(sentence)" }
}

/// Everything wrong with something that did not come from a file.
package struct InlineFaults: Error, Sendable, CustomStringConvertible {
  /// Not empty, unless reading ended because it would have cost too much. Their places are JSON Pointers.
  package let entries: [Fault]
  /// The number of faults beyond those in `entries`.
  package var omittedFaultCount = 0
  /// True if reading ended because it would have cost too much.
  package var isOverBudget = false

  /// - Parameter entries: not empty.
  package init(_ entries: [Fault]) { self.entries = entries }

  init(of reading: Reading) {
    entries = Fault.inOrder(reading.faults)
    (omittedFaultCount, isOverBudget) = (reading.omittedFaultCount, reading.isOverBudget)
  }

  /// One fault a line.
  package var description: String { entries.map(\.description).joined(separator: "\n") }
}
