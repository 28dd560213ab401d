internal import Prompts

/// Everything wrong with definition files, in the order of files and lines.
public struct DefinitionFaults: Error, Sendable, CustomStringConvertible {
  /// Never empty.
  package let faults: [FileFault]

  /// One fault a line: `FILE:LINE:COLUMN: what is wrong; what to do`.
  public var description: String { faults.map(\.description).joined(separator: "\n") }
}

/// Something wrong with a definition file.
package struct FileFault: Sendable, CustomStringConvertible {
  /// The file's path as it was given.
  package let file: String
  /// `nil` if the whole file could not be read.
  private let place: Node.Place?
  /// What is wrong.
  package let what: String
  /// What to do.
  package let remedy: String
  /// The column after the word at the place, or `nil` if there is none.
  package private(set) var endColumn: Int?

  /// `what is wrong; what to do`
  package var sentence: String { "\(what); \(remedy)" }

  /// The kind of fault, by which tools group them: the words of `what` that are not quoted from the file.
  package var rule: String {
    let pattern = what.firstRange(of: #/^in this pattern, column [0-9]+: /#)
    let words = what[(pattern?.upperBound ?? what.startIndex)...]
    let own = words.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 0 }
    let letters = own.map(\.element).joined(separator: " ").split { !($0.isASCII && $0.isLetter || $0 == "-") }
    return letters.isEmpty ? "definition" : letters.prefix(10).joined(separator: "-").lowercased()
  }

  /// From 1, or `nil` if the whole file could not be read.
  package var line: Int? { place?.line }
  /// From 1, in code points, or `nil` if the whole file could not be read.
  package var column: Int? { place?.column }

  /// Faults in the order of the text, each with the end of the word that it is about.
  static func placed(_ faults: [Fault], in bytes: [UInt8], of file: String) -> [FileFault] {
    let source = faults.isEmpty ? nil : try? SourceText(bytes)
    var cursor = SourceText.Cursor(bytes)
    return Fault.inOrder(faults).map {
      FileFault(file: file, $0, endColumn: source?.endColumn(of: $0.place, from: &cursor))
    }
  }

  init(file: String, _ fault: Fault, endColumn: Int? = nil) {
    self.file = file
    place = fault.place
    (what, remedy) = (fault.what, fault.remedy)
    self.endColumn = endColumn
  }

  /// - Parameter sentence: `what is wrong; what to do`
  init(file: String, sentence: String) {
    self.file = file
    place = nil
    let parts = sentence.split(separator: "; ", maxSplits: 1).map(String.init)
    (what, remedy) = (parts[0], parts.count > 1 ? parts[1] : "correct it")
  }

  /// `FILE:LINE:COLUMN: what is wrong; what to do`
  package var description: String { "\(location): \(sentence)" }

  /// `FILE:LINE:COLUMN: warning: what is doubtful; what to do`
  package var asWarning: String { "\(location): warning: \(sentence)" }

  private var location: String { place.map { "\(file):\($0.line):\($0.column)" } ?? file }
}
