/// The property in the braces of `\p{…}`: a general category or a script, by the names that ECMAScript and RE2 both know.
///
/// ECMA-262, table "Value aliases and canonical values for the Unicode property General_Category", and UAX #24.
struct UnicodeProperty: Hashable, Sendable {
  private enum Members: Hashable {
    case all
    case ascii
    /// Categories by their short names. One letter stands for all that begin with it.
    case categories([String])
    /// A script by its four letters.
    case script(String)
  }

  private let members: Members

  /// Whether it is every code point except those.
  private let isComplement: Bool

  /// Reads ECMAScript's spelling, like `L`, `Letter`, `gc=L`, `Script=Greek`, `sc=Grek`. `nil` for an unknown name.
  init?(_ spelling: String) {
    let parts = spelling.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    switch (parts.count, parts[0]) {
    case (1, "Any"): self.init(.all)
    case (1, "ASCII"): self.init(.ascii)
    case (1, "Assigned"): self.init(.categories(["Cn"]), isComplement: true)
    case (1, let name): self.init(category: name)
    case (2, "General_Category"), (2, "gc"): self.init(category: parts[1])
    case (2, "Script"), (2, "sc"):
      guard let code = UnicodeData.names["sc"]?[parts[1]] else { return nil }
      self.init(.script(code))
    default: return nil
    }
  }

  private init?(category: String) {
    guard let short = UnicodeData.names["gc"]?[category] else { return nil }
    self.init(.categories(short == "LC" ? ["Lu", "Ll", "Lt"] : [short]))
  }

  private init(_ members: Members, isComplement: Bool = false) {
    self.members = members
    self.isComplement = isComplement
  }

  /// At most what `codePoints` costs; see `WorkBudget`.
  var work: Int { 200_000 }

  /// The members, in the Unicode version of RE2.
  var codePoints: CodePointSet {
    let set =
      switch members {
      case .all: CodePointSet.all
      case .ascii: CodePointSet([0...0x7F])
      case .categories(let names):
        UnicodeData.codePoints(in: "categories.txt") { name in
          names.contains { $0.utf8.elementsEqual(name.prefix($0.utf8.count)) }
        }
      case .script(let code):
        UnicodeData.codePoints(in: "scripts.txt") { code.utf8.elementsEqual($0) }
      }
    return isComplement ? set.complement : set
  }
}

/// What the files in the folder `Unicode` say. Nothing is read before it is asked for.
enum UnicodeData {
  /// The short name of each category (`gc`) and script (`sc`) by all its names.
  static let names: [Substring: [String: String]] = lines(of: "names.txt").reduce(into: [:]) { names, line in
    for name in line.dropFirst() { names[line[0], default: [:]][String(name)] = String(line[1]) }
  }

  /// The lines of a file in the form of Unicode's own: fields between semicolons; a `#` begins a comment.
  static func lines(of file: String) -> [[Substring]] {
    String(decoding: EmbeddedFiles.bytes(of: "Unicode/\(file)") ?? [], as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }
      .map { $0.split(separator: ";").map { $0.drop { $0 == " " } } }
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
  /// points unless that is 1. A line break means nothing.
  fileprivate static func codePoints(in file: String, where isWanted: (ArraySlice<UInt8>) -> Bool) -> CodePointSet {
    let bytes = EmbeddedFiles.bytes(of: "Unicode/\(file)") ?? []
    var ranges: [CodePointSet.Range] = []
    var (index, first) = (0, UInt32(0))
    while index < bytes.count {
      let start = index
      index += 1
      while index < bytes.count, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[index]) { index += 1 }
      let name = bytes[start..<index]
      var length: UInt32 = 0
      while index < bytes.count, ASCII.isDigit(bytes[index]) {
        length = length * 10 + UInt32(bytes[index] - UInt8(ascii: "0"))
        index += 1
      }
      length = max(1, length)
      if isWanted(name) { ranges.append(first...first + length - 1) }
      first += length
      if index < bytes.count, bytes[index] == UInt8(ascii: "\n") { index += 1 }
    }
    return CodePointSet(ranges)
  }
}
