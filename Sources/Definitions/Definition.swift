package import Prompts
package import StrictJSON

/// Reads prompts from their definitions, or says everything that is wrong with them.
package enum Definition {
  /// The prompt of a definition that came as JSON and not from a file, as in `POST /asks`.
  ///
  /// - Parameter limits: how much of it may be read, or `nil` for everything.
  /// - Throws: `InlineFaults`, whose places are JSON Pointers.
  package static func prompt(from json: JSON, limits: Reading.Limits? = nil) throws(InlineFaults) -> Prompt {
    try prompt(from: json, Reading(limits: limits))
  }

  /// The prompt of a stored definition. It was checked when it was stored: rules that would be faults today stay in it.
  ///
  /// - Throws: `InlineFaults`, if it cannot be read at all.
  package static func keptPrompt(from json: JSON) throws(InlineFaults) -> Prompt {
    try prompt(from: json, Reading(isKept: true))
  }

  /// The prompt of a JSON Schema that did not come from a file.
  ///
  /// - Parameters:
  ///   - title: or `nil` for that of the schema.
  ///   - message: or `nil` for the schema's description.
  ///   - limits: how much of it may be read, or `nil` for everything.
  /// - Throws: `InlineFaults`, whose places are JSON Pointers into the schema.
  package static func prompt(
    fromSchema schema: JSON, title: String? = nil, message: String? = nil, limits: Reading.Limits? = nil
  ) throws(InlineFaults) -> Prompt {
    try prompt(Reading(limits: limits)) { Prompt(schema: Node(schema), title: title, message: message, &$0) }
  }

  private static func prompt(from json: JSON, _ reading: Reading) throws(InlineFaults) -> Prompt {
    try prompt(reading) { Prompt(Node(json), &$0) }
  }

  private static func prompt(_ reading: Reading, _ read: (inout Reading) -> Prompt?) throws(InlineFaults) -> Prompt {
    var reading = reading
    let prompt = read(&reading)
    try check(reading)
    guard let prompt else { throw InlineFaults(entries: []) }
    return prompt
  }

  private static func check(_ reading: Reading) throws(InlineFaults) {
    guard reading.faults.isEmpty, !reading.isOverBudget else {
      throw InlineFaults(
        entries: inOrder(reading.faults), untold: reading.omittedFaultCount, isOverBudget: reading.isOverBudget)
    }
  }

  /// The blocks of an ask's own context, which came as JSON.
  ///
  /// - Throws: `InlineFaults`, whose places are JSON Pointers into the list.
  package static func context(from json: JSON, limits: Reading.Limits) throws(InlineFaults) -> [Prompt.Context] {
    var reading = Reading(limits: limits)
    let context = Prompt.Context.read(Node(json), &reading)
    try check(reading)
    return context
  }

  /// Checks a prompt made in Swift as if it came from a definition: its names, its texts, its rules.
  ///
  /// - Throws: `InlineFaults`, whose places are JSON Pointers into the prompt as a definition.
  package static func check(_ prompt: Prompt) throws(InlineFaults) {
    var json = JSONWriter()
    prompt.writeDefinition(to: &json)
    let definition: JSON
    do throws(JSONFault) {
      definition = try JSON(parsing: json.bytes, limits: .file)
    } catch {
      let place = Node.Place(line: 0, column: 0)
      throw InlineFaults(entries: [Fault("this prompt is too large to check", error.sentence, at: place)])
    }
    _ = try Self.prompt(from: definition)
  }

  /// What a file says a prompt with.
  enum Form {
    case definition
    /// A JSON Schema; title and message are given beside it, or are `nil` for its own.
    case schema(title: String? = nil, message: String? = nil)
  }

  /// Reads a tree. The faults are in the order of the text.
  ///
  /// - Parameters:
  ///   - form: whether it is a definition or a JSON Schema.
  ///   - predicates: those that rules may ask, or `nil` to only warn of others.
  static func read(
    _ node: Node, _ form: Form, predicates: [String]?
  ) -> (prompt: Prompt?, faults: [Fault], warnings: [Fault]) {
    var reading = Reading(predicates: predicates)
    let prompt =
      switch form {
      case .definition: Prompt(node, &reading)
      case .schema(let title, let message): Prompt(schema: node, title: title, message: message, &reading)
      }
    return (prompt, inOrder(reading.faults), inOrder(reading.warnings))
  }

  /// The same of a translation.
  static func read(_ node: Node, of prompt: Prompt) -> (texts: Translation?, faults: [Fault], warnings: [Fault]) {
    var reading = Reading()
    let texts = Translation(node, of: prompt, &reading)
    return (texts, inOrder(reading.faults), inOrder(reading.warnings))
  }

  /// Sorts faults by line and column; those at one place stay as they were found. What several properties of a schema
  /// refer to has its faults once.
  static func inOrder(_ faults: [Fault]) -> [Fault] {
    var known = Set<String>()
    return faults.enumerated().sorted { one, other in
      (one.element.place.line, one.element.place.column, one.offset)
        < (other.element.place.line, other.element.place.column, other.offset)
    }.map(\.element).filter { known.insert("\($0.place.line):\($0.place.column):\($0)").inserted }
  }
}

/// Everything wrong with a definition that did not come from a file.
package struct InlineFaults: Error, Sendable, CustomStringConvertible {
  /// Not empty, unless reading ended because it would have cost too much. Their places are JSON Pointers.
  package let entries: [Fault]
  /// How many more faults there are than `entries` holds.
  package var untold = 0
  /// Whether reading ended because it would have cost too much.
  package var isOverBudget = false

  /// One fault a line.
  package var description: String { entries.map(\.description).joined(separator: "\n") }
}

// MARK: Predicates

extension NamedPrompt {
  /// A sentence for each rule that asks a predicate which is not registered:
  /// `email: the field `email` asks the predicate `not-taken`, which is not registered; …`.
  ///
  /// - Parameter predicates: those that the server has registered.
  package func faults(knowing predicates: Predicates) -> [String] {
    prompt.faults(knowing: predicates).map { "\(name): \($0)" }
  }
}

extension Prompt {
  /// The same for a prompt without a name.
  package func faults(knowing predicates: Predicates) -> [String] {
    fields.flatMap { field in
      (field.rules + field.allow).flatMap(\.predicates).filter { predicates[$0] == nil }.map { name in
        let known = Nearest.nearest(to: name, among: predicates.names).map { "did you mean `\($0)`? Or " } ?? ""
        return "the field `\(field.name)` asks the predicate `\(name)`, which is not registered; "
          + "\(known)start the server with `--predicate \(name)=PROGRAM`"
      }
    }
  }
}
