internal import Prompts

/// Everything wrong with definition files, in the order of files and lines.
package struct DefinitionFaults: Error, Sendable, CustomStringConvertible {
  /// Never empty.
  package let faults: [FileFault]

  /// One fault a line.
  package var description: String { faults.map(\.description).joined(separator: "\n") }
}

/// Something wrong with a file.
package struct FileFault: Sendable, CustomStringConvertible {
  /// The file's path as it was given.
  package let file: String
  /// From 1; nil: the file as a whole, which could not be read.
  package let line: Int?
  /// From 1, in code points; nil where the line is.
  package let column: Int?
  /// `what is wrong; what to do`
  package let sentence: String

  init(file: String, fault: Fault) {
    self.file = file
    line = fault.place.line
    column = fault.place.column
    sentence = fault.sentence
  }

  init(file: String, _ sentence: String) {
    self.file = file
    line = nil
    column = nil
    self.sentence = sentence
  }

  /// `FILE:LINE:COLUMN: what is wrong; what to do`
  package var description: String {
    guard let line, let column else { return "\(file): \(sentence)" }
    return "\(file):\(line):\(column): \(sentence)"
  }
}

/// Everything wrong with a definition that is no file.
package struct InlineFaults: Error, Sendable, CustomStringConvertible {
  /// Something wrong at a JSON Pointer (RFC 6901); the empty one is the definition itself.
  package struct Entry: Sendable, CustomStringConvertible {
    package let pointer: String
    /// `what is wrong; what to do`
    package let sentence: String

    package var description: String { pointer.isEmpty ? sentence : "\(pointer): \(sentence)" }
  }

  /// Not empty, unless reading ended because it would have cost too much.
  package let entries: [Entry]
  /// How many more faults there are than `entries` tells.
  package let untold: Int
  /// Whether reading ended because it would have cost too much.
  package let isOverBudget: Bool

  init(faults: [Fault], untold: Int = 0, isOverBudget: Bool = false) {
    entries = faults.map { Entry(pointer: $0.place.pointer, sentence: $0.sentence) }
    (self.untold, self.isOverBudget) = (untold, isOverBudget)
  }

  /// One fault a line.
  package var description: String { entries.map(\.description).joined(separator: "\n") }
}
