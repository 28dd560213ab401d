/// The sentences about patterns: what is wrong; what to do.
extension PatternFault: CustomStringConvertible {
  public var description: String {
    "\(reason.whatIsWrong); \(reason.whatToDo)"
  }
}

extension PatternFault.Reason {
  var whatIsWrong: String {
    switch self {
    case .tooLong(let bytes): "the pattern is \(bytes) bytes long, more than 1024"
    case .tooLarge: "the pattern becomes too large a program"
    case .tooCostly: "the patterns so far take more work to prepare than one request may cost"
    case .notCompiled(let error): "the server’s pattern engine refuses this (\(error))"
    case .lookaround(let opening): "look-around `\(opening)` does not run in linear time"
    case .backReference(let reference): "the back-reference `\(reference)` does not run in linear time"
    case .inlineFlags: "flags within a pattern mean different things in different engines"
    case .boundaryIgnoringCase(let boundary):
      "`\(boundary)` together with `ignoreCase` means different things in different engines"
    case .boundTooLarge: "a quantifier’s bound is more than 1000"
    case .nestedBoundsTooLarge(let product): "quantifiers within each other repeat \(product) times, more than 1000"
    case .nothingToRepeat(let quantifier): "there is nothing before `\(quantifier)` to repeat"
    case .quantifiedAssertion(let assertion): "`\(assertion)` cannot be repeated"
    case .quantifierOnQuantifier(let quantifier): "`\(quantifier)` follows another quantifier"
    case .boundsOutOfOrder(let min, let max): "the bounds {\(min),\(max)} are out of order"
    case .unescaped(let character): "`\(character)` stands alone"
    case .groupNotClosed: "this group is not closed"
    case .groupNotOpened: "there is no group for `)` to close"
    case .unknownGroup: "`(?` begins no kind of group here"
    case .groupName: "this is not a group’s name"
    case .duplicateGroupName(let name): "two groups have the name `\(name)`"
    case .classNotClosed: "this class is not closed"
    case .classEscapeInRange(let escape): "`\(escape)` cannot be an end of a range"
    case .rangeOutOfOrder(let range): "the range `\(range)` is out of order"
    case .trailingBackslash: "the pattern ends in a backslash"
    case .needlessEscape(let character): "`\\\(character)` is no escape here"
    case .unknownEscape(let escape): "`\(escape)` is no escape"
    case .wholeText(let escape): "`\(escape)` is not needed, since the whole text is matched anyway"
    case .incompleteEscape(let escape): "the escape `\(escape)` is incomplete"
    case .codePointTooLarge: "there is no code point above U+10FFFF"
    case .loneSurrogate(let escape): "`\(escape)` is half of a surrogate pair, which no text holds alone"
    case .incompleteProperty: "the property has no name in braces"
    case .unknownProperty(let name): "the property `\(name)` is not known to browsers and server both"
    case .controlEscape(let escape, _): "`\(escape)` is not accepted"
    }
  }

  var whatToDo: String {
    switch self {
    case .tooLong: "shorten it, or split it into several rules"
    case .tooLarge: "lower the bounds of its quantifiers, or leave the length to a `length` rule"
    case .tooCostly: "lower the bounds of their quantifiers, or send fewer patterns at a time"
    case .notCompiled: "write it in another way"
    case .lookaround: "split it into two rules; `not` negates one"
    case .backReference: "write out what may be repeated, or compare two fields with `sameAs`"
    case .inlineFlags: "write `ignoreCase: true` beside the pattern, or both cases, like `[Aa]`"
    case .boundaryIgnoringCase: "leave out `ignoreCase` and write both cases, like `[Aa]`, or write the neighbours out"
    case .boundTooLarge: "write at most 1000, or leave the length to a `length` rule"
    case .nestedBoundsTooLarge: "lower the bounds, or write `*` or `+` and leave the length to a `length` rule"
    case .nothingToRepeat(let quantifier):
      "put something before it, or write `\(Self.escaped(quantifier))` for the character itself"
    case .quantifiedAssertion: "leave out the quantifier"
    case .quantifierOnQuantifier: "put what is repeated into a group, like `(?:a*)*`, or leave one out"
    case .boundsOutOfOrder(let min, let max): "write {\(max),\(min)}"
    case .unescaped(let character): "write `\\\(character)` for the character itself"
    case .groupNotClosed: #"write `)` after it, or `\(` for the character itself"#
    case .groupNotOpened: #"write `\)` for the character itself"#
    case .unknownGroup: "write `(?:…)`, `(?<name>…)` or `(…)`"
    case .groupName: "write letters, digits and `_`, not beginning with a digit, and then `>`, like `(?<year>…)`"
    case .duplicateGroupName: "give one of them another name"
    case .classNotClosed: #"write `]` after it, or `\[` for the character itself"#
    case .classEscapeInRange: #"write `\-` for the hyphen, or give the range two characters"#
    case .rangeOutOfOrder: #"turn its ends around, or write `\-` for the hyphen itself"#
    case .trailingBackslash: #"write `\\` for the character itself"#
    case .needlessEscape(let character): "write `\(character)` without the backslash"
    case .unknownEscape(let escape):
      "write `\(escape.dropFirst())` for the character itself, or `\\\(escape)` for a backslash before it"
    case .wholeText: "leave it out"
    case .incompleteEscape: #"write `\xHH`, `\uHHHH` or `\u{H}` with hexadecimal digits"#
    case .codePointTooLarge: #"write at most `\u{10FFFF}`"#
    case .loneSurrogate: #"write the code point itself, like `\u{1F600}`, or a range like `[\u{10000}-\u{10FFFF}]`"#
    case .incompleteProperty: #"write `\p{L}` or `\p{Script=Greek}`"#
    case .unknownProperty:
      #"write a general category like `\p{L}`, a script like `\p{Script=Greek}`, or the code points in a class"#
    case .controlEscape(_, let codePoint): "write `\(PatternFault.hexadecimal(codePoint))`"
    }
  }

  private static func escaped(_ quantifier: String) -> String {
    #"\"# + quantifier.prefix(1)
  }
}
