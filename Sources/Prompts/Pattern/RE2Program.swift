internal import CRE2

/// A compiled RE2 pattern. It owns the C++ object.
///
/// `@unchecked Sendable`: `pattern` is set once in `init` and freed in `deinit`, when nobody else holds the object.
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
  /// - Throws: `PatternFault` with the reason `tooLarge` or `notCompiled`, at column 1.
  init(compiling source: String) throws(PatternFault) {
    var source = source
    pattern = source.withUTF8(Self.create)
    guard let error = cre2_pattern_error(pattern).map({ String(cString: $0) }) else { return }
    // `deinit` frees the pattern.
    throw PatternFault(error.contains("too large") ? .tooLarge : .notCompiled(error), column: 1)
  }

  private static func create(_ bytes: UnsafeBufferPointer<UInt8>) -> OpaquePointer {
    bytes.withMemoryRebound(to: CChar.self) { chars in
      // An empty string may have no address; RE2 wants one.
      guard let address = chars.baseAddress else { return cre2_pattern_create("", 0, memory) }
      return cre2_pattern_create(address, chars.count, memory)
    }
  }

  /// The number of instructions.
  var size: Int { Int(cre2_pattern_size(pattern)) }

  deinit {
    cre2_pattern_free(pattern)
  }

  /// Whether all of a text in UTF-8 matches.
  func matches(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.withMemoryRebound(to: CChar.self) { cre2_pattern_matches(pattern, $0.baseAddress, $0.count) }
  }
}

// MARK: In RE2's syntax

/// Writes a pattern in RE2's syntax and the pattern's alphabet, so that RE2 matches exactly what ECMAScript matches.
///
/// RE2 gets no dots, class escapes or flags, which mean something else there: every class is written as letters.
struct RE2Printer {
  let alphabet: PatternAlphabet

  func print(_ syntax: PatternSyntax) -> String {
    switch syntax {
    case .empty: "(?:)"
    case .codePoint(let set): print(alphabet.spelling(of: set).ranges)
    case .assertion(.start): #"\A"#
    case .assertion(.end): #"\z"#
    // Word characters are spelled with what RE2 takes for word characters.
    case .assertion(let boundary): boundary.rawValue
    case .sequence(let parts): parts.map(print).joined()
    case .choice(let choices): "(?:\(choices.map(print).joined(separator: "|")))"
    case .repetition(let body, let min, let max): "(?:\(print(body)))\(Self.quantifier(min: min, max: max))"
    }
  }

  static func quantifier(min: Int, max: Int?) -> String {
    switch (min, max) {
    case (0, nil): "*"
    case (1, nil): "+"
    case (0, 1): "?"
    case (_, nil): "{\(min),}"
    case (_, let max?): "{\(min),\(max)}"
    }
  }

  private func print(_ letters: [CodePointSet.Range]) -> String {
    if letters.isEmpty { return #"[^\x{0}-\x{10FFFF}]"# }
    if letters.count == 1, letters[0].count == 1 { return print(letters[0].lowerBound) }
    return "[" + letters.map { print($0.lowerBound) + ($0.count > 1 ? "-" + print($0.upperBound) : "") }.joined() + "]"
  }

  private func print(_ codePoint: UInt32) -> String {
    switch codePoint {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: String(Unicode.Scalar(UInt8(codePoint)))
    default: #"\x{"# + String(codePoint, radix: 16) + "}"
    }
  }
}

// MARK: What it costs to compile

/// What RE2 needs to compile a pattern, computed beforehand: strangers may send patterns, and RE2 itself gives up on large
/// programs only after seconds.
struct ProgramCost {
  /// Instructions, with all counted repetitions written out.
  private(set) var instructions = 0.0
  /// Those of the instructions that a counted quantifier makes optional. RE2's time is quadratic in these.
  private(set) var optionals = 0.0
  /// Steps from one place to a next, each counted as often as optional parts are nested around its start:
  /// RE2 writes `a{0,3}` as `(?:a(?:a(?:a)?)?)?` and joins every place in it with all that can follow.
  private(set) var joins = 0.0

  /// What compiling costs at most; see `WorkBudget`.
  var compileWork: Int { Int(50_000 + 1_500 * instructions + 1.1 * optionals * optionals + 3 * joins) }

  /// Up to some 20 ms each.
  var isAffordable: Bool { instructions <= 20_000 && optionals <= 4_200 && joins <= 7_000_000 }

  /// A part of the pattern, seen from outside.
  private struct Part {
    /// How many places it can begin with.
    var first = 0.0
    /// How many places it can end with, each counted as often as optional parts are nested there.
    var last = 0.0
    var isOptional = true
  }

  init(of syntax: PatternSyntax, in alphabet: PatternAlphabet) {
    _ = add(syntax, alphabet, times: 1)
  }

  private mutating func add(_ syntax: PatternSyntax, _ alphabet: PatternAlphabet, times: Double) -> Part {
    switch syntax {
    case .empty, .assertion:
      instructions += times
      return Part()
    case .codePoint(let set):
      // Letters of several bytes need some for each byte.
      let perRange = alphabet.bytesOfLongest > 1 ? 3 : 1
      instructions += times * Double(max(1, alphabet.spelling(of: set).ranges.count) * perRange)
      return Part(first: 1, last: 1, isOptional: false)
    case .sequence(let parts):
      return parts.reduce(Part()) { whole, part in follow(whole, add(part, alphabet, times: times), times) }
    case .choice(let choices):
      instructions += times * Double(choices.count)
      var whole = Part(isOptional: false)
      for choice in choices {
        let part = add(choice, alphabet, times: times)
        whole.first += part.first
        whole.last += part.last
        whole.isOptional = whole.isOptional || part.isOptional
      }
      return whole
    case .repetition(let body, let min, let max):
      let copies = Swift.max(1, max ?? min)
      let before = (instructions, optionals)
      let part = add(body, alphabet, times: times * Double(copies))
      if copies > 1 {
        let optional = (instructions - before.0) * Double(copies - min) / Double(copies)
        optionals = Swift.max(optionals, before.1 + optional)
      }
      return addRepetition(part, min, max, times)
    }
  }

  private mutating func follow(_ before: Part, _ after: Part, _ times: Double) -> Part {
    joins += times * before.last * after.first
    return Part(
      first: before.first + (before.isOptional ? after.first : 0),
      last: after.last + (after.isOptional ? before.last : 0),
      isOptional: before.isOptional && after.isOptional)
  }

  private mutating func addRepetition(_ body: Part, _ min: Int, _ max: Int?, _ times: Double) -> Part {
    let copies = Double(Swift.max(1, max ?? min))
    let optionals = copies - Double(min)
    instructions += times * copies
    var whole = body
    whole.isOptional = body.isOptional || min == 0
    if body.isOptional {
      // Each copy follows all before it.
      joins += times * copies * copies / 2 * body.last * body.first
      whole.first *= copies
      whole.last *= copies
    } else {
      joins += times * copies * body.last * body.first
      whole.last *= Swift.max(1, optionals * optionals)
    }
    return whole
  }
}
