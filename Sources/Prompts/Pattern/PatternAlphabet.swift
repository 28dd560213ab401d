/// The code points as a pattern tells them apart: those that belong to the same classes of it are one letter.
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
  /// The letters of ASCII: most texts have no others.
  private let ascii: [Letter]
  /// One more than the greatest letter.
  private let count: Int

  init(of syntax: PatternSyntax) {
    let classes = Self.classes(of: syntax)
    let stretches = Self.stretches(of: classes)
    var letterOf: [BitSet: Letter] = [:]
    var spare = Self.spare
    var members = Array(repeating: [CodePointSet.Range](), count: classes.count)
    letters = stretches.map { stretch in
      if let known = letterOf[stretch.membership] { return known }
      let letter = stretch.membership.contains(0) ? spare.word.removeFirst() : spare.other.removeFirst()
      letterOf[stretch.membership] = letter
      for number in members.indices where stretch.membership.contains(number) {
        members[number].append(letter...letter)
      }
      return letter
    }
    starts = stretches.map(\.start)
    spellings = Dictionary(uniqueKeysWithValues: zip(classes, members.map(CodePointSet.init)))
    count = Int(letters.max() ?? 0) + 1
    ascii = (UInt32(0)..<0x80).map { [starts, letters] codePoint in
      letters[starts.partitioningIndex { $0 > codePoint } - 1]
    }
  }

  /// The most bytes of UTF-8 that a letter has.
  var bytesOfLongest: Int { count > 0x80 ? 3 : 1 }

  /// At most what it costs to spell a byte. Finding a code point outside ASCII takes a binary search.
  var workPerByte: Int { 2 + 2 * (Int.bitWidth - starts.count.leadingZeroBitCount) }

  /// The class in letters.
  func spelling(of set: CodePointSet) -> CodePointSet { spellings[set] ?? .none }

  func letters(of set: CodePointSet) -> [Letter] { spelling(of: set).ranges.flatMap { Array($0) } }

  /// The same letters, as numbers.
  func letterSet(of set: CodePointSet) -> BitSet {
    letters(of: set).reduce(into: BitSet(below: count)) { $0.insert(Int($1)) }
  }

  /// Calls `body` with the text, which is given in UTF-8, in letters.
  func withSpelling<Result>(
    of text: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count * bytesOfLongest) { buffer in
      var end = 0
      for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
        let letter =
          scalar.value < 0x80 ? ascii[Int(scalar.value)] : letters[starts.partitioningIndex { $0 > scalar.value } - 1]
        if letter < 0x80 {
          buffer.initializeElement(at: end, to: UInt8(letter))
          end += 1
        } else if let spelled = Unicode.Scalar(letter) {
          for byte in UTF8.encode(spelled) ?? UTF8.encodedReplacementCharacter {
            buffer.initializeElement(at: end, to: byte)
            end += 1
          }
        }
      }
      return body(UnsafeBufferPointer(rebasing: buffer[..<end]))
    }
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
  private static let spare: (word: ArraySlice<Letter>, other: ArraySlice<Letter>) = {
    let ranges = CodePointSet.wordCharacters
    return (ranges.ranges.flatMap { $0 }[...], (Letter(0)..<0xD800).filter { !ranges.contains($0) }[...])
  }()
}
