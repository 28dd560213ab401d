/// An ECMAScript regular expression (`u` mode) that means the same in a browser and on RE2, and judges whole texts.
///
/// It is the text that JavaScript's `new RegExp("^(?:" + source + ")$", ignoreCase ? "iu" : "u")` finds a match in,
/// decided in time linear in the text. It never changes.
public final class Pattern: Sendable {
  /// The pattern as written, at most 1024 bytes of UTF-8.
  public let source: String

  /// Whether letters match in either case, by Unicode's simple case folding.
  public let ignoreCase: Bool

  /// `.server` when browsers could disagree with the server (`\p{…}`, letters whose case folding is young),
  /// or when a backtracking engine could take too long.
  public let decidedBy: DecidedBy

  private let alphabet: PatternAlphabet
  private let program: RE2Program

  /// Throws: `PatternFault` when the pattern is not one that browsers and RE2 both know, with column and remedy.
  public init(_ source: String, ignoreCase: Bool = false) throws(PatternFault) {
    let parsed = try PatternParser.parse(source, ignoreCase: ignoreCase)
    alphabet = PatternAlphabet(of: parsed.syntax)
    guard ProgramCost(of: parsed.syntax, in: alphabet).isBearable else { throw PatternFault(.tooLarge, column: 1) }
    program = try RE2Program(compiling: RE2Printer.print(parsed.syntax, in: alphabet))
    self.source = source
    self.ignoreCase = ignoreCase
    let isSafe =
      !parsed.hasProperties && !parsed.hasUnsettledCase && BacktrackingCost(of: parsed.syntax).isAtMostQuadratic
    decidedBy = isSafe ? .everywhere : .server
  }

  /// Whether the pattern matches the whole text.
  public func matches(_ text: String) -> Bool {
    alphabet.withSpelling(of: text) { program.matches($0) }
  }
}

extension Pattern: Hashable {
  public static func == (left: Pattern, right: Pattern) -> Bool {
    left.ignoreCase == right.ignoreCase && left.source.utf8.elementsEqual(right.source.utf8)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ignoreCase)
    for byte in source.utf8 { hasher.combine(byte) }
  }
}
