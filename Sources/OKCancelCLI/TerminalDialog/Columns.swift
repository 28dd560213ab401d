internal import CProcess
internal import Glibc

/// The number of terminal columns of a text: the C library knows it for each code point.
enum Columns {
  private static let isReady = setlocale(LC_CTYPE, "C.UTF-8") != nil

  static func count(_ text: String) -> Int { text.reduce(0) { $0 + count($1) } }

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
  static func cut(_ text: String, to columns: Int) -> String {
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
  ///
  /// - Parameter first: the columns of the first line, if it has fewer. A word that does not fit there begins the second.
  static func wrap(_ text: String, to columns: Int, first: Int? = nil) -> [String] {
    let columns = max(columns, 2)
    var lines: [String] = [], line: [Character] = [], width = 0, limit = first ?? columns
    for character in text {
      let size = count(character)
      var isBreak = false
      while width + size > limit, !line.isEmpty || limit < columns {
        isBreak = character == " "
        if isBreak {
          lines.append(String(line))
          line = []
        } else if let space = line.lastIndex(of: " "),
          // Not after the spaces that the text begins with: that would be an empty line.
          lines.contains(where: { !$0.isEmpty }) || line[..<space].contains(where: { $0 != " " })
        {
          lines.append(String(line[..<space]))
          line.removeSubrange(...space)
        } else if limit < columns {
          lines.append("")
        } else {
          lines.append(String(line))
          line = []
        }
        (limit, width) = (columns, line.reduce(0) { $0 + count($1) })
        if isBreak { break }
      }
      if isBreak { continue }
      line.append(character)
      width += size
    }
    return lines + [String(line)]
  }
}
