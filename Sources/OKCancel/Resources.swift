internal import Base
internal import Crypto
internal import Foundation

/// The files of this package's folders `Templates` and `Public`, as they were when it was built.
package enum Resources {
  /// By the names of their files.
  package static let templates = files(in: "Templates/")
  static let `public` = files(in: "Public/")

  /// The files that a dialog needs before it can show. Pages carry them inside, so that one request is enough for that.
  private static let inlined = ["gate.js", "okcancel.css", "extras.css", "controls.css", "context.css"]
    .reduce(into: [:]) {
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

  /// The scripts that every dialog needs. As one file they are one request, and a fifteenth smaller when compressed.
  private static let dialog = ["judge.js", "dialog-state.js", "dialog-field.js", "dialog.js"]

  private static let bundled = {
    let newline = UInt8(ascii: "\n")
    let lines = dialog.flatMap { EmbeddedFiles.bytes(of: "Public/" + $0).split(separator: newline) }
      .filter { !$0.starts(with: "import {".utf8) }
      .map { $0.starts(with: "export ".utf8) ? $0.dropFirst(7) : $0 }
    let code = withoutComments(Array(lines.joined(separator: [newline])), isScript: true)
    return `public`.merging(["dialog.js": code]) { $1 }
  }()

  /// The static files, with all that every dialog needs in dialog.js, unless the operator's own folder replaces a part,
  /// and with the server's own path in openapi.json.
  static func bundled(besides folder: String?, under basePath: String = "") -> [String: [UInt8]] {
    var files = dialog.contains { isReplaced($0, in: folder) } ? `public` : bundled
    let servers = Array("\"servers\": [{\"url\": \"".utf8)
    if !basePath.isEmpty, let place = files["openapi.json"]?.firstRange(of: servers) {
      files["openapi.json"]?.replaceSubrange(place.upperBound...place.upperBound, with: basePath.utf8)
    }
    return files
  }

  /// The content security policy's sources that allow pages to carry these scripts and style sheets inside.
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
      let bytes = EmbeddedFiles.bytes(of: folder + path), isScript = path.hasSuffix(".js")
      files[path] = isScript || path.hasSuffix(".css") ? withoutComments(bytes, isScript: isScript) : bytes
    }
    return files
  }

  /// A script or a style sheet without what a browser need not read: white space that separates nothing, and comments
  /// on lines of their own. This saves a quarter of the first load.
  static func withoutComments(_ code: [UInt8], isScript: Bool) -> [UInt8] {
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
      kept += line
      kept.append(UInt8(ascii: "\n"))
    }
    return withoutSpaces(kept, isScript: isScript)
  }

  /// Code without the white space, line breaks among it, that separates nothing. Texts and patterns stay as they are.
  private static func withoutSpaces(_ code: [UInt8], isScript: Bool) -> [UInt8] {
    var kept: [UInt8] = []
    var quote: UInt8?
    var isEscaped = false
    for (byte, next) in zip(code, code.dropFirst() + [UInt8(ascii: "}")]) {
      let last = kept.last ?? UInt8(ascii: "(")
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\"): isEscaped = true
      case _ where quote != nil: if byte == quote { quote = nil }
      case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): quote = byte
      case UInt8(ascii: "/") where isScript && "(,=>:[!&|?{;".utf8.contains(last): quote = byte
      case UInt8(ascii: " "), UInt8(ascii: "\n"):
        let separates =
          isScript
          ? isWord(last) && isWord(next) || last == next && "+-".utf8.contains(next)
          : !",:;{}>(".utf8.contains(last) && !"{}>)".utf8.contains(next)
        guard separates else { continue }
      case UInt8(ascii: "}") where last == UInt8(ascii: ";"): kept.removeLast()
      default: break
      }
      kept.append(byte)
    }
    return kept
  }

  /// True if two of these in a row are one word of a script.
  private static func isWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || "_$".utf8.contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  /// The operator's own folder, whose files replace ours one by one, or `nil` if there is none.
  ///
  /// - Throws: `AskFault` if it is given and does not exist.
  static func folder(_ given: String?, for option: String) throws(AskFault) -> String? {
    var isDirectory: ObjCBool = false
    guard let given,
      unsafe !FileManager.default.fileExists(atPath: given, isDirectory: &isDirectory) || !isDirectory.boolValue
    else { return given }
    throw AskFault.setup("there is no folder \(given); name one with \(option), or leave the option out")
  }
}
