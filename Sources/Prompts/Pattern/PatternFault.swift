/// The reason a pattern is refused: its first part that browsers or the server do not know, with all others.
public struct PatternFault: Error, Hashable, Sendable {
  /// The name of its row in `faults.txt`.
  let name: String
  private let facts: [String: String]

  /// The place in the pattern, in code points from 1.
  public let column: Int

  /// The pattern's other faults by column, at most nine.
  public fileprivate(set) var otherFaults: [PatternFault] = []

  /// The end of the wrong part, counted from 0.
  private let end: Int

  /// - Parameter name: of a row of `faults.txt`.
  init(_ name: String, _ facts: [String: String] = [:], column: Int, end: Int = 0) {
    (self.name, self.facts, self.column) = (name, facts, column)
    self.end = max(end, column)
  }

  /// RE2's program for it would not fit its memory.
  static let tooLarge = PatternFault("pattern-too-large", column: 1)
  /// Compiling it would cost more than its sender may spend.
  static let tooCostly = PatternFault("pattern-too-costly", column: 1)
}

extension PatternFault: CustomStringConvertible {
  /// `what is wrong; what to do`
  public var description: String { FaultRow(name, facts).sentence }

  /// The same as the fault of a whole pattern.
  var row: FaultRow { FaultRow(name, facts).inPattern(column: column) }
}

// MARK: Mending

extension PatternFault {
  /// The most faults to report of one pattern.
  private static let limit = 10

  /// This fault with all others of its pattern. To find them, it repairs each one and reads the pattern again.
  func withAllOthers(of source: [Unicode.Scalar], _ parser: inout PatternParser) -> PatternFault {
    var text = source
    // The column in the source of each code point of the text.
    var columns = Array(1...source.count + 1)
    var faults: [PatternFault] = []
    var next: PatternFault? = self
    while let fault = next, fault != .tooCostly {
      let repair = fault.repair(in: text)
      faults.append(PatternFault(fault.name, fault.facts, column: columns[fault.column - 1], end: fault.end))
      let replacement = Array(repair.text.unicodeScalars)
      columns.replaceSubrange(repair.range, with: replacement.map { _ in columns[repair.range.lowerBound] })
      text.replaceSubrange(repair.range, with: replacement)
      next = nil
      guard faults.count < Self.limit else { break }
      do throws(PatternFault) { _ = try parser.parse(text) } catch { next = error }
    }
    guard var first = faults.first else { return self }
    first.otherFaults = faults.dropFirst().sorted { $0.column < $1.column }
    return first
  }

  /// What takes the place of the wrong part, so that the rest can be read.
  private func repair(in source: [Unicode.Scalar]) -> (range: Range<Int>, text: String) {
    let start = column - 1
    let range = start..<min(end, source.count)
    let written = String(String.UnicodeScalarView(source[range]))
    func instead(_ text: String) -> (Range<Int>, String) { (range, text) }
    func atEnd(_ text: String) -> (Range<Int>, String) { (source.count..<source.count, text) }
    switch row.id {
    case "pattern-lookaround", "pattern-group-name", "pattern-duplicate-group-name":
      // The last two begin after the `(?<`.
      let opening = source[..<start].suffix(3).elementsEqual("(?<".unicodeScalars) ? 3 : 0
      let closing = end < source.count && source[end] == ">" && opening > 0 ? 1 : 0
      return (start - opening..<range.upperBound + closing, "(?:")
    case "pattern-class-escape-in-range":
      // The hyphen is after the escape, or before it if the escape ends the range.
      let escape = facts["escape"] ?? ""
      let hyphen = written == escape ? start - 1 : start + escape.unicodeScalars.count
      return (hyphen..<hyphen + 1, #"\-"#)
    case "pattern-inline-flags": return instead(written.hasSuffix(")") ? "(?:)" : "(?:")
    case "pattern-unknown-group": return instead(written == "(?P" ? "(?" : "(?:")
    case "pattern-back-reference", "pattern-boundary-ignoring-case", "pattern-nothing-to-repeat": return instead("(?:)")
    case "pattern-bound-too-large", "pattern-nested-bounds-too-large", "pattern-foreign-bounds": return instead("*")
    case "pattern-quantified-assertion", "pattern-quantifier-on-quantifier", "pattern-whole-text": return instead("")
    case "pattern-bounds-out-of-order": return instead("{\(facts["max"] ?? ""),\(facts["min"] ?? "")}")
    case "pattern-unescaped", "pattern-foreign-class", "pattern-group-not-opened": return instead(#"\"# + written)
    case "pattern-needless-escape", "pattern-unknown-escape", "pattern-incomplete-escape", "pattern-octal-escape":
      return instead(String(written.unicodeScalars.dropFirst()))
    case "pattern-control-escape": return instead(facts["hex"] ?? "")
    case "pattern-group-not-closed": return atEnd(")")
    case "pattern-class-not-closed": return atEnd("]")
    case "pattern-trailing-backslash": return atEnd(#"\"#)
    // These patterns can be read.
    case "pattern-too-long", "pattern-too-large", "pattern-not-compiled": return atEnd("")
    // What is left is one character, or a class.
    default: return instead("x")
    }
  }
}
