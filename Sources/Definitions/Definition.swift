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
      throw InlineFaults([Fault("this prompt is too large to check", error.sentence, at: .file)])
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

  /// What is wrong.
  public var what: String { fault.what }
  /// What to do.
  public var remedy: String { fault.remedy }
  /// `what is wrong; what to do`
  package var sentence: String { fault.sentence }

  /// The kind of fault, by which tools group them: the words of `what` that are not quoted from the file.
  package var rule: String {
    let pattern = what.firstRange(of: #/^in this pattern, column [0-9]+: /#)
    let words = what[(pattern?.upperBound ?? what.startIndex)...]
    let parts = words.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 0 }
    let letters = parts.map(\.element).joined(separator: " ").split { !($0.isASCII && $0.isLetter || $0 == "-") }
    return letters.isEmpty ? "definition" : letters.prefix(10).joined(separator: "-").lowercased()
  }

  /// From 1, or `nil` if the whole file could not be read.
  public var line: Int? { fault.place.line == 0 ? nil : fault.place.line }
  /// From 1, in code points, or `nil` if the whole file could not be read.
  public var column: Int? { line.map { _ in fault.place.column } }

  /// Faults in the order of the text, each with the end of the word that it is about.
  static func placed(_ faults: [Fault], in bytes: [UInt8], of file: String) -> [FileFault] {
    let source = faults.isEmpty ? nil : try? SourceText(bytes)
    var cursor = SourceText.Cursor(bytes)
    return Fault.inOrder(faults).map {
      FileFault(file: file, $0, endColumn: source?.endColumn(of: $0.place, from: &cursor))
    }
  }

  init(file: String, _ fault: Fault, endColumn: Int? = nil) {
    (self.file, self.fault, self.endColumn) = (file, fault, endColumn)
  }

  /// `FILE:LINE:COLUMN: what is wrong; what to do`
  public var description: String { "\(location): \(sentence)" }

  /// `FILE:LINE:COLUMN: warning: what is doubtful; what to do`
  package var asWarning: String { "\(location): warning: \(sentence)" }

  private var location: String { line.map { "\(file):\($0):\(fault.place.column)" } ?? file }
}

extension Fault {
  /// - Parameter sentence: `what is wrong; what to do`
  init(sentence: String, at place: Node.Place) {
    let parts = sentence.split(separator: "; ", maxSplits: 1).map(String.init)
    self.init(parts[0], parts.count > 1 ? parts[1] : "correct it", at: place)
  }
}

extension Node.Place {
  /// Where a file begins.
  static let start = Node.Place(line: 1, column: 1)
  /// No place in it: the whole file could not be read.
  static let file = Node.Place(line: 0, column: 0)
}
