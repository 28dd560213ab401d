internal import CRE2

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
  /// - Throws: `PatternFault` with the reason `tooLarge` or `notCompiled`, at column 1.
  init(compiling source: String) throws(PatternFault) {
    pattern = cre2_pattern_create(source, source.utf8.count, Self.memory)
    guard let error = cre2_pattern_error(pattern).map({ String(cString: $0) }) else { return }
    // `deinit` frees the pattern.
    throw PatternFault(error.contains("too large") ? .tooLarge : .notCompiled(error), column: 1)
  }

  /// The number of instructions.
  var size: Int { Int(cre2_pattern_size(pattern)) }

  deinit {
    cre2_pattern_free(pattern)
  }

  /// True if all of a text in UTF-8 matches.
  func matches(_ text: [UInt8]) -> Bool { cre2_pattern_matches(pattern, text, text.count) }
}

// MARK: What it costs to compile

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
  private struct Part {
    /// The number of places it can begin with.
    var first = 0.0
    /// The number of places it can end with, each counted as often as optional parts are nested there.
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

  private mutating func follow(_ before: Part, _ after: Part, _ times: Double) -> Part {
    joins += times * before.last * after.first
    return Part(
      first: before.first + (before.isOptional ? after.first : 0),
      last: after.last + (after.isOptional ? before.last : 0),
      isOptional: before.isOptional && after.isOptional)
  }
}

// MARK: In letters

/// The code points as a pattern tells them apart: those that belong to the same classes of the pattern are one letter.
///
/// RE2 gets the pattern and the text in letters. A class of a thousand ranges, like `\p{L}`, is then only a letter or two,
/// and a hundred copies of it are a small program; in code points, RE2 would take a tenth of a second to compile them.
/// Letters are spelled as code points in UTF-8. Word characters are spelled as word characters, so that `\b` still works.
struct PatternAlphabet: Sendable {
  typealias Letter = UInt32

  /// The first code points of stretches with one letter, in order, from U+0000 on.
  private let starts: [UInt32]
  /// The letter of each stretch.
  private let letters: [Letter]
  /// The letters of each class of the pattern.
  private let spellings: [CodePointSet: CodePointSet]
  /// The letters of ASCII, of which most texts are made; used only if every letter is one byte.
  private let ascii: [UInt8]
  /// One more than the greatest letter.
  private let count: Int

  init(of syntax: PatternSyntax) {
    let classes = Self.classes(of: syntax)
    let stretches = Self.stretches(of: classes)
    var letterOf: [BitSet: Letter] = [:]
    var spare = Self.spare
    var members = Array(repeating: [CodePointSet.Range](), count: classes.count)
    let letters = stretches.map { stretch in
      if let known = letterOf[stretch.membership] { return known }
      let letter = stretch.membership.contains(0) ? spare.word.removeFirst() : spare.other.removeFirst()
      letterOf[stretch.membership] = letter
      for number in members.indices where stretch.membership.contains(number) {
        members[number].append(letter...letter)
      }
      return letter
    }
    let starts = stretches.map(\.start)
    ascii = (0..<0x80).map { UInt8(truncatingIfNeeded: Self.letter(of: $0, starts, letters)) }
    self.starts = starts
    self.letters = letters
    spellings = Dictionary(uniqueKeysWithValues: zip(classes, members.map(CodePointSet.init)))
    count = Int(letters.max() ?? 0) + 1
  }

  /// The most bytes of UTF-8 that a letter has.
  var bytesOfLongest: Int { count > 0x80 ? 3 : 1 }

  /// At most what it costs to spell a byte, which takes a binary search.
  var workPerByte: Int { 2 + 2 * (Int.bitWidth - starts.count.leadingZeroBitCount) }

  /// The class in letters.
  func spelling(of set: CodePointSet) -> CodePointSet { spellings[set] ?? .none }

  /// The same letters, as numbers.
  func letterSet(of set: CodePointSet) -> BitSet {
    spelling(of: set).ranges.joined().reduce(into: BitSet(below: count)) { $0.insert(Int($1)) }
  }

  /// A text in letters, both in UTF-8.
  func spelling(of text: String) -> [UInt8] {
    let utf8 = text.utf8.span
    if bytesOfLongest == 1, utf8.indices.allSatisfy({ utf8[$0] < 0x80 }) {
      return utf8.indices.map { ascii[Int(utf8[$0])] }
    }
    var spelled: [UInt8] = []
    spelled.reserveCapacity(text.utf8.count * bytesOfLongest)
    for scalar in text.unicodeScalars {
      let letter = Self.letter(of: scalar.value, starts, letters)
      if letter < 0x80 {
        spelled.append(UInt8(letter))
      } else if let letter = Unicode.Scalar(letter) {
        spelled += UTF8.encode(letter) ?? UTF8.encodedReplacementCharacter
      }
    }
    return spelled
  }

  private static func letter(of codePoint: UInt32, _ starts: [UInt32], _ letters: [Letter]) -> Letter {
    letters[starts.partitioningIndex { $0 > codePoint } - 1]
  }
}

// MARK: NoticePlan code points apart

extension PatternAlphabet {
  /// The classes of a pattern, each once. Word characters are always the first.
  private static func classes(of syntax: PatternSyntax) -> [CodePointSet] {
    [.wordCharacters] + syntax.classes.subtracting([.wordCharacters])
  }

  /// At most what it costs to tell a pattern's classes apart: to sort the ends of all ranges and look for each letter in
  /// each class.
  static func work(of syntax: PatternSyntax) -> Int {
    let classes = classes(of: syntax)
    let ends = 2 * classes.reduce(0) { $0 + $1.ranges.count }
    return 10_000 + 200 * ends + 2 * classes.count * min(ends, 4_000)
  }

  private static func stretches(of classes: [CodePointSet]) -> [(start: UInt32, membership: BitSet)] {
    var turns: [(at: UInt32, number: Int)] = []
    for (number, set) in classes.enumerated() {
      for range in set.ranges { turns += [(range.lowerBound, number), (range.upperBound + 1, number)] }
    }
    turns.sort { $0.at < $1.at }
    var stretches = [(start: UInt32(0), membership: BitSet(below: classes.count))]
    for turn in turns where turn.at <= 0x10_FFFF {
      var membership = stretches[stretches.count - 1].membership
      membership.toggle(turn.number)
      if stretches[stretches.count - 1].start == turn.at {
        stretches[stretches.count - 1].membership = membership
      } else {
        stretches.append((turn.at, membership))
      }
    }
    return stretches
  }

  /// Letters to give out. There are as many word characters as there can be letters for them.
  private static let spare: (word: ArraySlice<Letter>, other: ArraySlice<Letter>) = {
    let ranges = CodePointSet.wordCharacters
    return (ranges.ranges.flatMap { $0 }[...], (Letter(0)..<0xD800).filter { !ranges.contains($0) }[...])
  }()
}
