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
    if bytesOfLongest == 1, utf8.indices.reduce(0, { $0 | utf8[$1] }) < 0x80 {
      var spelled = [UInt8](repeating: 0, count: utf8.count)
      for index in utf8.indices { spelled[index] = ascii[Int(utf8[index])] }
      return spelled
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

// MARK: Telling code points apart

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
  private static let spare: (word: SpareLetters, other: SpareLetters) = {
    let others = CodePointSet.wordCharacters.complement.intersection(CodePointSet([0...0xD7FF]))
    return (SpareLetters(ranges: CodePointSet.wordCharacters.ranges), SpareLetters(ranges: others.ranges))
  }()

  /// Kept as ranges: a list of them all took 10 ms of a server's start.
  private struct SpareLetters {
    var ranges: [CodePointSet.Range]

    mutating func removeFirst() -> Letter {
      let letter = ranges[0].lowerBound
      if ranges[0].count == 1 { ranges.removeFirst() } else { ranges[0] = letter + 1...ranges[0].upperBound }
      return letter
    }
  }
}
