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

  /// True if there is nothing at the path that was given.
  package var isOfMissingPath: Bool { fault.isOfMissingPath }

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
  init(file: String, _ reason: FaultRow, at place: Node.Place = .start) {
    self.init(file: file, fault: Fault(reason, at: place), endColumn: nil)
  }
}
