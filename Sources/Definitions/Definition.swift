public import Prompts
public import StrictJSON

/// Reads prompts from their definitions, or says everything that is wrong with them.
public enum Definition {
  /// The prompt of a definition that came as JSON and not from a file, as in `POST /asks`.
  ///
  /// - Parameter patternLimit: how many patterns it may have; nil: any number, as what was checked before.
  /// - Throws: `InlineFaults`, whose places are JSON Pointers.
  public static func prompt(from json: JSON, patternLimit: Int? = nil) throws(InlineFaults) -> Prompt {
    let (prompt, faults) = read(Node(json), patternLimit: patternLimit)
    guard let prompt, faults.isEmpty else { throw InlineFaults(faults: faults) }
    return prompt
  }

  /// What a definition's own reader would say of a prompt made in Swift: its names, its texts, its rules.
  ///
  /// - Throws: `InlineFaults`, whose places are JSON Pointers into the prompt as a definition.
  public static func check(_ prompt: Prompt) throws(InlineFaults) {
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
  static func read(_ node: Node, patternLimit: Int? = nil) -> (prompt: Prompt?, faults: [Fault]) {
    var reading = Reading(patternLimit: patternLimit)
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
