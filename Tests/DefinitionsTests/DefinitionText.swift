import Definitions
import Foundation

/// Reads a definition as if it stood in a file; `faults` are its lines without the directory.
func faults(of text: String, in file: String = "test.yaml") throws -> [String] {
  try faults(of: Array(text.utf8), in: file)
}

func faults(of bytes: [UInt8], in file: String = "test.yaml") throws -> [String] {
  let folder = FileManager.default.temporaryDirectory.appending(path: "definition-" + UUID().uuidString).path
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  let path = folder + "/" + file
  guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else { throw CocoaError(.fileWriteUnknown) }
  do {
    _ = try DefinitionFile(path: path)
    return []
  } catch {
    return error.faults.map { String($0.description.dropFirst(folder.count + 1)) }
  }
}

/// A prompt with one field, whose further lines are given.
func oneField(_ lines: String...) -> String {
  (["title: T", "fields:", "  - name: a"] + lines.map { "    " + $0 }).joined(separator: "\n")
}
