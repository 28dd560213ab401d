/// Makes scripts and style sheets shorter for browsers.
enum Minifier {
  /// The code of several modules as that of one.
  static func joined(_ modules: [[UInt8]]) -> [UInt8] {
    let newline = UInt8(ascii: "\n")
    let lines = modules.flatMap { $0.split(separator: newline) }
      .filter { !$0.starts(with: "import {".utf8) }
      .map { $0.starts(with: "export ".utf8) ? $0.dropFirst(7) : $0 }
    return withoutComments(Array(lines.joined(separator: [newline])), isScript: true)
  }

  /// Several modules without imports as one: its default export is a list of what each of them exports.
  static func listed(_ modules: [[UInt8]]) -> [UInt8] {
    let parts = modules.map { module in
      let names = module.split(separator: UInt8(ascii: "\n")).filter { $0.starts(with: "export ".utf8) }.map { line in
        String(decoding: line, as: UTF8.self).split { " (=".contains($0) }[2]
      }
      let code = String(decoding: joined([module]), as: UTF8.self)
      return "(()=>{\(code)\nreturn{\(names.joined(separator: ","))}})()"
    }
    return Array("export default[\(parts.joined(separator: ","))]".utf8)
  }

  /// A script or a style sheet without what a browser need not read: white space that separates nothing, and comments
  /// on lines of their own. This saves a quarter of the first load.
  static func withoutComments(_ code: [UInt8], isScript: Bool) -> [UInt8] {
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
}
