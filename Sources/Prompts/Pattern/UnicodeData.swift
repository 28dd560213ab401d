/// The data in the folder `Unicode`. Nothing is read before it is asked for.
enum UnicodeData {
  /// The short name of each category (`gc`) and script (`sc`) by all its names.
  static let names: [Substring: [String: String]] = lines(of: "names.txt").reduce(into: [:]) { names, line in
    for name in line.dropFirst() { names[line[0], default: [:]][String(name)] = String(line[1]) }
  }

  static func lines(of file: String) -> [[Substring]] {
    EmbeddedFiles.rows(of: "Sources/Prompts/Pattern/Unicode/\(file)")
  }

  /// The code points of a file's lines that begin with this name.
  static func set(_ name: String, in file: String) -> CodePointSet {
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

/// The property in the braces of `\p{…}`: a general category or a script, by the names that ECMAScript and RE2 both know.
///
/// ECMA-262, table "Value aliases and canonical values for the Unicode property General_Category", and UAX #24.
struct UnicodeProperty: Sendable {
  private let members: @Sendable () -> CodePointSet

  /// Reads ECMAScript's spelling, like `L`, `Letter`, `gc=L`, `Script=Greek`, `sc=Grek`. `nil` for an unknown name.
  init?(_ spelling: String) {
    let parts = spelling.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    switch (parts.count, parts[0]) {
    case (1, "Any"): members = { .all }
    case (1, "ASCII"): members = { CodePointSet([0...0x7F]) }
    case (1, "Assigned"): members = { Self.categories(["Cn"]).complement }
    case (1, _), (2, "General_Category"), (2, "gc"):
      guard let short = UnicodeData.names["gc"]?[parts[parts.count - 1]] else { return nil }
      members = { Self.categories(short == "LC" ? ["Lu", "Ll", "Lt"] : [short]) }
    case (2, "Script"), (2, "sc"):
      guard let code = UnicodeData.names["sc"]?[parts[1]] else { return nil }
      members = { UnicodeData.codePoints(in: "scripts.txt") { code.utf8.elementsEqual($0) } }
    default: return nil
    }
  }

  /// - Parameter names: short ones. One letter stands for all that begin with it.
  private static func categories(_ names: [String]) -> CodePointSet {
    UnicodeData.codePoints(in: "categories.txt") { name in names.contains { name.starts(with: $0.utf8) } }
  }

  /// At most what `codePoints` costs; see `WorkBudget`.
  static let work = 200_000

  /// The members, in the Unicode version of RE2.
  var codePoints: CodePointSet { members() }
}
