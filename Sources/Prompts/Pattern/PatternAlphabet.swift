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
  /// The most bytes of UTF-8 that a letter has.
  let bytesOfLongest: Int

  /// The alphabet of a pattern whose work has been paid for.
  init(of syntax: PatternSyntax) {
    var budget = WorkBudget.unlimited
    do throws(PatternFault) { try self.init(of: syntax, budget: &budget) } catch {
      preconditionFailure("an unlimited budget lasts")
    }
  }

  /// - Throws: `PatternFault` with the reason `tooCostly` if the budget does not last.
  init(of syntax: PatternSyntax, budget: inout WorkBudget) throws(PatternFault) {
    var numbers: [CodePointSet: Int] = [.wordCharacters: 0]
    syntax.forEachClass { set in if numbers[set] == nil { numbers[set] = numbers.count } }
    try budget.pay(Self.work(telling: numbers))

    let stretches = Self.stretches(of: numbers)
    var letterOf: [Membership: Letter] = [:]
    var spare = Self.spare
    var members = Array(repeating: [CodePointSet.Range](), count: numbers.count)
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
    spellings = numbers.mapValues { CodePointSet(members[$0]) }
    bytesOfLongest = letterOf.values.contains { $0 >= 0x80 } ? 3 : 1

    var stretch = 0
    ascii = (UInt32(0)..<0x80).map { [starts, letters] codePoint in
      while stretch + 1 < starts.count, starts[stretch + 1] <= codePoint { stretch += 1 }
      return letters[stretch]
    }
  }

  /// At most what it costs to spell a byte. Finding a code point outside ASCII takes a binary search.
  var workPerByte: Int { 2 + 2 * (Int.bitWidth - starts.count.leadingZeroBitCount) }

  /// The class in letters.
  func spelling(of set: CodePointSet) -> CodePointSet { spellings[set] ?? .none }

  /// Calls `body` with the text, which is given in UTF-8, in letters.
  func withSpelling<Result>(
    of text: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count * bytesOfLongest) { buffer in
      var end = spellASCII(text, into: buffer)
      if end == text.count { return body(UnsafeBufferPointer(rebasing: buffer[..<end])) }
      end = 0
      for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
        let letter = scalar.value < 0x80 ? ascii[Int(scalar.value)] : letters[stretch(of: scalar.value)]
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

  /// Spells the text byte for byte, as far as both it and its letters are ASCII.
  ///
  /// - Returns: how many bytes it spelled.
  private func spellASCII(
    _ text: UnsafeBufferPointer<UInt8>, into buffer: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    for (index, byte) in text.enumerated() {
      guard byte < 0x80, ascii[Int(byte)] < 0x80 else { return index }
      buffer.initializeElement(at: index, to: UInt8(ascii[Int(byte)]))
    }
    return text.count
  }

  private func stretch(of codePoint: UInt32) -> Int {
    starts.partitioningIndex { $0 > codePoint } - 1
  }
}

// MARK: Telling code points apart

extension PatternAlphabet {
  /// The numbers of the classes that a code point is in.
  private struct Membership: Hashable {
    private var words: [UInt64]

    init(classes: Int) { words = Array(repeating: 0, count: (classes + 63) / 64) }

    func contains(_ number: Int) -> Bool { words[number / 64] >> (number % 64) & 1 == 1 }
    mutating func toggle(_ number: Int) { words[number / 64] ^= 1 << (number % 64) }
  }

  /// At most what it costs to tell these classes apart: to sort the ends of all ranges and look for each letter in each
  /// class.
  private static func work(telling numbers: [CodePointSet: Int]) -> Int {
    let ends = 2 * numbers.keys.reduce(0) { $0 + $1.ranges.count }
    return 10_000 + 200 * ends + 2 * numbers.count * min(ends, 4_000)
  }

  private static func stretches(of numbers: [CodePointSet: Int]) -> [(start: UInt32, membership: Membership)] {
    var turns: [(at: UInt32, number: Int)] = []
    for (set, number) in numbers {
      for range in set.ranges { turns += [(range.lowerBound, number), (range.upperBound + 1, number)] }
    }
    turns.sort { $0.at < $1.at }
    var stretches = [(start: UInt32(0), membership: Membership(classes: numbers.count))]
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
