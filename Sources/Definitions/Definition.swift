public import Prompts
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
      throw InlineFaults([Fault(DefinitionFault.tooLarge(error), at: .file)])
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

/// Something wrong with a definition file.
public struct FileFault: Sendable, CustomStringConvertible {
  /// The file's path as it was given.
  public let file: String
  private let fault: Fault
  /// The column after the word at the place, or `nil` if there is none.
  package let endColumn: Int?

  /// The fault: what is wrong.
  public var what: String { fault.what }
  /// The remedy: what to do.
  public var remedy: String { fault.remedy }
  /// `what is wrong; what to do`
  package var sentence: String { fault.sentence }

  /// The id by which tools group such faults: `no-such-key`.
  package var rule: String { fault.id }

  /// From 1, or `nil` if the whole file could not be read.
  public var line: Int? { fault.place.line == 0 ? nil : fault.place.line }
  /// From 1, in code points, or `nil` if the whole file could not be read.
  public var column: Int? { line.map { _ in fault.place.column } }

  /// Faults in the order of the text, each with the end of the word that it is about.
  static func placed(_ faults: [Fault], in bytes: [UInt8], of file: String) -> [FileFault] {
    let source = faults.isEmpty ? nil : try? SourceText(bytes)
    var cursor = SourceText.Cursor(bytes)
    return Fault.inOrder(faults).map {
      FileFault(file: file, fault: $0, endColumn: source?.endColumn(of: $0.place, from: &cursor))
    }
  }

  /// `FILE:LINE:COLUMN: what is wrong; what to do`
  public var description: String { "\(location): \(sentence)" }

  /// `FILE:LINE:COLUMN: warning: what is wrong; what to do`
  package var asWarning: String { "\(location): warning: \(sentence)" }

  private var location: String { line.map { "\(file):\($0):\(fault.place.column)" } ?? file }
}

extension FileFault {
  /// - Parameter place: its first character, unless the whole file could not be read.
  init(file: String, _ reason: DefinitionFault, at place: Node.Place = .start) {
    self.init(file: file, fault: Fault(reason, at: place), endColumn: nil)
  }
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
