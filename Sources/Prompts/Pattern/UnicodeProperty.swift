/// What stands in the braces of `\p{…}`: a general category or a script, in the words that ECMAScript and RE2 both know.
///
/// ECMA-262, table "Value aliases and canonical values for the Unicode property General_Category" and UAX #24.
struct UnicodeProperty: Hashable, Sendable {
  private enum Members: Hashable {
    case all
    case ascii
    /// Categories by their short names; one letter is all that begin with it.
    case categories([String])
    /// A script by its four letters.
    case script(String)
  }

  private let members: Members

  /// Whether it is all that those are not.
  private let isComplement: Bool

  /// Reads ECMAScript's spelling, like `L`, `Letter`, `gc=L`, `Script=Greek`, `sc=Grek`; nil if it names nothing here.
  init?(_ spelling: String) {
    let parts = spelling.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    switch (parts.count, parts[0]) {
    case (1, "Any"): self.init(.all)
    case (1, "ASCII"): self.init(.ascii)
    case (1, "Assigned"): self.init(.categories(["Cn"]), isComplement: true)
    case (1, let name): self.init(category: name)
    case (2, "General_Category"), (2, "gc"): self.init(category: parts[1])
    case (2, "Script"), (2, "sc"):
      guard let code = UnicodeScripts.code(of: parts[1]) else { return nil }
      self.init(.script(code))
    default: return nil
    }
  }

  private init?(category: String) {
    let short = Self.shortNames[category] ?? category
    guard Self.categories.contains(short) else { return nil }
    self.init(.categories(short == "LC" ? ["Lu", "Ll", "Lt"] : [short]))
  }

  private init(_ members: Members, isComplement: Bool = false) {
    self.members = members
    self.isComplement = isComplement
  }

  /// At most what `codePoints` costs; see `WorkBudget`.
  var work: Int { 200_000 }

  /// The members, in the Unicode version of the RE2 that the table was made with.
  var codePoints: CodePointSet {
    let set =
      switch members {
      case .all: CodePointSet.all
      case .ascii: CodePointSet([0...0x7F])
      case .categories(let names):
        UnicodeTable.codePoints(of: UnicodeTable.categories, nameLength: 2) { name in
          names.contains { $0.utf8.elementsEqual(name.prefix($0.utf8.count)) }
        }
      case .script(let code):
        UnicodeTable.codePoints(of: UnicodeTable.scripts, nameLength: 4) { code.utf8.elementsEqual($0) }
      }
    return isComplement ? set.complement : set
  }

  private static let categories: Set<String> = [
    "L", "LC", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc", "Pd", "Ps", "Pe",
    "Pi", "Pf", "Po", "S", "Sm", "Sc", "Sk", "So", "Z", "Zs", "Zl", "Zp", "C", "Cc", "Cf", "Cn", "Co", "Cs",
  ]

  private static let shortNames: [String: String] = [
    "Letter": "L", "Cased_Letter": "LC", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Titlecase_Letter": "Lt",
    "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Combining_Mark": "M", "Nonspacing_Mark": "Mn",
    "Spacing_Mark": "Mc", "Enclosing_Mark": "Me", "Number": "N", "Decimal_Number": "Nd", "digit": "Nd",
    "Letter_Number": "Nl", "Other_Number": "No", "Punctuation": "P", "punct": "P", "Connector_Punctuation": "Pc",
    "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps", "Close_Punctuation": "Pe", "Initial_Punctuation": "Pi",
    "Final_Punctuation": "Pf", "Other_Punctuation": "Po", "Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc",
    "Modifier_Symbol": "Sk", "Other_Symbol": "So", "Separator": "Z", "Space_Separator": "Zs", "Line_Separator": "Zl",
    "Paragraph_Separator": "Zp", "Other": "C", "Control": "Cc", "cntrl": "Cc", "Format": "Cf", "Surrogate": "Cs",
    "Private_Use": "Co", "Unassigned": "Cn",
  ]
}

extension UnicodeTable {
  /// The code points in the runs whose name is wanted.
  ///
  /// A table is a run after the other, from U+0000 on: a name, and how many code points long it is unless that is 1.
  static func codePoints(
    of table: StaticString, nameLength: Int, where isWanted: (UnsafeBufferPointer<UInt8>.SubSequence) -> Bool
  ) -> CodePointSet {
    table.withUTF8Buffer { bytes in
      var ranges: [CodePointSet.Range] = []
      var (index, first) = (0, UInt32(0))
      while index < bytes.count {
        let name = bytes[index..<index + nameLength]
        index += nameLength
        var length: UInt32 = 0
        while index < bytes.count, ASCII.isDigit(bytes[index]) {
          length = length * 10 + UInt32(bytes[index] - UInt8(ascii: "0"))
          index += 1
        }
        length = max(1, length)
        if isWanted(name) { ranges.append(first...first + length - 1) }
        first += length
      }
      return CodePointSet(ranges)
    }
  }
}
