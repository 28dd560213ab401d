import Foundation
import TestSupport
import Testing

@testable import Prompts

@Suite struct `The tables of Unicode properties` {
  private static let folder = Repository.root.appending(path: "Sources/Prompts/Pattern/Unicode")

  private static let isWriting = ProcessInfo.processInfo.environment["OKCANCEL_WRITE"] == "1"

  /// With another RE2, `OKCANCEL_WRITE=1 swift test --filter UnicodeTableTests` writes the tables again.
  @Test(.enabled(if: isOfThisRE2 || isWriting, "this RE2 knows a newer Unicode than the tables"))
  func `are what RE2 says`() throws {
    for (name, properties, rest) in [("categories", Self.categories, "Cn"), ("scripts", Self.scripts, "Zzzz")] {
      let file = Self.folder.appending(path: "\(name).txt")
      let about = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").prefix { $0.hasPrefix("#") }
      let text = about.map { $0 + "\n" }.joined() + Self.table(properties, besides: rest)
      if Self.isWriting {
        try text.write(to: file, atomically: true, encoding: .utf8)
      }
      #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }
  }

  @Test(arguments: [
    ("Lu", "Uppercase_Letter", 0x41 as UInt32), ("Cn", "Unassigned", 0x378), ("Cs", "Surrogate", 0xD800),
    ("Co", "Private_Use", 0x10FFFD), ("C", "Other", 0), ("sc=Copt", "Script=Qaac", 0x3E2),
    ("sc=Latn", "Script=Latin", 0x61),
  ])
  func `has every property by all its names`(short: String, long: String, member: UInt32) throws {
    let set = try #require(UnicodeProperty(short)).codePoints
    #expect(set == UnicodeProperty(long)?.codePoints)
    #expect(set.contains(member))
    #expect(!set.contains(0x20))
  }

  // MARK: Writing

  private static var categories: [(name: String, set: CodePointSet)] {
    [
      "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sm",
      "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Co", "Cs",
    ].map { ($0, scan(for: $0)) }
  }

  private static var scripts: [(name: String, set: CodePointSet)] {
    UnicodeData.lines(of: "names.txt").filter { $0[0] == "sc" }.map { (String($0[1]), scan(for: String($0[2]))) }
  }

  private static func table(_ properties: [(name: String, set: CodePointSet)], besides rest: String) -> String {
    var runs = properties.flatMap { name, set in set.ranges.map { (name, $0) } }
    let unnamed = CodePointSet(runs.map(\.1)).complement
    runs += unnamed.ranges.map { (rest, $0) }
    var lines = [""]
    for (name, range) in runs.sorted(by: { $0.1.lowerBound < $1.1.lowerBound }) {
      let run = name + (range.count > 1 ? String(range.count) : "")
      if lines[lines.count - 1].count + run.count > 114 { lines.append("") }
      lines[lines.count - 1] += run
    }
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: Asking RE2

  /// Asks RE2 about a block of code points first, and about its halves only where it is mixed.
  private static func scan(for name: String) -> CodePointSet {
    guard let inside = try? RE2Program(compiling: "\\p{\(name)}*"),
      let outside = try? RE2Program(compiling: "\\P{\(name)}*")
    else { preconditionFailure("RE2 knows the properties that are listed") }
    // No text holds a surrogate, so RE2 cannot be asked about them.
    var ranges: [CodePointSet.Range] = name == "Cs" ? [0xD800...0xDFFF] : []

    func ask(_ stretch: Range<Int>, of block: Block) {
      let bytes = block.bytes(of: stretch)
      if outside.matches(bytes) { return }
      if inside.matches(bytes) {
        ranges.append(block.first + UInt32(stretch.lowerBound)...block.first + UInt32(stretch.upperBound - 1))
      } else {
        let middle = (stretch.lowerBound + stretch.upperBound) / 2
        ask(stretch.lowerBound..<middle, of: block)
        ask(middle..<stretch.upperBound, of: block)
      }
    }
    for block in name == "Co" ? blocks : assignedBlocks { ask(0..<Block.count, of: block) }
    return CodePointSet(ranges)
  }

  /// False in Debian 13: its RE2 knows U+2FFC, which came with Unicode 15.1.
  private static let isOfThisRE2 = (try? RE2Program(compiling: "\\P{So}"))?.matches(Array("\u{2FFC}".utf8)) == true

  private static let blocks = stride(from: UInt32(0), to: 0x11_0000, by: Block.count)
    .filter { !(0xD800...0xDFFF ~= $0) }.map(Block.init)

  /// The blocks with a code point that is neither unassigned nor for private use: a quarter of all,
  /// and no other property has members elsewhere.
  private static let assignedBlocks: [Block] = {
    let names = ["L", "M", "N", "P", "S", "Z", "Cc", "Cf"]
    let rest = "[^" + names.map { "\\p{\($0)}" }.joined() + "]*"
    guard let outside = try? RE2Program(compiling: rest) else { preconditionFailure("RE2 knows these categories") }
    return blocks.filter { !outside.matches($0.bytes(of: 0..<Block.count)) }
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

    func bytes(of stretch: Range<Int>) -> [UInt8] {
      Array(bytes[starts[stretch.lowerBound]..<starts[stretch.upperBound]])
    }
  }
}
