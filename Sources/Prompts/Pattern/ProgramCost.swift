/// The cost at which RE2 compiles a pattern, computed beforehand: patterns may be untrusted, and RE2 itself gives up on
/// large programs only after seconds.
struct ProgramCost {
  /// Instructions, with all counted repetitions written out.
  private(set) var instructions = 0.0
  /// Those of the instructions that a counted quantifier makes optional. RE2's time is quadratic in these.
  private(set) var optionals = 0.0
  /// Steps from one place to a next, each counted as often as optional parts are nested around its start:
  /// RE2 writes `a{0,3}` as `(?:a(?:a(?:a)?)?)?` and joins every place in it with all that can follow.
  private(set) var joins = 0.0

  /// The most that compiling costs; see `WorkBudget`.
  var compileWork: Int { Int(50_000 + 1_500 * instructions + 1.1 * optionals * optionals + 3 * joins) }

  /// Up to some 20 ms each.
  var isAffordable: Bool { instructions <= 20_000 && optionals <= 4_200 && joins <= 7_000_000 }

  /// A part of the pattern, seen from outside.
  private struct Outline {
    /// The number of places it can begin with.
    var first = 0.0
    /// The number of places it can end with, each counted as often as optional parts are nested there.
    var last = 0.0
    var isOptional = true
  }

  init(of syntax: PatternSyntax, in alphabet: PatternAlphabet) {
    _ = add(syntax, alphabet, times: 1)
  }

  private mutating func add(_ syntax: PatternSyntax, _ alphabet: PatternAlphabet, times: Double) -> Outline {
    switch syntax {
    case .empty, .assertion:
      instructions += times
      return Outline()
    case .codePoint(let set):
      // Letters of several bytes need some for each byte.
      let perRange = alphabet.bytesOfLongest > 1 ? 3 : 1
      instructions += times * Double(max(1, alphabet.spelling(of: set).ranges.count) * perRange)
      return Outline(first: 1, last: 1, isOptional: false)
    case .sequence(let parts):
      return parts.reduce(Outline()) { whole, part in follow(whole, add(part, alphabet, times: times), times) }
    case .choice(let choices):
      instructions += times * Double(choices.count)
      var whole = Outline(isOptional: false)
      for choice in choices {
        let part = add(choice, alphabet, times: times)
        whole.first += part.first
        whole.last += part.last
        whole.isOptional = whole.isOptional || part.isOptional
      }
      return whole
    case .repetition(let body, let min, let max):
      let copies = Double(Swift.max(1, max ?? min)), optional = copies - Double(min)
      let before = (instructions: instructions, optionals: optionals)
      var whole = add(body, alphabet, times: times * copies)
      if copies > 1 {
        let inOptional = (instructions - before.instructions) * optional / copies
        optionals = Swift.max(optionals, before.optionals + inOptional)
      }
      instructions += times * copies
      if whole.isOptional {
        // Each copy follows all before it.
        joins += times * copies * copies / 2 * whole.last * whole.first
        whole.first *= copies
        whole.last *= copies
      } else {
        joins += times * copies * whole.last * whole.first
        whole.last *= Swift.max(1, optional * optional)
      }
      whole.isOptional = whole.isOptional || min == 0
      return whole
    }
  }

  private mutating func follow(_ before: Outline, _ after: Outline, _ times: Double) -> Outline {
    joins += times * before.last * after.first
    return Outline(
      first: before.first + (before.isOptional ? after.first : 0),
      last: after.last + (after.isOptional ? before.last : 0),
      isOptional: before.isOptional && after.isOptional)
  }
}

extension WorkBudget {
  /// Takes what a pattern needs from what is left.
  ///
  /// - Throws: `PatternFault` with the reason `tooCostly` if there is not enough.
  mutating func pay(_ work: Int) throws(PatternFault) {
    guard spend(work) else { throw .tooCostly }
  }
}
