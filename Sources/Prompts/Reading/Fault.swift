package import Base

/// Something wrong in a prompt: what, where, and what to do about it.
public struct Fault: Error, Sendable, CustomStringConvertible {
  package let place: Node.Place
  /// The fault: what is wrong.
  public let what: String
  /// The remedy: what to do.
  public let remedy: String
  package let kind: Kind
  /// The id by which tools group such faults: `no-such-key`.
  package let id: String

  /// The kinds by which programs can tell the faults in a request apart.
  package enum Kind: Sendable { case missingKey, unknownKey, unknownField, wrongType, wrongValue }

  package init(_ reason: some FaultCase, at place: Node.Place) {
    let sentence = reason.sentence
    id = sentence.id
    what = sentence.what
    remedy = sentence.remedy
    kind = reason.kind
    self.place = place
  }

  /// The same fault in other words.
  init(_ what: String, _ remedy: String, _ fault: Fault) {
    id = fault.id
    self.what = what
    self.remedy = remedy
    kind = fault.kind
    place = fault.place
  }

  /// Sorts faults by line and column; faults at the same place keep their order. Duplicates are removed, such as
  /// those of a part of a schema that several properties refer to.
  package static func inOrder(_ faults: [Fault]) -> [Fault] {
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

  /// `what is wrong; what to do`
  package var sentence: String { "\(what); \(remedy)" }

  /// The place in the prompt as a definition in JSON, as a JSON Pointer (RFC 6901): `/fields/0/name`, or empty for all
  /// of it.
  public var pointer: String { place.pointer }

  /// `/fields/0/name: what is wrong; what to do`
  public var description: String { pointer.isEmpty ? sentence : "\(pointer): \(sentence)" }
}

extension FaultSentence {
  /// The same as the fault of a whole pattern.
  func inPattern(column: Int, _ corrected: String?) -> FaultSentence {
    FaultSentence(
      id, "in this pattern, column \(column): \(what)",
      remedy + (corrected.map { "; the corrected pattern is `\($0)`" } ?? ""))
  }
}
