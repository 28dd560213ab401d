@testable import Prompts

/// The faults of a definition that stands in a file of that name.
func faults(of text: String, in file: String = "test.yaml") -> [String] {
  faults(of: Array(text.utf8), in: file)
}

func faults(of bytes: [UInt8], in file: String = "test.yaml") -> [String] {
  do {
    _ = try DefinitionFile(path: file, bytes: bytes)
    return []
  } catch {
    return error.faults.map(\.description)
  }
}
