internal import Foundation
internal import Glibc
package import Prompts

/// A prompt read from its file, under the file's name.
package struct DefinitionFile: Sendable {
  /// What may follow the prompt's name in a file's name.
  static let extensions = ["yaml", "yml", "json"]

  package let path: String
  package let prompt: NamedPrompt

  /// - Parameter path: a `.yaml`, `.yml` or `.json` file of at most 1 MiB.
  /// - Throws: `DefinitionFaults` with every fault of the file.
  package init(path: String) throws(DefinitionFaults) {
    let bytes: [UInt8]
    do {
      bytes = try Self.contents(path)
    } catch {
      throw DefinitionFaults(faults: [FileFault(file: path, Self.sentence(error, path))])
    }
    try self.init(path: path, bytes: bytes)
  }

  /// The same for contents that were read already; the path gives their format and the prompt's name.
  package init(path: String, bytes: [UInt8]) throws(DefinitionFaults) {
    let (stem, suffix) = Self.parts(of: path)
    var faults = Self.faults(stem: stem, suffix: suffix)
    var prompt: Prompt?
    if suffix.map(Self.extensions.contains) ?? false {
      let found = Self.read(bytes, isJSON: suffix == "json")
      prompt = found.prompt
      faults += found.faults
    }
    guard let prompt, faults.isEmpty else {
      throw DefinitionFaults(faults: Definition.inOrder(faults).map { FileFault(file: path, fault: $0) })
    }
    self.path = path
    self.prompt = NamedPrompt(name: stem, prompt: prompt, wasRead: true)
  }

  private static func read(_ bytes: [UInt8], isJSON: Bool) -> (prompt: Prompt?, faults: [Fault]) {
    let source: SourceText
    do throws(Fault) {
      source = try SourceText(bytes)
    } catch {
      return (nil, [error])
    }
    let tree = isJSON ? PlacedJSON.read(source) : YAMLReader.read(source)
    guard let node = tree.node else { return (nil, tree.faults) }
    let definition = Definition.read(node)
    return (definition.prompt, tree.faults + definition.faults)
  }

  // MARK: The file's name

  /// The prompt's name and the extension; nil: there is none.
  static func parts(of path: String) -> (stem: String, suffix: String?) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return (String(name), nil) }
    return (String(name[..<dot]), String(name[name.utf8.index(after: dot)...]))
  }

  private static func faults(stem: String, suffix: String?) -> [Fault] {
    let start = Node.Place(line: 1, column: 1)
    if !(suffix.map(extensions.contains) ?? false) {
      let found = suffix.map { "ends in `.\($0)`" } ?? "has no extension"
      return [Fault("the file's name \(found)", "let it end in `.yaml`, `.yml` or `.json`", at: start)]
    }
    if NamedPrompt.isName(stem) { return [] }
    return [
      Fault(
        "the file's name `\(stem)` cannot name a prompt",
        "rename it: up to 64 of `a` to `z`, digits and `-`, not beginning with `-`", at: start)
    ]
  }

  // MARK: The file's contents

  /// Hardly more than the limit is read, so that an endless file ends.
  private static func contents(_ path: String) throws -> [UInt8] {
    // Not waiting for anybody: a FIFO would keep its reader until somebody writes.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw CocoaError(.fileReadUnknown) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw CocoaError(.fileReadUnknown)
    }
    var bytes: [UInt8] = []
    // In small parts: what is asked for is cleared first, and most files are small.
    while bytes.count <= SourceText.sizeLimit, let more = try file.read(upToCount: 16 * 1024), !more.isEmpty {
      bytes += more
    }
    return bytes
  }

  /// What stands at a path that is neither a file nor a directory, or `nil`.
  private static func irregularKind(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return switch status.st_mode & S_IFMT {
    case S_IFIFO: "FIFO"
    case S_IFSOCK: "socket"
    case S_IFCHR, S_IFBLK: "device"
    default: nil
    }
  }

  private static func sentence(_ error: any Error, _ path: String) -> String {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      return "there is no such file; check the path"
    }
    if isDirectory.boolValue { return "this is a directory; name the files in it" }
    if let kind = irregularKind(of: path) { return "this is a \(kind); name an ordinary file" }
    return FileManager.default.isReadableFile(atPath: path)
      ? "the file cannot be read (\(error.localizedDescription)); check that it is an ordinary file"
      : "the file may not be read; give this user permission to read it"
  }
}
