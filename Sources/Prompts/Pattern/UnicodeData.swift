internal import Base

/// The data in the folder `Unicode`. Nothing is read before it is asked for.
enum UnicodeData {
  /// The short name of each category (`gc`) and script (`sc`) by all its names.
  static let names: [Substring: [String: String]] = lines(of: "names.txt").reduce(into: [:]) { names, line in
    for name in line.dropFirst() { names[line[0], default: [:]][String(name)] = String(line[1]) }
  }

  static func lines(of file: String) -> [[Substring]] { EmbeddedFiles.rows(of: "Sources/Prompts/Unicode/\(file)") }

  /// The code points of a file's lines that begin with this name.
  static func set(_ name: String, in file: String) -> CodePointSet {
    CodePointSet(lines(of: file).filter { $0[0] == name }.compactMap { range($0[1]) })
  }

  /// The code points of a field like `0061` or `0061..007A`.
  fileprivate static func range(_ field: Substring) -> CodePointSet.Range? {
    let bounds = field.split(separator: ".").compactMap { UInt32($0, radix: 16) }
    guard let first = bounds.first, let last = bounds.last, first <= last else { return nil }
    return first...last
  }

  /// The code points in the runs whose name is wanted.
  ///
  /// A table is one run after the other, from U+0000 on: a name, which begins with a capital, and the number of code
  /// points unless that is 1. No run is broken into two lines.
  fileprivate static func codePoints(in file: String, where isWanted: (ArraySlice<UInt8>) -> Bool) -> CodePointSet {
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

// MARK: Properties

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

// MARK: Case folding

/// Simple case folding, as ECMA-262 uses it under the flags `iu` (Canonicalize, 22.2.2.7.3).
///
/// The sets are expanded here and not by RE2, whose tables have another Unicode version.
enum CaseFolding {
  /// A set in which letters match in either case: with every code point that folds together with one in it, and a flag
  /// that is true if browsers of different Unicode versions may expand it differently.
  typealias Folded = (closure: CodePointSet, isUnsettled: Bool)

  static func fold(_ set: CodePointSet) -> Folded {
    var added: [CodePointSet.Range] = []
    var isUnsettled = false
    for letter in set.intersection(cased).ranges.joined() {
      guard let orbit = orbitOf[letter] else { continue }
      // In a large range, nearly every letter stands with all that fold together with it.
      for member in orbit where !set.contains(member) {
        added.append(member...member)
        isUnsettled = isUnsettled || unsettled.contains(orbit[0])
      }
    }
    return (added.isEmpty ? set : set.union(CodePointSet(added)), isUnsettled)
  }

  /// The closure of `\w`.
  static let wordCharacters = fold(.wordCharacters).closure

  /// At most what `fold` costs; see `WorkBudget`.
  static func work(of set: CodePointSet) -> Int {
    30 * set.ranges.reduce(10 * set.ranges.count) { $0 + min($1.count, orbitOf.count) }
  }

  /// Those whose folding changed in a Unicode version that some browsers in use do not have.
  private static let unsettled = UnicodeData.set("unsettled", in: "case-folding.txt")

  /// Every set of two or more code points that fold together, each sorted.
  static let orbits: [[UInt32]] = {
    var members: [UInt32: [UInt32]] = [:]
    for line in UnicodeData.lines(of: "case-folding.txt") where line[0] == "fold" {
      guard let range = UnicodeData.range(line[1]), let step = Int(line[2]), let distance = Int(line[3]) else {
        continue
      }
      for codePoint in stride(from: range.lowerBound, through: range.upperBound, by: step) {
        let smallest = UInt32(Int(codePoint) + distance)
        members[smallest, default: [smallest]].append(codePoint)
      }
    }
    return members.values.map { $0.sorted() }.sorted { $0[0] < $1[0] }
  }()

  /// Every code point of `orbits`.
  private static let cased = CodePointSet(orbits.joined().map { $0...$0 })

  private static let orbitOf = orbits.reduce(into: [UInt32: [UInt32]]()) { known, orbit in
    for codePoint in orbit { known[codePoint] = orbit }
  }
}
