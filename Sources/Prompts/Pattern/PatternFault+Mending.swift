extension PatternFault {
  /// So many faults are told of one pattern.
  private static let limit = 10

  /// This fault with all others of its pattern: each is mended, or put out of the way, and what is left is read again.
  func withAllOthers(
    of source: [Unicode.Scalar], ignoreCase: Bool, budget: inout WorkBudget
  ) -> PatternFault {
    var text = source
    // Where each code point of the text stands in the source.
    var columns = Array(1...source.count + 1)
    var faults: [PatternFault] = []
    var isMeant = true
    var mended: String?
    while faults.count < Self.limit {
      do throws(PatternFault) {
        mended = try PatternParser.parse(text, ignoreCase: ignoreCase, budget: &budget).source
        break
      } catch {
        if error.reason == .tooCostly { break }
        let repair = error.repair(in: text)
        faults.append(PatternFault(error.reason, column: columns[error.column - 1], end: error.end))
        isMeant = isMeant && repair.isMeant
        let replacement = Array(repair.text.unicodeScalars)
        columns.replaceSubrange(repair.range, with: replacement.map { _ in columns[repair.range.lowerBound] })
        text.replaceSubrange(repair.range, with: replacement)
      }
    }
    guard var first = faults.first else { return self }
    first.others = faults.dropFirst().sorted { $0.column < $1.column }
    first.mended = isMeant ? mended : nil
    return first
  }

  /// What to write in place of what is wrong. If that is not meant, it lets the rest be read.
  private typealias Repair = (range: Range<Int>, text: String, isMeant: Bool)

  private func repair(in source: [Unicode.Scalar]) -> Repair {
    let start = column - 1
    let range = start..<min(end, source.count)
    let written = Self.string(source[range])
    func instead(_ text: String, isMeant: Bool = false) -> Repair { (range, text, isMeant) }
    func atEnd(_ text: String) -> Repair { (source.count..<source.count, text, false) }

    switch reason {
    case .lookaround, .groupName, .duplicateGroupName:
      // The latter two begin behind the `(?<`.
      let opening = source[..<start].suffix(3).elementsEqual("(?<".unicodeScalars) ? 3 : 0
      let closing = end < source.count && source[end] == ">" && opening > 0 ? 1 : 0
      return (start - opening..<range.upperBound + closing, "(?:", false)
    case .inlineFlags: return instead(written.hasSuffix(")") ? "(?:)" : "(?:")
    case .unknownGroup: return written == "(?P" ? instead("(?", isMeant: true) : instead("(?:")
    case .backReference, .boundaryIgnoringCase, .nothingToRepeat: return instead("(?:)")
    case .boundTooLarge, .nestedBoundsTooLarge: return instead("*")
    case .quantifiedAssertion: return instead("", isMeant: true)
    case .quantifierOnQuantifier: return instead("")
    case .boundsOutOfOrder(let min, let max): return instead("{\(max),\(min)}", isMeant: true)
    case .unescaped: return instead(#"\"# + written, isMeant: true)
    case .groupNotOpened: return instead(#"\)"#)
    case .groupNotClosed: return atEnd(")")
    case .classNotClosed: return atEnd("]")
    case .trailingBackslash: return atEnd(#"\"#)
    case .classEscapeInRange(let escape):
      // The hyphen is behind the escape, or before it if that ends the range.
      let hyphen = written == escape ? start - 1 : start + escape.unicodeScalars.count
      return (hyphen..<hyphen + 1, #"\-"#, true)
    case .needlessEscape: return instead(String(written.unicodeScalars.dropFirst()), isMeant: true)
    case .unknownEscape, .incompleteEscape: return instead(String(written.unicodeScalars.dropFirst()))
    case .wholeText: return instead("", isMeant: true)
    case .incompleteProperty:
      if range.count == 2, end < source.count, UnicodeProperty(String(source[end])) != nil {
        return (start..<end + 1, written + "{\(source[end])}", true)
      }
      return instead("x")
    case .unknownProperty(let name):
      return UnicodeProperty("Script=\(name)") == nil
        ? instead("x") : instead("\(written.prefix(3))Script=\(name)}", isMeant: true)
    case .rangeOutOfOrder, .codePointTooLarge, .loneSurrogate: return instead("x")
    case .controlEscape(_, let codePoint): return instead(Self.hexadecimal(codePoint), isMeant: true)
    // Of a pattern that can be read.
    case .tooLong, .tooLarge, .tooCostly, .notCompiled: return atEnd("")
    }
  }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  static func hexadecimal(_ codePoint: UInt32) -> String {
    #"\x"# + (codePoint < 16 ? "0" : "") + String(codePoint, radix: 16, uppercase: true)
  }
}
