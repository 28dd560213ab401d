internal import Base

/// The data in the folder `Unicode`. Nothing is read before it is asked for.
package enum UnicodeData {
  /// The short name of each category (`gc`) and script (`sc`) by all its names.
  static let names: [Substring: [String: String]] = lines(of: "names.txt").reduce(into: [:]) { names, line in
    for name in line.dropFirst() { names[line[0], default: [:]][String(name)] = String(line[1]) }
  }

  package static func lines(of file: String) -> [[Substring]] {
    EmbeddedFiles.rows(of: "Sources/Pattern/Unicode/\(file)")
  }

  /// The code points of a file's lines that begin with this name.
  package static func set(_ name: String, in file: String) -> CodePointSet {
    CodePointSet(lines(of: file).filter { $0[0] == name }.compactMap { range($0[1]) })
  }

  /// The code points of a field like `0061` or `0061..007A`.
  static func range(_ field: Substring) -> CodePointSet.Range? {
    let bounds = field.split(separator: ".").compactMap { UInt32($0, radix: 16) }
    guard let first = bounds.first, let last = bounds.last, first <= last else { return nil }
    return first...last
  }

  /// The code points in the runs whose name is wanted.
  ///
  /// A table is one run after the other, from U+0000 on: a name, which begins with a capital, and the number of code
  /// points unless that is 1. No run is broken into two lines.
  static func codePoints(in file: String, where isWanted: (ArraySlice<UInt8>) -> Bool) -> CodePointSet {
    var ranges: [CodePointSet.Range] = []
    var rest = lines(of: file).flatMap { $0[0].utf8 }[...]
    var first = UInt32(0)
    while let capital = rest.indices.first {
      let nameEnd = rest[(capital + 1)...].firstIndex { !ASCII.isLower($0) } ?? rest.endIndex
      let digits = rest[nameEnd...].prefix(while: ASCII.isDigit)
      let length = digits.isEmpty ? 1 : digits.reduce(UInt32(0)) { $0 * 10 + UInt32(ASCII.digit($1)) }
      if isWanted(rest[capital..<nameEnd]) { ranges.append(first...first + length - 1) }
      first += length
      rest = rest[digits.endIndex...]
    }
    return CodePointSet(ranges)
  }
}
