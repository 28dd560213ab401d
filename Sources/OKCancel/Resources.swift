internal import Crypto
internal import Foundation
internal import Prompts

/// The files of this package's folders `Templates` and `Public`, as they were when it was built.
package enum Resources {
  /// By the names of their files.
  package static let templates = files(in: "Templates/")
  static let `public` = files(in: "Public/")

  /// What a dialog needs before it can show: with these inside, a page is all that has to be requested for that.
  private static let inlined = ["gate.js", "okcancel.css", "controls.css", "context.css"].reduce(into: [:]) {
    $0[$1] = `public`[$1].map { String(decoding: $0, as: UTF8.self) }
  }

  /// The files that pages carry inside, by path, without those that the operator's own folder replaces: their hashes
  /// are not known to the policy.
  static func inlined(besides folder: String?) -> [String: String] {
    inlined.filter { path, _ in !isReplaced(path, in: folder) }
  }

  private static func isReplaced(_ path: String, in folder: String?) -> Bool {
    folder.map { FileManager.default.fileExists(atPath: "\($0)/\(path)") } ?? false
  }

  /// What every dialog needs. As one file it is one request, and a fifteenth smaller when compressed.
  private static let dialog = ["judge.js", "dialog-state.js", "dialog.js"]

  private static let bundled = {
    let newline = UInt8(ascii: "\n")
    let lines = dialog.flatMap { (EmbeddedFiles.bytes(of: "Public/" + $0) ?? []).split(separator: newline) }
      .filter { !$0.starts(with: "import {".utf8) }
      .map { $0.starts(with: "export ".utf8) ? $0.dropFirst(7) : $0 }
    return `public`.merging(["dialog.js": withoutComments(Array(lines.joined(separator: [newline])))]) { $1 }
  }()

  /// The static files, with all that every dialog needs in dialog.js, unless the operator's own folder replaces a part.
  static func bundled(besides folder: String?) -> [String: [UInt8]] {
    dialog.contains { isReplaced($0, in: folder) } ? `public` : bundled
  }

  /// What lets pages carry these scripts and style sheets inside: sources of a content security policy.
  static let (inlinedScripts, inlinedStyles) = (hashes(of: ".js"), hashes(of: ".css"))

  private static func hashes(of type: String) -> String {
    inlined.filter { $0.key.hasSuffix(type) }.map { _, text in
      "'sha256-\(Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString())'"
    }.sorted().joined(separator: " ")
  }

  /// The files by their paths in the folder.
  private static func files(in folder: String) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for path in EmbeddedFiles.paths(in: folder) {
      let bytes = EmbeddedFiles.bytes(of: folder + path) ?? []
      files[path] = path.hasSuffix(".css") || path.hasSuffix(".js") ? withoutComments(bytes) : bytes
    }
    return files
  }

  /// A script or a style sheet without what a browser need not read: white space at both ends of a line and beside
  /// punctuation, and lines that are only a comment. This saves a quarter of the first load.
  static func withoutComments(_ code: [UInt8]) -> [UInt8] {
    // Bytes, since as text this took an eighth of the start.
    var kept: [UInt8] = []
    var isInComment = false
    for line in code.split(separator: UInt8(ascii: "\n")) {
      let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
      guard let first = line.firstIndex(where: { !isSpace($0) }), let last = line.lastIndex(where: { !isSpace($0) })
      else { continue }
      var line = line[first...last]
      if isInComment || line.starts(with: "/*".utf8) {
        let end = line.firstRange(of: Array("*/".utf8))
        isInComment = end == nil
        // What follows a comment is code.
        line = end.map { line[$0.upperBound...] } ?? []
      } else if line.starts(with: "//".utf8) {
        continue
      }
      kept += withoutSpaces(line)
      // After these, a line break means nothing.
      if let last = line.last, !";,({".utf8.contains(last) { kept.append(UInt8(ascii: "\n")) }
    }
    return kept
  }

  /// A line without the spaces beside punctuation. Texts and patterns stay as they are.
  private static func withoutSpaces(_ line: ArraySlice<UInt8>) -> [UInt8] {
    var kept: [UInt8] = []
    var quote: UInt8?
    for (byte, next) in zip(line, line.dropFirst() + [0]) {
      let last = kept.last ?? UInt8(ascii: "(")
      switch byte {
      case _ where quote != nil: if byte == quote, last != UInt8(ascii: "\\") { quote = nil }
      case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): quote = byte
      case UInt8(ascii: "/") where "(,=>:[!&|?{;".utf8.contains(last): quote = byte
      case UInt8(ascii: " ") where ",:;{}>=&|?<(".utf8.contains(last) || "{}>=&|?<)".utf8.contains(next): continue
      default: break
      }
      kept.append(byte)
    }
    return kept
  }

  /// The operator's own folder, whose files replace ours one by one, or `nil` if there is none.
  ///
  /// - Throws: `SetupFault` if it is given and does not exist.
  static func folder(_ given: String?, for option: String) throws(SetupFault) -> String? {
    var isDirectory: ObjCBool = false
    guard let given,
      unsafe !FileManager.default.fileExists(atPath: given, isDirectory: &isDirectory) || !isDirectory.boolValue
    else { return given }
    throw SetupFault("there is no folder \(given); name one with \(option), or leave the option out")
  }
}
