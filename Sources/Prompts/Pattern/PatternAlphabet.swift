/// The code points as one pattern tells them apart: those that are in the same of its classes are one letter.
///
/// RE2 is given the pattern and the text in letters. A class of a thousand ranges, like `\p{L}`, is then a letter or two
/// and a hundred copies of it a small program; in code points they would take RE2 a tenth of a second to compile.
/// Letters are spelled in UTF-8 as code points, those of word characters as word characters, so that `\b` means the same
/// among letters.
struct PatternAlphabet: Sendable {
  typealias Letter = UInt32

  /// Where stretches of one letter begin, in order, the first at U+0000.
  private let starts: [UInt32]
  /// The letter from each of the `starts` on.
  private let letters: [Letter]
  /// The letters of each class of the pattern.
  private let spellings: [CodePointSet: CodePointSet]
  /// The letters of ASCII's code points: most texts have no others.
  private let ascii: [Letter]
  /// Bytes of UTF-8 that a letter has at most.
  let bytesOfLongest: Int

  /// - Throws: `PatternFault` with the reason `tooCostly` if the budget does not last.
  /// The same for what was paid for already.
  init(of syntax: PatternSyntax) {
    var budget = WorkBudget.unlimited
    do throws(PatternFault) { try self.init(of: syntax, budget: &budget) } catch {
      preconditionFailure("an unlimited budget lasts")
    }
  }

  init(of syntax: PatternSyntax, budget: inout WorkBudget) throws(PatternFault) {
    var numbers: [CodePointSet: Int] = [.wordCharacters: 0]
    syntax.forEachClass { set in if numbers[set] == nil { numbers[set] = numbers.count } }
    guard budget.spend(Self.work(telling: numbers)) else { throw PatternFault(.tooCostly, column: 1) }

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

  /// At most what it costs to spell a byte; a code point outside ASCII is looked for among the stretches.
  var workPerByte: Int { 2 + 2 * (Int.bitWidth - starts.count.leadingZeroBitCount) }

  /// The class in letters.
  func spelling(of set: CodePointSet) -> CodePointSet { spellings[set] ?? .none }

  /// Calls `body` with the text in letters.
  func withSpelling<Result>(of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.utf8.count * bytesOfLongest) { buffer in
      var end = spellASCII(text, into: buffer)
      if end == text.utf8.count { return body(UnsafeBufferPointer(rebasing: buffer[..<end])) }
      end = 0
      for scalar in text.unicodeScalars {
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

  /// Spells the text as far as both it and its letters are ASCII, byte for byte; returns how far that was.
  private func spellASCII(_ text: String, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    text.withBytes { bytes in
      for (index, byte) in bytes.enumerated() {
        guard byte < 0x80, ascii[Int(byte)] < 0x80 else { return index }
        buffer.initializeElement(at: index, to: UInt8(ascii[Int(byte)]))
      }
      return bytes.count
    }
  }

  private func stretch(of codePoint: UInt32) -> Int {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= codePoint { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }
}

// MARK: Telling code points apart

extension PatternAlphabet {
  /// In which of the numbered classes a code point is.
  private struct Membership: Hashable {
    private var words: [UInt64]

    init(classes: Int) { words = Array(repeating: 0, count: (classes + 63) / 64) }

    func contains(_ number: Int) -> Bool { words[number / 64] >> (number % 64) & 1 == 1 }
    mutating func toggle(_ number: Int) { words[number / 64] ^= 1 << (number % 64) }
  }

  /// At most what it costs to tell these classes apart: the ends of all ranges are sorted, and each letter is looked
  /// for in each class.
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

  /// Letters not given yet. Of word characters there are as many as there can be letters of them.
  private static let spare: (word: ArraySlice<Letter>, other: ArraySlice<Letter>) = {
    let ranges = CodePointSet.wordCharacters
    return (ranges.ranges.flatMap { $0 }[...], (Letter(0)..<0xD800).filter { !ranges.contains($0) }[...])
  }()
}

extension PatternSyntax {
  fileprivate func forEachClass(_ body: (CodePointSet) -> Void) {
    switch self {
    case .empty, .assertion: break
    case .codePoint(let set): body(set)
    case .sequence(let parts), .choice(let parts): for part in parts { part.forEachClass(body) }
    case .repetition(let part, _, _): part.forEachClass(body)
    }
  }
}
