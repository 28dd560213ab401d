/// The reason a pattern is refused: its first part that browsers or the server do not know, with all others.
public struct PatternFault: Error, Hashable, Sendable {
  /// The reason.
  let reason: Reason

  /// The place in the pattern, in code points from 1.
  public let column: Int

  /// The pattern's other faults by column, at most nine.
  public fileprivate(set) var otherFaults: [PatternFault] = []

  /// The use of a pattern: it matches the whole text, as in a definition, or anywhere in it, as in a JSON Schema, which
  /// has no other rules to help it.
  enum Use: Sendable { case match, search }

  /// The end of the wrong part, counted from 0.
  private let end: Int

  init(_ reason: Reason, column: Int, end: Int = 0) {
    self.reason = reason
    self.column = column
    self.end = max(end, column)
  }

  /// The facts of a fault. `row` has the sentence.
  enum Reason: Hashable, Sendable {
    /// Of more than 1024 bytes.
    case tooLong(bytes: Int)
    /// RE2's program for it would not fit its memory, or compiling it would cost more than its sender may spend.
    case tooLarge, tooCostly
    /// RE2 refuses it for a reason of its own.
    case notCompiled(String)

    // JavaScript knows it and RE2 does not.
    case lookaround(String), backReference(String), inlineFlags, boundaryIgnoringCase(String), boundTooLarge
    /// The bounds of nested quantifiers multiply to more than 1000.
    case nestedBoundsTooLarge(Int)

    // `u` mode refuses it.
    case nothingToRepeat(String), quantifiedAssertion(String), quantifierOnQuantifier(String)
    case boundsOutOfOrder(min: Int, max: Int), unescaped(String)
    /// Text that only other engines read as bounds, or as part of a class.
    case foreignBounds(String), foreignClass(String)
    case groupNotClosed, groupNotOpened, unknownGroup, groupName, duplicateGroupName(String)
    case classNotClosed, classEscapeInRange(String), rangeOutOfOrder(String)
    case trailingBackslash, needlessEscape(String), unknownEscape(String), incompleteEscape(String)
    /// An escape for the beginning or end of the text, like `\A` in other engines.
    case wholeText(String)
    /// An octal number that some engines end after two digits and others after three.
    case octalEscape(String)
    case codePointTooLarge, loneSurrogate(String), incompleteProperty, unknownProperty(String)

    // Both know it, but there is a better way to write it.
    case controlEscape(String, codePoint: UInt32)
  }
}

// MARK: Sentences

extension PatternFault: CustomStringConvertible {
  /// `what is wrong; what to do`
  public var description: String { reason.row(in: .match).sentence }

  /// The same as the fault of a whole pattern.
  func row(in use: Use) -> FaultRow { reason.row(in: use).inPattern(column: column) }
}

extension PatternFault.Reason {
  /// The fault and its remedy.
  fileprivate func row(in use: PatternFault.Use) -> FaultRow {
    let length = use == .search ? "`maxLength`" : "a `length` rule"
    return switch self {
    case .tooLong(let bytes):
      FaultRow("pattern-too-long", ["bytes": bytes, "unit": use == .search ? "in `allOf`" : "rules"])
    case .tooLarge: FaultRow("pattern-too-large", ["length": length])
    case .tooCostly: FaultRow("pattern-too-costly")
    case .notCompiled(let error): FaultRow("pattern-not-compiled", ["error": error])
    case .lookaround(let opening) where use == .search: FaultRow("pattern-lookaround.search", ["opening": opening])
    case .lookaround(let opening): FaultRow("pattern-lookaround", ["opening": opening])
    case .backReference(let reference) where use == .search:
      FaultRow("pattern-back-reference.search", ["reference": reference])
    case .backReference(let reference): FaultRow("pattern-back-reference", ["reference": reference])
    case .inlineFlags where use == .search: FaultRow("pattern-inline-flags.search")
    case .inlineFlags: FaultRow("pattern-inline-flags")
    case .boundaryIgnoringCase(let boundary): FaultRow("pattern-boundary-ignoring-case", ["boundary": boundary])
    case .boundTooLarge: FaultRow("pattern-bound-too-large", ["length": length])
    case .nestedBoundsTooLarge(let product):
      FaultRow("pattern-nested-bounds-too-large", ["product": product, "length": length])
    case .nothingToRepeat(let quantifier):
      FaultRow("pattern-nothing-to-repeat", ["quantifier": quantifier, "sign": quantifier.prefix(1)])
    case .quantifiedAssertion(let assertion): FaultRow("pattern-quantified-assertion", ["assertion": assertion])
    case .quantifierOnQuantifier(let quantifier):
      FaultRow("pattern-quantifier-on-quantifier", ["quantifier": quantifier])
    case .boundsOutOfOrder(let min, let max): FaultRow("pattern-bounds-out-of-order", ["min": min, "max": max])
    case .unescaped(let character): FaultRow("pattern-unescaped", ["character": character])
    case .foreignBounds(let bounds): FaultRow("pattern-foreign-bounds", ["bounds": bounds])
    case .foreignClass("[]"), .foreignClass("[^]"): FaultRow("pattern-foreign-class.bracket")
    case .foreignClass(let written) where written.contains("[:") && written.contains(":]"):
      FaultRow("pattern-foreign-class.named", ["written": written])
    case .foreignClass(let written): FaultRow("pattern-foreign-class", ["written": written])
    case .groupNotClosed: FaultRow("pattern-group-not-closed")
    case .groupNotOpened: FaultRow("pattern-group-not-opened")
    case .unknownGroup: FaultRow("pattern-unknown-group")
    case .groupName: FaultRow("pattern-group-name")
    case .duplicateGroupName(let name): FaultRow("pattern-duplicate-group-name", ["name": name])
    case .classNotClosed: FaultRow("pattern-class-not-closed")
    case .classEscapeInRange(let escape): FaultRow("pattern-class-escape-in-range", ["escape": escape])
    case .rangeOutOfOrder(let range): FaultRow("pattern-range-out-of-order", ["range": range])
    case .trailingBackslash: FaultRow("pattern-trailing-backslash")
    case .needlessEscape(let character): FaultRow("pattern-needless-escape", ["character": character])
    case .unknownEscape(let escape):
      FaultRow("pattern-unknown-escape", ["escape": escape, "character": escape.dropFirst()])
    case .wholeText(#"\Z"#) where use == .search: FaultRow("pattern-whole-text.line-break-search")
    case .wholeText(#"\Z"#): FaultRow("pattern-whole-text.line-break")
    case .wholeText(let escape) where use == .search:
      FaultRow("pattern-whole-text.search", ["escape": escape, "anchor": PatternFault.anchor(for: escape)])
    case .wholeText(let escape): FaultRow("pattern-whole-text", ["escape": escape])
    case .incompleteEscape(let escape): FaultRow("pattern-incomplete-escape", ["escape": escape])
    case .octalEscape(let escape): FaultRow("pattern-octal-escape", ["escape": escape])
    case .codePointTooLarge: FaultRow("pattern-code-point-too-large")
    case .loneSurrogate(let escape): FaultRow("pattern-lone-surrogate", ["escape": escape])
    case .incompleteProperty: FaultRow("pattern-incomplete-property")
    case .unknownProperty(let name): FaultRow("pattern-unknown-property", ["name": name])
    case .controlEscape(let escape, let codePoint):
      FaultRow("pattern-control-escape", ["escape": escape, "hex": PatternFault.hexadecimal(codePoint)])
    }
  }
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
    while let fault = next, fault.reason != .tooCostly {
      let repair = fault.repair(in: text)
      faults.append(PatternFault(fault.reason, column: columns[fault.column - 1], end: fault.end))
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
    switch reason {
    case .lookaround, .groupName, .duplicateGroupName:
      // The last two begin after the `(?<`.
      let opening = source[..<start].suffix(3).elementsEqual("(?<".unicodeScalars) ? 3 : 0
      let closing = end < source.count && source[end] == ">" && opening > 0 ? 1 : 0
      return (start - opening..<range.upperBound + closing, "(?:")
    case .classEscapeInRange(let escape):
      // The hyphen is after the escape, or before it if the escape ends the range.
      let hyphen = written == escape ? start - 1 : start + escape.unicodeScalars.count
      return (hyphen..<hyphen + 1, #"\-"#)
    case .inlineFlags: return instead(written.hasSuffix(")") ? "(?:)" : "(?:")
    case .unknownGroup: return instead(written == "(?P" ? "(?" : "(?:")
    case .backReference, .boundaryIgnoringCase, .nothingToRepeat: return instead("(?:)")
    case .boundTooLarge, .nestedBoundsTooLarge, .foreignBounds: return instead("*")
    case .quantifiedAssertion, .quantifierOnQuantifier, .wholeText: return instead("")
    case .boundsOutOfOrder(let min, let max): return instead("{\(max),\(min)}")
    case .unescaped, .foreignClass: return instead(#"\"# + written)
    case .groupNotOpened: return instead(#"\)"#)
    case .needlessEscape, .unknownEscape, .incompleteEscape, .octalEscape:
      return instead(String(written.unicodeScalars.dropFirst()))
    case .controlEscape(_, let codePoint): return instead(Self.hexadecimal(codePoint))
    case .incompleteProperty, .unknownProperty, .rangeOutOfOrder, .codePointTooLarge, .loneSurrogate:
      return instead("x")
    case .groupNotClosed: return atEnd(")")
    case .classNotClosed: return atEnd("]")
    case .trailingBackslash: return atEnd(#"\"#)
    // These patterns can be read.
    case .tooLong, .tooLarge, .tooCostly, .notCompiled: return atEnd("")
    }
  }

  /// The ECMAScript anchor that replaces an escape for the start or end of the text, such as `\A`.
  fileprivate static func anchor(for escape: String) -> String { escape == #"\A"# ? "^" : "$" }

  static func hexadecimal(_ codePoint: UInt32) -> String {
    #"\x"# + (codePoint < 16 ? "0" : "") + String(codePoint, radix: 16, uppercase: true)
  }
}
