internal import CRE2
internal import Synchronization

/// An ECMAScript regular expression (`u` mode) that means the same in a browser and on RE2, and judges whole texts.
///
/// It matches the texts in which JavaScript's `new RegExp("^(?:" + source + ")$", ignoreCase ? "iu" : "u")` finds a
/// match, and takes time linear in the text.
public final class Pattern: Sendable {
  /// The pattern as browsers take it: as written, but without escapes that `u` mode does not know, like `\-`.
  public let source: String

  /// True if letters match in either case, by Unicode's simple case folding.
  public let ignoreCase: Bool

  private let parsed: PatternParser.Result
  private let alphabet: PatternAlphabet
  private let program: RE2Program
  var syntax: PatternSyntax { parsed.syntax }
  /// Code points in the shortest text that could match, whatever its assertions say.
  let shortestMatch: Int
  /// Code points in the longest text that can match; `nil` if there is no longest.
  let longestMatch: Int?
  /// The cost of a match for each byte of the text; see `WorkBudget`.
  private let workPerByte: Int
  /// The longest text that browsers may judge, by the shape that the texts are known to have. Computed on demand.
  private let longestTexts = Mutex<[PatternSyntax?: Int]>([:])

  /// Compiles a pattern.
  ///
  /// - Throws: `PatternFault` if browsers and RE2 do not both know such a pattern, with column and remedy.
  public convenience init(_ source: String, ignoreCase: Bool = false) throws(PatternFault) {
    var budget = WorkBudget.unlimited
    try self.init(source, ignoreCase: ignoreCase, budget: &budget)
  }

  /// - Parameter budget: pays for each step before it is done.
  /// - Throws: also `PatternFault` `.tooCostly`.
  init(_ source: String, ignoreCase: Bool, budget: inout WorkBudget) throws(PatternFault) {
    let parsed = try PatternParser.parse(source, ignoreCase: ignoreCase, budget: &budget)
    try budget.pay(PatternAlphabet.work(of: parsed.syntax))
    alphabet = PatternAlphabet(of: parsed.syntax)
    let cost = ProgramCost(of: parsed.syntax, in: alphabet)
    guard cost.isAffordable else { throw .tooLarge }
    try budget.pay(cost.compileWork)
    shortestMatch = parsed.syntax.lengthOfShortestMatch
    longestMatch = parsed.syntax.lengthOfLongestMatch
    program = try RE2Program(compiling: PatternPrinter(alphabet: alphabet).print(parsed.syntax) ?? "")
    workPerByte =
      Self.workPerStep * (program.size + min(program.size, Self.sizeOfStates)) * alphabet.bytesOfLongest
    self.source = parsed.source
    self.ignoreCase = ignoreCase
    self.parsed = parsed
  }

  /// Decides who judges texts for which this premise holds.
  ///
  /// `.server` if browsers could disagree with the server (`\p{…}`, letters whose case folding is recent), or if one of
  /// these texts could keep a backtracking engine busy for so long that its page freezes.
  func decidedBy(on premise: Premise) -> DecidedBy {
    if parsed.isUnsettled { return .server }
    return premise.longestText <= longestText(on: premise.shape) ? .everywhere : .server
  }

  private func longestText(on shape: PatternSyntax?) -> Int {
    if let known = longestTexts.withLock({ $0[shape] }) { return known }
    let length = BacktrackingCost.longestText(of: parsed.syntax, on: shape, upTo: Premise().longestText)
    longestTexts.withLock { $0[shape] = length }
    return length
  }

  /// True if the pattern matches the whole text.
  public func matches(_ text: String) -> Bool {
    if let longestMatch, text.utf8.count > longestMatch, text.unicodeScalars.count > longestMatch { return false }
    return program.matches(alphabet.spelling(of: text))
  }
}

extension Pattern {
  /// At worst, RE2 follows each instruction of the program at each byte of the text: when the automaton that
  /// it builds on the way does not fit its memory. `.*(?:a{1000}){0,1}b` took 11 to 14 ns a step.
  private static let workPerStep = 14
  /// More instructions, for patterns with which nearly each byte leads to a new state of the automaton, which is made and
  /// soon thrown away: on random `a` and `b`, `.*a.{30}` took 23 ns a step and `.*a[ab]{180}c` 14 ns.
  private static let sizeOfStates = 45

  /// The most that `matches` costs for a text of this many bytes.
  func work(onBytes bytes: Int) -> Int {
    2_000 + alphabet.workPerByte * bytes + workPerByte * min(bytes, longestMatch ?? .max)
  }
}

/// A compiled RE2 pattern. It owns the C++ object.
///
/// `@unchecked Sendable`: `pattern` is set once in `init` and freed in `deinit`, when nothing else holds the object.
/// Between them only `cre2_pattern_matches` reads it, which is RE2's const `Match`. RE2 promises that several threads may
/// call const member functions at once (re2.h), and locks its caches itself.
final class RE2Program: @unchecked Sendable {
  private let pattern: OpaquePointer

  /// Bytes that a pattern may take: two thirds for the program, the rest for the automaton that RE2 builds as it matches.
  ///
  /// It is enough for what `ProgramCost` lets pass. If the states of a pattern do not fit, RE2 gives the automaton up and
  /// follows all states at once. Less memory makes it give up sooner and be faster in all: `.*a.{100}` on 16 KiB takes
  /// twice as long with four times the memory.
  private static let memory: Int64 = 2 << 20

  /// - Parameter source: a pattern in RE2's syntax.
  /// - Throws: `PatternFault.tooLarge`, or RE2's own reason.
  init(compiling source: String) throws(PatternFault) {
    pattern = cre2_pattern_create(source, source.utf8.count, Self.memory)
    guard let error = cre2_pattern_error(pattern).map({ String(cString: $0) }) else { return }
    // `deinit` frees the pattern.
    throw error.contains("too large") ? .tooLarge : PatternFault("pattern-not-compiled", ["error": error], column: 1)
  }

  /// The number of instructions.
  var size: Int { Int(cre2_pattern_size(pattern)) }

  deinit {
    cre2_pattern_free(pattern)
  }

  /// True if all of a text in UTF-8 matches.
  func matches(_ text: [UInt8]) -> Bool { cre2_pattern_matches(pattern, text, text.count) }
}

// MARK: Sharing

extension Pattern {
  private struct Weak: Sendable {
    weak let pattern: Pattern?
  }

  /// By bytes: texts that look alike are equal as strings.
  private static let shared = Mutex<[[UInt8]: Weak]>([:])

  /// The pattern, compiled unless it is in use already: prompts have many in common, and a compiled one takes kilobytes.
  static func shared(_ source: String, ignoreCase: Bool) throws(PatternFault) -> Pattern {
    let key = Array(source.utf8) + [ignoreCase ? 1 : 0]
    if let known = shared.withLock({ $0[key]?.pattern }) { return known }
    let pattern = try Pattern(source, ignoreCase: ignoreCase)
    shared.withLock { shared in
      // At each power of two, those that are no longer in use are removed.
      if shared.count.nonzeroBitCount == 1 { shared = shared.filter { $0.value.pattern != nil } }
      shared[key] = Weak(pattern: pattern)
    }
    return pattern
  }
}

/// The judge of a rule: the browser too, or only the server.
package enum DecidedBy: String, Hashable, Sendable {
  /// Both browser and server, with the same verdict on every text.
  case everywhere
  /// Only the server; a browser asks it.
  case server
}

/// The facts about a text that a rule can rely on, because the rules before it have been met.
struct Premise: Sendable {
  /// The most bytes that a text may have.
  static let byteLimit = 16 * 1024

  /// The most code points that the text may have.
  private(set) var longestText = byteLimit

  /// A pattern that matches the text, or `nil` if none is known.
  var shape: PatternSyntax?

  init() {}

  mutating func limit(to length: Int?) {
    if let length { longestText = min(longestText, length) }
  }
}
