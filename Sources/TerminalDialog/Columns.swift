internal import CProcess
internal import Glibc

/// The number of terminal columns of a text: the C library knows it for each code point.
package enum Columns {
  private static let isReady = setlocale(LC_CTYPE, "C.UTF-8") != nil

  package static func count(_ text: String) -> Int { text.reduce(0) { $0 + count($1) } }

  static func count(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    if let ascii = character.asciiValue { return ascii < 0x20 ? 0 : 1 }
    // A sequence of emoji is one, and as wide as one.
    if scalars.contains(where: { $0.value == 0xFE0F || $0.value == 0x200D }), scalars.first?.properties.isEmoji == true
    {
      return 2
    }
    return isReady ? scalars.reduce(0) { $0 + max(0, Int(cprocess_columns($1.value))) } : 1
  }

  /// As much of the text as fits.
  package static func cut(_ text: String, to columns: Int) -> String {
    var room = columns
    return String(
      text.prefix { character in
        room -= count(character)
        return room >= 0
      })
  }

  /// The text without its first columns.
  static func drop(_ text: String, columns: Int) -> String {
    var left = columns
    return String(
      text.drop { character in
        defer { left -= count(character) }
        return left > 0
      })
  }

  /// The text in lines that fit, broken at spaces where there are any.
  static func wrap(_ text: String, to columns: Int) -> [String] {
    var lines: [String] = [], line: [Character] = []
    for character in text {
      if count(String(line)) + count(character) > max(columns, 2), !line.isEmpty {
        let space = character == " " ? line.endIndex : line.lastIndex(of: " ") ?? line.endIndex
        lines.append(String(line[..<space]))
        line = Array(line[space...].dropFirst())
        if character == " " { continue }
      }
      line.append(character)
    }
    return lines + [String(line)]
  }
}
