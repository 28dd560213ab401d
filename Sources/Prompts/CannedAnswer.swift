/// An answer that is given without a person, for tests of programs that ask.
package struct CannedAnswer: Sendable {
  package enum Ending: String, Sendable, CaseIterable { case ok, cancel, action }

  package let ending: Ending
  /// The name of the action's button, or `nil` for other endings.
  package let action: String?
  /// The reason for Cancel, or `nil` for none.
  package let reason: String?
  /// As a program would send them, or `nil` for none. They are judged like a person's.
  package let values: Node?
  /// The time for which the question stays open first.
  package var delay = Duration.zero
  /// The person who answers, or `nil` if nobody is named.
  package var person: Person?

  package init(_ ending: Ending, action: String? = nil, reason: String? = nil, values: Node? = nil) {
    self.ending = ending
    self.action = action
    self.reason = reason
    self.values = values
  }

  /// What to write into a file of answers.
  static let contents = FaultRow("write-answers")

  /// Reads a map of prompts' names, or titles, to lists of answers: the first answers the first ask, and so on.
  static func read(_ node: Node, _ reading: inout Reading) -> [String: [CannedAnswer]]? {
    var read: [String: [CannedAnswer]] = [:]
    for entry in reading.entries(node, as: "this file", remedy: contents) ?? [] {
      if read[entry.key] != nil { reading.report("repeated-key", ["key": entry.key], at: entry.keyPlace) }
      read[entry.key] = (reading.list(entry.value, entry.key) ?? []).compactMap { CannedAnswer($0, &reading) }
    }
    return read
  }

  private init?(_ node: Node, _ reading: inout Reading) {
    let keys = ["outcome", "action", "reason", "values", "delay", "id"]
    guard let map = reading.mapping(node, as: "an answer", keys: keys, remedy: FaultRow("write-canned-answer")) else {
      return nil
    }
    let ending: Ending? = map["outcome"] == nil ? .ok : reading.word(map["outcome"], "outcome")
    self.init(
      ending ?? .ok, action: reading.string(map["action"], "action"), reason: reading.string(map["reason"], "reason"),
      values: map["values"])
    if ending == .action, action == nil { reading.report("no-action", at: map.place) }
    let meant = [("action", ending == .action), ("reason", ending == .cancel), ("values", ending != .cancel)]
    for (key, isMeant) in meant where ending != nil {
      if !isMeant, let entry = map.entry(key) { reading.report("misplaced", ["key": key], at: entry.keyPlace) }
    }
    if let values { _ = reading.entries(values, as: "`values`", remedy: FaultRow("write-canned-values")) }
    person = reading.string(map["id"], "id", orLiteral: true).map { Person(id: $0) }
    delay = reading.delay(map["delay"]) ?? .zero
  }
}

extension Reading {
  fileprivate mutating func delay(_ node: Node?) -> Duration? {
    guard let node, let text = string(node, "delay", orLiteral: true) else { return nil }
    var reader = TextReader(text)
    let count = reader.take(some: "0-9", 1...6).flatMap { Int($0) }, unit = reader.rest
    guard let count, ["ms", "s", "m"].contains(unit) else {
      report("delay", ["text": text], at: node.place)
      return nil
    }
    return unit == "ms" ? .milliseconds(count) : .seconds(unit == "s" ? count : 60 * count)
  }
}
