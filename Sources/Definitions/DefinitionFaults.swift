internal import Prompts

/// Everything wrong with definition files, in the order of files and lines.
public struct DefinitionFaults: Error, Sendable, CustomStringConvertible {
  /// Never empty.
  public let faults: [FileFault]

  /// One fault a line.
  public var description: String { faults.map(\.description).joined(separator: "\n") }
}

/// Something wrong with a file.
public struct FileFault: Sendable, CustomStringConvertible {
  /// The file's path as it was given.
  public let file: String
  /// From 1; nil: the file as a whole, which could not be read.
  public let line: Int?
  /// From 1, in code points; nil where the line is.
  public let column: Int?
  /// `what is wrong; what to do`
  public let sentence: String

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
  public var description: String {
    guard let line, let column else { return "\(file): \(sentence)" }
    return "\(file):\(line):\(column): \(sentence)"
  }
}

/// Everything wrong with a definition that is no file.
public struct InlineFaults: Error, Sendable, CustomStringConvertible {
  /// Something wrong at a JSON Pointer (RFC 6901); the empty one is the definition itself.
  public struct Entry: Sendable, CustomStringConvertible {
    public let pointer: String
    /// `what is wrong; what to do`
    public let sentence: String

    public var description: String { pointer.isEmpty ? sentence : "\(pointer): \(sentence)" }
  }

  /// Not empty, unless reading ended because it would have cost too much.
  public let entries: [Entry]
  /// How many more faults there are than `entries` tells.
  package let untold: Int
  /// Whether reading ended because it would have cost too much.
  package let isOverBudget: Bool

  init(faults: [Fault], untold: Int = 0, isOverBudget: Bool = false) {
    entries = faults.map { Entry(pointer: $0.place.pointer, sentence: $0.sentence) }
    (self.untold, self.isOverBudget) = (untold, isOverBudget)
  }

  /// One fault a line.
  public var description: String { entries.map(\.description).joined(separator: "\n") }
}
