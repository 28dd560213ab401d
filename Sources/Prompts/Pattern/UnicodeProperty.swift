internal import Synchronization

/// What stands in the braces of `\p{…}`: a general category or a script, in the words that ECMAScript and RE2 can both be made to know.
///
/// ECMA-262, table "Value aliases and canonical values for the Unicode property General_Category" and UAX #24.
struct UnicodeProperty: Hashable, Sendable {
  /// The properties in RE2's spelling that it is made of.
  private let names: [String]

  /// Whether it is all that those are not.
  private let isComplement: Bool

  /// Reads ECMAScript's spelling, like `L`, `Letter`, `gc=L`, `Script=Greek`, `sc=Grek`. Nil when it names nothing that RE2 can say.
  init?(_ spelling: String) {
    let parts = spelling.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    switch (parts.count, parts[0]) {
    case (1, let name): self.init(name: name)
    case (2, "General_Category"), (2, "gc"): self.init(category: parts[1])
    case (2, "Script"), (2, "sc"): self.init(script: parts[1])
    default: return nil
    }
  }

  private init?(name: String) {
    switch name {
    case "Any": self.init(names: [], isComplement: true)
    case "ASCII": self.init(names: ["ASCII"], isComplement: false)
    case "Assigned": self.init(names: Self.assigned, isComplement: false)
    default: self.init(category: name)
    }
  }

  private init?(category: String) {
    let short = Self.shortNames[category] ?? category
    switch short {
    // RE2's own C leaves out the unassigned code points.
    case "C": self.init(names: ["L", "M", "N", "P", "S", "Z"], isComplement: true)
    case "Cn": self.init(names: Self.assigned, isComplement: true)
    case "LC": self.init(names: ["Lu", "Ll", "Lt"], isComplement: false)
    default:
      guard Self.categories.contains(short) else { return nil }
      self.init(names: [short], isComplement: false)
    }
  }

  private init?(script: String) {
    let longName = UnicodeScripts.longNames[script] ?? script
    guard UnicodeScripts.known.contains(longName) else { return nil }
    self.init(names: [longName], isComplement: false)
  }

  private init(names: [String], isComplement: Bool) {
    self.names = names
    self.isComplement = isComplement
  }

  /// The members, by RE2's tables.
  var codePoints: CodePointSet {
    if names == ["ASCII"] { return CodePointSet([0...0x7F]) }
    let set = names.reduce(CodePointSet.none) { $0.union(Self.codePoints(named: $1)) }
    return isComplement ? set.complement : set
  }

  // MARK: Categories

  private static let assigned = ["L", "M", "N", "P", "S", "Z", "Cc", "Cf", "Co", "Cs"]

  private static let categories: Set<String> = [
    "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc", "Pd", "Ps", "Pe",
    "Pi", "Pf", "Po", "S", "Sm", "Sc", "Sk", "So", "Z", "Zs", "Zl", "Zp", "Cc", "Cf", "Co", "Cs",
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

  // MARK: Members

  private static let members = Mutex<[String: CodePointSet]>([:])

  private static func codePoints(named name: String) -> CodePointSet {
    if let known = members.withLock({ $0[name] }) { return known }
    let set = scan(for: name)
    members.withLock { $0[name] = set }
    return set
  }

  /// Asks RE2 about a block of code points first, and about its halves only where it is mixed.
  private static func scan(for name: String) -> CodePointSet {
    guard let inside = try? RE2Program(compiling: "\\p{\(name)}*"),
      let outside = try? RE2Program(compiling: "\\P{\(name)}*")
    else { preconditionFailure("RE2 knows the properties that are listed here") }
    // No text holds a surrogate, so RE2 cannot be asked about them.
    var ranges: [CodePointSet.Range] = name == "Cs" ? [0xD800...0xDFFF] : []

    func ask(_ stretch: Range<Int>, of block: Block) {
      block.withBytes(of: stretch) { bytes in
        if outside.matches(bytes) { return }
        if inside.matches(bytes) {
          ranges.append(block.first + UInt32(stretch.lowerBound)...block.first + UInt32(stretch.upperBound - 1))
        } else {
          let middle = (stretch.lowerBound + stretch.upperBound) / 2
          ask(stretch.lowerBound..<middle, of: block)
          ask(middle..<stretch.upperBound, of: block)
        }
      }
    }
    for first in name == "Co" ? blocks : assignedBlocks { ask(0..<Block.count, of: Block(first: first)) }
    return CodePointSet(ranges)
  }

  /// The first code point of every block.
  private static let blocks = stride(from: UInt32(0), to: 0x11_0000, by: Block.count).filter {
    !(0xD800...0xDFFF ~= $0)
  }

  /// The same of the blocks with a code point that is neither unassigned nor for private use: a quarter of all,
  /// and no other property has members elsewhere.
  private static let assignedBlocks: [UInt32] = {
    let names = assigned.filter { $0 != "Co" && $0 != "Cs" }
    let rest = "[^" + names.map { "\\p{\($0)}" }.joined() + "]*"
    guard let outside = try? RE2Program(compiling: rest) else { preconditionFailure("RE2 knows these categories") }
    return blocks.filter { first in Block(first: first).withBytes(of: 0..<Block.count) { !outside.matches($0) } }
  }()

  /// Code points in a row, in UTF-8.
  private struct Block {
    static let count = 1024

    let first: UInt32
    private var bytes: [UInt8] = []
    /// Where each begins in `bytes`, and where the last ends.
    private var starts: [Int] = [0]

    init(first: UInt32) {
      self.first = first
      for codePoint in first..<first + UInt32(Self.count) {
        if let scalar = Unicode.Scalar(codePoint) { bytes.append(contentsOf: UTF8.encode(scalar) ?? .init()) }
        starts.append(bytes.count)
      }
    }

    func withBytes<Result>(of stretch: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
      bytes.withUnsafeBufferPointer {
        body(UnsafeBufferPointer(rebasing: $0[starts[stretch.lowerBound]..<starts[stretch.upperBound]]))
      }
    }
  }
}
