/// The reason a pattern is refused: its first part that browsers or the server do not know, with all others.
public struct PatternFault: Error, Hashable, Sendable {
  /// The reason.
  package let reason: Reason

  /// The place in the pattern, in code points from 1.
  public let column: Int

  /// The pattern's other faults by column, at most nine.
  public fileprivate(set) var otherFaults: [PatternFault] = []

  /// The use of a pattern: it matches the whole text, as in a definition, or anywhere in it, as in a JSON Schema, which
  /// has no other rules to help it.
  package enum Use: Sendable { case match, search }

  /// The end of the wrong part, counted from 0.
  private let end: Int

  package init(_ reason: Reason, column: Int, end: Int = 0) {
    self.reason = reason
    self.column = column
    self.end = max(end, column)
  }

  /// The facts of a fault. `PatternFault.description` makes a sentence of them.
  package enum Reason: Hashable, Sendable {
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
  public var description: String {
    let sentence = reason.sentence(in: .match)
    return "\(sentence.what); \(sentence.remedy)"
  }
}

extension PatternFault.Reason {
  /// The fault and its remedy.
  package func sentence(in use: PatternFault.Use) -> FaultSentence {
    let length = use == .search ? "`maxLength`" : "a `length` rule"
    return switch self {
    case .tooLong(let bytes):
      .init(
        "pattern-too-long", "the pattern is \(bytes) bytes long, more than 1024",
        "shorten it, or split it into several \(use == .search ? "in `allOf`" : "rules")")
    case .tooLarge:
      .init(
        "pattern-too-large", "the pattern compiles to too large a program",
        "lower the bounds of its quantifiers, or leave the length to \(length)")
    case .tooCostly:
      .init(
        "pattern-too-costly", "the patterns so far take more work to prepare than one request may cost",
        "lower the bounds of their quantifiers, or send fewer patterns at a time")
    case .notCompiled(let error):
      .init("pattern-not-compiled", "the server’s pattern engine refuses this (\(error))", "write it in another way")
    case .lookaround(let opening) where use == .search:
      .init(
        "pattern-lookaround", "look-around `\(opening)` does not run in linear time",
        "write a look-ahead right after the pattern’s leading `^`, or split it into several patterns in `allOf`")
    case .lookaround(let opening):
      .init(
        "pattern-lookaround", "look-around `\(opening)` does not run in linear time",
        "split it into two rules; `not` negates one")
    case .backReference(let reference) where use == .search:
      .init(
        "pattern-back-reference", "the back-reference `\(reference)` does not run in linear time",
        "write out what may be repeated")
    case .backReference(let reference):
      .init(
        "pattern-back-reference", "the back-reference `\(reference)` does not run in linear time",
        "write out what may be repeated, or compare two fields with `sameAs`")
    case .inlineFlags where use == .search:
      .init(
        "pattern-inline-flags", "flags within a pattern mean different things in different engines",
        "write both cases, like `[Aa]`")
    case .inlineFlags:
      .init(
        "pattern-inline-flags", "flags within a pattern mean different things in different engines",
        "write `ignoreCase: true` beside the pattern, or both cases, like `[Aa]`")
    case .boundaryIgnoringCase(let boundary):
      .init(
        "pattern-boundary-ignoring-case",
        "`\(boundary)` together with `ignoreCase` means different things in different engines",
        "leave out `ignoreCase` and write both cases, like `[Aa]`, or write the neighbours out")
    case .boundTooLarge:
      .init(
        "pattern-bound-too-large", "a quantifier’s bound is more than 1000",
        "write at most 1000, or leave the length to \(length)")
    case .nestedBoundsTooLarge(let product):
      .init(
        "pattern-nested-bounds-too-large", "quantifiers within each other repeat \(product) times, more than 1000",
        "lower the bounds, or write `*` or `+` and leave the length to \(length)")
    case .nothingToRepeat(let quantifier):
      .init(
        "pattern-nothing-to-repeat", "there is nothing before `\(quantifier)` to repeat",
        "put something before it, or write `\\\(quantifier.prefix(1))` for the character itself")
    case .quantifiedAssertion(let assertion):
      .init("pattern-quantified-assertion", "`\(assertion)` cannot be repeated", "leave out the quantifier")
    case .quantifierOnQuantifier(let quantifier):
      .init(
        "pattern-quantifier-on-quantifier", "`\(quantifier)` follows another quantifier",
        "put what is repeated into a group, like `(?:a*)*`, or leave one out")
    case .boundsOutOfOrder(let min, let max):
      .init("pattern-bounds-out-of-order", "the bounds {\(min),\(max)} are out of order", "write {\(max),\(min)}")
    case .unescaped(let character):
      .init(
        "pattern-unescaped", "`\(character)` must be escaped here", "write `\\\(character)` for the character itself")
    case .foreignBounds(let bounds):
      .init(
        "pattern-foreign-bounds", "`\(bounds)` is a quantifier in other engines only",
        "write bounds like `{0,3}`, or `\\{` for the character itself")
    case .foreignClass("[]"), .foreignClass("[^]"):
      .init(
        "pattern-foreign-class", "a `]` right after `[` or `[^` ends the class here",
        #"write `\]` for the character itself, like `[^\]]`"#)
    case .foreignClass(let written) where written.contains("[:") && written.contains(":]"):
      .init(
        "pattern-foreign-class", "classes with names, like the one in `\(written)`, are not known here",
        "write the characters out: `A-Za-z` for `[:alpha:]`, `0-9` for `[:digit:]`")
    case .foreignClass(let written):
      .init(
        "pattern-foreign-class", "a class cannot be in another one, and `\(written)` ends at its first `]`",
        #"write one class, and `\[` or `\]` for the character itself"#)
    case .groupNotClosed:
      .init(
        "pattern-group-not-closed", "this group is not closed", #"write `)` after it, or `\(` for the character itself"#
      )
    case .groupNotOpened:
      .init("pattern-group-not-opened", "there is no group for `)` to close", #"write `\)` for the character itself"#)
    case .unknownGroup:
      .init("pattern-unknown-group", "`(?` begins no kind of group here", "write `(?:…)`, `(?<name>…)` or `(…)`")
    case .groupName:
      .init(
        "pattern-group-name", "this is not a group’s name",
        "write letters, digits and `_`, not beginning with a digit, and then `>`, like `(?<year>…)`")
    case .duplicateGroupName(let name):
      .init("pattern-duplicate-group-name", "two groups have the name `\(name)`", "give one of them another name")
    case .classNotClosed:
      .init(
        "pattern-class-not-closed", "this class is not closed", #"write `]` after it, or `\[` for the character itself"#
      )
    case .classEscapeInRange(let escape):
      .init(
        "pattern-class-escape-in-range", #"`\#(escape)` cannot be an end of a range"#,
        #"write `\-` for the hyphen, or give the range two characters"#)
    case .rangeOutOfOrder(let range):
      .init(
        "pattern-range-out-of-order", #"the range `\#(range)` is out of order"#,
        #"swap its ends, or write `\-` for the hyphen itself"#)
    case .trailingBackslash:
      .init("pattern-trailing-backslash", "the pattern ends in a backslash", #"write `\\` for the character itself"#)
    case .needlessEscape(let character):
      .init(
        "pattern-needless-escape", "`\\\(character)` is not an escape here",
        "write `\(character)` without the backslash")
    case .unknownEscape(let escape):
      .init(
        "pattern-unknown-escape", "`\(escape)` is not an escape",
        "write `\(escape.dropFirst())` for the character itself, or `\\\(escape)` for a backslash before it")
    case .wholeText(#"\Z"#):
      .init(
        "pattern-whole-text", #"some engines let a line break follow `\Z`"#,
        (use == .search
          ? "write `$` for the end of the text" : "leave it out, since the whole text is matched anyway"))
    case .wholeText(let escape) where use == .search:
      .init("pattern-whole-text", "`\(escape)` is not an escape", "write `\(PatternFault.anchor(for: escape))`")
    case .wholeText(let escape):
      .init("pattern-whole-text", "`\(escape)` is not needed, since the whole text is matched anyway", "leave it out")
    case .incompleteEscape(let escape):
      .init(
        "pattern-incomplete-escape", #"the escape `\#(escape)` is incomplete"#,
        #"write `\xHH`, `\uHHHH` or `\u{H}` with hexadecimal digits"#)
    case .octalEscape(let escape):
      .init(
        "pattern-octal-escape", #"engines do not agree where the octal number `\#(escape)` ends"#,
        #"write the code point like `\x41`"#)
    case .codePointTooLarge:
      .init("pattern-code-point-too-large", "there is no code point above U+10FFFF", #"write at most `\u{10FFFF}`"#)
    case .loneSurrogate(let escape):
      .init(
        "pattern-lone-surrogate", "`\(escape)` is half of a surrogate pair, which no text contains alone",
        #"write the code point itself, like `\u{1F600}`, or a range like `[\u{10000}-\u{10FFFF}]`"#)
    case .incompleteProperty:
      .init(
        "pattern-incomplete-property", "the property has no name in braces", #"write `\p{L}` or `\p{Script=Greek}`"#)
    case .unknownProperty(let name):
      .init(
        "pattern-unknown-property", "the property `\(name)` is not known to both browsers and the server",
        #"write a general category like `\p{L}`, a script like `\p{Script=Greek}`, or the code points in a class"#)
    case .controlEscape(let escape, let codePoint):
      .init("pattern-control-escape", "`\(escape)` is not accepted", "write `\(PatternFault.hexadecimal(codePoint))`")
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
