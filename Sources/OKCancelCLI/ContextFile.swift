internal import Foundation
internal import Prompts

/// A file that a person decides on: a diff, a text, Markdown, or else code in the language that the file's ending names.
struct ContextFile {
  private enum Kind { case diff, text, markdown, code(String) }

  /// Bytes that are read, most of them of a diff that is cut.
  private static let limit = 64 << 20

  private let name: String
  private let text: String
  private let kind: Kind

  init(path: String) throws(Failure) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw Failure("missing-context", ["path": path])
    }
    if isFolder.boolValue { throw Failure("context-is-folder", ["path": path]) }
    // Not only a file: a shell gives the output of a command as a pipe.
    guard let file = FileHandle(forReadingAtPath: path) else { throw Failure("unreadable-context", ["path": path]) }
    let bytes: Data
    do { bytes = try file.read(upToCount: Self.limit + 1) ?? Data() } catch {
      throw Failure("unreadable-context", ["path": path])
    }
    guard bytes.count <= Self.limit else {
      throw Failure("context-too-long", ["path": path, "mebibytes": Self.limit >> 20])
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw Failure("context-not-text", ["path": path]) }
    let ending = URL(filePath: path).pathExtension.lowercased()
    let isDiff = ["diff", "patch"].contains(ending) || text.hasPrefix("diff --git ")
    name = URL(filePath: path).lastPathComponent
    self.text = text
    kind =
      switch ending {
      case _ where isDiff: .diff
      case "", "txt", "log": .text
      case "md", "markdown": .markdown
      default: .code(ending)
      }
  }

  /// The files as a prompt's context. Diffs share the room that the other files leave.
  static func blocks(of files: [ContextFile]) -> JSON {
    let whole = files.filter { !$0.isDiff }.reduce(2) { $0 + Self.size($1.block) + 1 }
    var room = Prompt.Context.limit - whole
    return .array(
      files.flatMap { file in
        let blocks = file.isDiff ? file.diff(in: room) : [file.block]
        if file.isDiff { room -= blocks.reduce(0) { $0 + Self.size($1) + 1 } }
        return blocks
      })
  }

  private var isDiff: Bool { if case .diff = kind { true } else { false } }

  private var block: JSON {
    switch kind {
    case .diff: ["diff": .string(text)]
    case .text: ["text": .string(text)]
    case .markdown: ["markdown": .string(text)]
    case .code(let language): ["code": .string(text), "language": .string(language)]
    }
  }

  private static func size(_ json: JSON) -> Int {
    var writer = JSONWriter()
    writer.value(json)
    return writer.bytes.count
  }

  /// The diff, cut after the last hunk that fits, or after a line if none does. What is missing is said in a block of
  /// its own, which no line of the diff can imitate.
  private func diff(in room: Int) -> [JSON] {
    if Self.size(block) <= room { return [block] }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    func rest(after end: Int) -> JSON {
      ["text": .string("… \(lines.count - end) more lines in \(name), which is too long to be shown whole")]
    }
    var (size, end, hunk, isInHunk) = (Self.size(["diff": ""]) + Self.size(rest(after: 0)) + 1, 0, 0, false)
    for (index, line) in lines.enumerated() {
      // The quotes count for the line feed.
      size += Self.size(.string(String(line)))
      if size > room { break }
      if isInHunk, line.hasPrefix("@@ ") || line.hasPrefix("diff --git ") { hunk = index }
      isInHunk = isInHunk || line.hasPrefix("@@ ")
      end = index + 1
    }
    end = hunk > 0 ? hunk : end
    return [["diff": .string(lines[..<end].map { $0 + "\n" }.joined())], rest(after: end)]
  }
}
