/// ECMA-262's CharacterClass, with the `u` flag.
extension PatternParser {
  /// The class, in both cases if the pattern ignores case. With `iu`, ECMA-262 folds first and negates then.
  mutating func finished(_ members: [CodePointSet.Range], isNegated: Bool) throws(PatternFault) -> CodePointSet {
    // The work to sort a range, and to look its class up in each later step.
    try budget.pay(100 * members.count)
    let set = CodePointSet(members)
    guard ignoreCase else { return isNegated ? set.complement : set }
    if known.folds[set] == nil { try budget.pay(CaseFolding.work(of: set)) }
    let folded = known.folds[set] ?? CaseFolding.fold(set)
    known.folds[set] = folded
    if folded.isUnsettled { isUnsettled = true }
    return isNegated ? folded.closure.complement : folded.closure
  }

  mutating func bracketedClass() throws(PatternFault) -> CodePointSet {
    let start = index
    index += 1
    let isNegated = skip("^")
    var members: [CodePointSet.Range] = []
    var isDoubtful = peek() == "]"
    while !skip("]") {
      if peek() == "[" { isDoubtful = true }
      guard peek() != nil else { throw fault("pattern-class-not-closed", at: start) }
      let itemStart = index
      let first = try classAtom()
      // A hyphen makes a range only between two atoms.
      guard peek() == "-", let after = peek(1), after != "]" else {
        try budget.pay(20 * first.members.count)
        members += first.members
        continue
      }
      let firstText = text(from: itemStart)
      index += 1
      let lastStart = index
      let last = try classAtom()
      guard case .codePoint(let low) = first else {
        throw fault("pattern-class-escape-in-range", ["escape": firstText], at: itemStart)
      }
      guard case .codePoint(let high) = last else {
        throw fault("pattern-class-escape-in-range", ["escape": text(from: lastStart)], at: lastStart)
      }
      guard low <= high else {
        throw fault("pattern-range-out-of-order", ["range": text(from: itemStart)], at: itemStart)
      }
      members.append(low...high)
    }
    if isDoubtful { doubtfulClass = text(from: start) }
    return try finished(members, isNegated: isNegated)
  }

  private mutating func classAtom() throws(PatternFault) -> Escape {
    guard let next = peek() else { preconditionFailure("a class's atom begins with a code point") }
    if next == "\\" { return try escape(inClass: true) }
    index += 1
    return .codePoint(next.value)
  }
}

/// ECMA-262's AtomEscape, ClassEscape and CharacterEscape, with the `u` flag.
extension PatternParser {
  /// The meaning of a backslash and the characters after it.
  enum Escape {
    case codePoint(UInt32)
    case set(CodePointSet)

    var members: [CodePointSet.Range] {
      switch self {
      case .codePoint(let codePoint): [codePoint...codePoint]
      case .set(let set): set.ranges
      }
    }
  }

  /// An escape outside brackets, as a class.
  mutating func atomEscape() throws(PatternFault) -> CodePointSet {
    try finished(try escape(inClass: false).members, isNegated: false)
  }

  private static let controls: [Unicode.Scalar: UInt32] = ["t": 0x09, "n": 0x0A, "v": 0x0B, "f": 0x0C, "r": 0x0D]

  mutating func escape(inClass: Bool) throws(PatternFault) -> Escape {
    let start = index
    index += 1
    guard let letter = peek() else { throw fault("pattern-trailing-backslash", at: start) }
    index += 1
    if let codePoint = Self.controls[letter] { return .codePoint(codePoint) }
    let isAtEnd = index == source.count && !inClass
    switch letter {
    case "d": return .set(.digits)
    case "D": return .set(CodePointSet.digits.complement)
    case "s": return .set(.whiteSpace)
    case "S": return .set(CodePointSet.whiteSpace.complement)
    case "w": return .set(wordCharacters)
    case "W": return .set(wordCharacters.complement)
    case "x": return .codePoint(try hexadecimal(digits: 2, from: start))
    case "u": return .codePoint(try unicodeEscape(from: start))
    case "p", "P": return try property(isNegated: letter == "P", from: start)
    case "c": throw controlEscape(from: start)
    case "A" where start == 0 && !inClass, "z" where isAtEnd, "Z" where isAtEnd:
      if letter == "Z" { throw fault("pattern-whole-text.line-break", at: start) }
      let anchor = letter == "A" ? "^" : "$"
      throw fault("pattern-whole-text", ["escape": text(from: start), "anchor": anchor], at: start)
    case "b" where inClass: throw control(0x08, from: start)
    case "0": throw octalEscape(from: start)
    case "k" where !inClass, "1"..."9" where !inClass:
      throw fault("pattern-back-reference", ["reference": text(from: start)], at: start)
    case "^", "$", "\\", ".", "*", "+", "?", "(", ")", "[", "]", "{", "}", "|", "/": return .codePoint(letter.value)
    case "-" where inClass: return .codePoint(letter.value)
    default:
      if letter.properties.isAlphabetic && letter.isASCII || ("0"..."9").contains(letter) {
        throw unknownEscape(from: start)
      }
      // In engines that accept it, escaped punctuation means itself. `u` mode does not accept it.
      guard (" "..."~").contains(letter) else {
        throw fault("pattern-needless-escape", ["character": String(letter)], at: start)
      }
      needlessBackslashes.insert(start)
      return .codePoint(letter.value)
    }
  }

  /// `\w`: with `iu` also U+017F and U+212A, which fold together with ASCII letters (ECMA-262, WordCharacters).
  private var wordCharacters: CodePointSet {
    ignoreCase ? CaseFolding.wordCharacters : .wordCharacters
  }

  private func unknownEscape(from start: Int) -> PatternFault {
    let escape = text(from: start)
    return fault("pattern-unknown-escape", ["escape": escape, "character": String(escape.dropFirst())], at: start)
  }

  private func incompleteEscape(from start: Int) -> PatternFault {
    fault("pattern-incomplete-escape", ["escape": text(from: start)], at: start)
  }

  /// A fault: an escape for a control character that has a plainer one.
  private func control(_ codePoint: UInt32, from start: Int) -> PatternFault {
    let hex = #"\x"# + (codePoint < 16 ? "0" : "") + String(codePoint, radix: 16, uppercase: true)
    return fault("pattern-control-escape", ["escape": text(from: start), "hex": hex], at: start)
  }

  /// `\0`, and the code point in octal digits that other engines read after it: two, or in some three.
  private mutating func octalEscape(from start: Int) -> PatternFault {
    let digits = take { ("0"..."7").contains($0) }
    if digits.utf8.count > 2 { return fault("pattern-octal-escape", ["escape": text(from: start)], at: start) }
    return control(UInt32(digits, radix: 8) ?? 0, from: start)
  }

  private mutating func controlEscape(from start: Int) -> PatternFault {
    guard let letter = peek(), letter.isASCII, letter.properties.isAlphabetic else {
      return unknownEscape(from: start)
    }
    index += 1
    return control(letter.value % 32, from: start)
  }

  // MARK: Code points by number

  private mutating func hexadecimal(digits: Int, from start: Int) throws(PatternFault) -> UInt32 {
    let written = source[index...].prefix(digits).prefix { $0.properties.isASCIIHexDigit }
    index += written.count
    guard written.count == digits, let value = UInt32(String(String.UnicodeScalarView(written)), radix: 16) else {
      throw incompleteEscape(from: start)
    }
    return value
  }

  /// Reads what follows `\u`: four digits, two halves of a surrogate pair, or any number of digits in braces.
  private mutating func unicodeEscape(from start: Int) throws(PatternFault) -> UInt32 {
    if skip("{") {
      let digits = take { $0.properties.isASCIIHexDigit }
      let value = UInt32(digits, radix: 16)
      if !digits.isEmpty, value ?? .max > 0x10_FFFF {
        _ = skip("}")
        throw fault("pattern-code-point-too-large", at: start)
      }
      guard let value, skip("}") else { throw incompleteEscape(from: start) }
      if 0xD800...0xDFFF ~= value { throw fault("pattern-lone-surrogate", ["escape": text(from: start)], at: start) }
      return value
    }
    let unit = try hexadecimal(digits: 4, from: start)
    guard 0xD800...0xDFFF ~= unit else { return unit }
    let end = index
    if unit < 0xDC00, skip(#"\u"#), let low = try? hexadecimal(digits: 4, from: start), 0xDC00...0xDFFF ~= low {
      return 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
    }
    index = end
    throw fault("pattern-lone-surrogate", ["escape": text(from: start)], at: start)
  }

  // MARK: Properties

  private mutating func property(isNegated: Bool, from start: Int) throws(PatternFault) -> Escape {
    guard skip("{") else { throw fault("pattern-incomplete-property", at: start) }
    let name = take { $0.isASCII && $0.properties.isIDContinue || $0 == "=" }
    guard skip("}"), !name.isEmpty else { throw fault("pattern-incomplete-property", at: start) }
    guard let property = UnicodeProperty(name) else {
      throw fault("pattern-unknown-property", ["name": name], at: start)
    }
    isUnsettled = true
    let written = text(from: start)
    if known.properties[written] == nil { try budget.pay(UnicodeProperty.work) }
    let set = known.properties[written] ?? (isNegated ? property.codePoints.complement : property.codePoints)
    known.properties[written] = set
    return .set(set)
  }
}

/// Classes that were looked up before, in this pattern or as it was read before a fault: to write a class twice must cost
/// no more than to repeat it with a quantifier.
struct KnownClasses {
  /// By how they are written, with the negation.
  fileprivate var properties: [String: CodePointSet] = [:]
  fileprivate var folds: [CodePointSet: CaseFolding.Folded] = [:]
}
