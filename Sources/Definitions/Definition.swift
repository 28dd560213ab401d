package import Prompts
package import StrictJSON

/// Reads prompts from their definitions, or says everything that is wrong with them.
package enum Definition {
  /// The prompt of a definition that did not come from a file.
  ///
  /// - Parameter reading: how it is read.
  /// - Throws: `InlineFaults`, whose places are JSON Pointers.
  package static func prompt(from json: JSON, _ reading: Reading = Reading()) throws(InlineFaults) -> Prompt {
    var reading = reading
    return try reading.whole { Prompt(Node(json), &$0) }
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
      throw InlineFaults([Fault("this prompt is too large to check", error.sentence, at: place)])
    }
    _ = try Self.prompt(from: definition)
  }
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
