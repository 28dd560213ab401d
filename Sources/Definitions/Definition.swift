package import Prompts
package import StrictJSON

/// Reads prompts from their definitions, or says everything that is wrong with them.
package enum Definition {
  /// The prompt of a definition that came as JSON and not from a file, as in `POST /asks`.
  ///
  /// - Throws: `InlineFaults`, whose places are JSON Pointers.
  package static func prompt(from json: JSON) throws(InlineFaults) -> Prompt { try prompt(from: json, Reading()) }

  /// - Parameter limits: how much of it may be read, or `nil` for what was checked before.
  package static func prompt(from json: JSON, limits: Reading.Limits?) throws(InlineFaults) -> Prompt {
    try prompt(from: json, Reading(limits: limits))
  }

  /// The prompt of a definition that was checked when it was kept: rules that would be faults of a new one stay in it.
  ///
  /// - Throws: `InlineFaults`, if it cannot be read at all.
  package static func keptPrompt(from json: JSON) throws(InlineFaults) -> Prompt {
    try prompt(from: json, Reading(isKept: true))
  }

  private static func prompt(from json: JSON, _ reading: Reading) throws(InlineFaults) -> Prompt {
    var reading = reading
    let prompt = Prompt(Node(json), &reading)
    guard let prompt, reading.faults.isEmpty, !reading.isOverBudget else {
      throw InlineFaults(
        faults: inOrder(reading.faults), untold: reading.untoldFaults, isOverBudget: reading.isOverBudget)
    }
    return prompt
  }

  /// What a definition's own reader would say of a prompt made in Swift: its names, its texts, its rules.
  ///
  /// - Throws: `InlineFaults`, whose places are JSON Pointers into the prompt as a definition.
  package static func check(_ prompt: Prompt) throws(InlineFaults) {
    var json = JSONWriter()
    prompt.writeDefinition(to: &json)
    let definition: JSON
    do throws(JSONFault) {
      definition = try JSONParser.parse(json.bytes, limits: .file)
    } catch {
      let place = Node.Place(line: 0, column: 0)
      throw InlineFaults(faults: [Fault("this prompt is too large to check", error.sentence, at: place)])
    }
    _ = try Self.prompt(from: definition)
  }

  /// Reads a tree; faults are in the order of the text.
  static func read(_ node: Node) -> (prompt: Prompt?, faults: [Fault]) {
    var reading = Reading()
    let prompt = Prompt(node, &reading)
    return (prompt, inOrder(reading.faults))
  }

  /// By line and column; those at one place as they were found.
  static func inOrder(_ faults: [Fault]) -> [Fault] {
    faults.enumerated().sorted { one, other in
      (one.element.place.line, one.element.place.column, one.offset)
        < (other.element.place.line, other.element.place.column, other.offset)
    }.map(\.element)
  }
}
