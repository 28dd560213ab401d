/// A fault with its facts: an enumeration that says each of its cases in words in one place.
package protocol FaultCase: Sendable {
  var sentence: FaultSentence { get }
  var kind: Fault.Kind { get }
}

extension FaultCase {
  package var kind: Fault.Kind { .wrongValue }
}

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
  func inPattern(column: Int) -> FaultSentence {
    FaultSentence(id, "in this pattern, column \(column): \(what)", remedy)
  }
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

extension Fault {
  /// The same fault for somebody who writes JSON: with objects for maps, and its examples, which are YAML, in JSON.
  var inJSON: Fault {
    let quotesValues = remedy.hasPrefix("did you mean") || remedy.hasPrefix("use ")
    return Fault(Self.inJSON(what, examples: false), Self.inJSON(remedy, examples: !quotesValues), self)
  }

  /// - Parameter examples: whether what stands in backticks may be an example, and not only what somebody wrote.
  private static func inJSON(_ sentence: String, examples: Bool) -> String {
    let parts = sentence.split(separator: "`", omittingEmptySubsequences: false)
    return parts.enumerated().map { (index, part) -> String in
      guard index.isMultiple(of: 2) else { return examples ? example(String(part)) : String(part) }
      return String(part).replacing("a map", with: "an object").replacing("this map", with: "this object")
    }.joined(separator: "`")
  }

  /// `length: {max: 20}` as `"length": {"max": 20}`, and an element of a list, `- name: a`, as `{"name": "a"}`.
  private static func example(_ yaml: String) -> String {
    var reader = TextReader(yaml)
    let isElement = reader.take("- "), value = reader.rest
    var start = reader
    _ = start.take(any: "[{")
    guard isElement || start.take(some: "A-Za-z") != nil && start.take(": ") else { return yaml }
    var json = ""
    while !reader.isAtEnd {
      if reader.take("'") {
        json += quoted(reader.take(any: "^'"))
        _ = reader.take("'")
      } else if reader.take("\"") {
        json += "\"\(reader.take(any: "^\""))"
        if reader.take("\"") { json += "\"" }
      } else if let sign = reader.take(some: " :{}[],") {
        json += sign
      } else {
        // A text without quotes ends before a value and before a bracket.
        let text = reader.take(any: "^{}[],"), end = text.firstRange(of: ": ")?.lowerBound ?? text.endIndex
        reader = TextReader(yaml[end...])
        let word = text[..<end], digits = word.hasPrefix("-") ? word.dropFirst() : word
        json += digits.consists(of: "0-9.") || ["…", "true", "false"].contains(word) ? String(word) : quoted(word)
      }
    }
    return isElement && value.contains(": ") && !value.hasPrefix("{") ? "{\(json)}" : json
  }

  private static func quoted(_ text: Substring) -> String {
    var json = JSONWriter()
    json.value(JSON.string(String(text)))
    return json.text
  }
}
