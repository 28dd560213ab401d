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

  /// The value that a piece of YAML stands for; of nothing, null.
  ///
  /// - Throws: the fault at which it cannot be read on.
  package static func value(ofYAML text: String, _ reading: inout Reading) throws(Fault) -> JSON? {
    if [nil, "#"].contains(text.first(where: { $0 != " " })) { return .null }
    return try YAMLReader.json(SourceText(Array(text.utf8)), &reading)?.json
  }

  /// Checks a prompt made in Swift as if it came from a definition: its names, its texts, its rules.
  ///
  /// - Throws: `InlineFaults`, whose places are JSON Pointers into the prompt as a definition.
  static func check(_ prompt: Prompt) throws(InlineFaults) {
    var json = JSONWriter()
    prompt.writeDefinition(to: &json)
    let definition: JSON
    do throws(JSONFault) {
      definition = try JSON(parsing: json.bytes, limits: .file)
    } catch {
      throw InlineFaults([Fault(FaultRow("too-large", ["why": error.sentence]), at: .file)])
    }
    _ = try Self.prompt(from: definition)
  }
}

// MARK: Faults

/// Everything wrong with definition files, in the order of files and lines.
public struct DefinitionFaults: Error, Sendable, CustomStringConvertible {
  /// Never empty.
  public let faults: [FileFault]

  /// One fault a line: `FILE:LINE:COLUMN: what is wrong; what to do`.
  public var description: String { faults.map(\.description).joined(separator: "\n") }
}

extension Node.Place {
  /// The place of the beginning of a file.
  static let start = Node.Place(line: 1, column: 1)
  /// No place in it: the whole file could not be read.
  static let file = Node.Place(line: 0, column: 0)
}

extension Prompt {
  /// Everything that keeps a server from asking it, such as a blank title or two fields of one name; empty if it is
  /// right. A server also knows which predicates are registered there.
  public var faults: [Fault] {
    do throws(InlineFaults) { try Definition.check(self) } catch { return error.entries }
    return []
  }
}
