@testable import Prompts
import TestSupport

/// A plain backtracking engine that counts how often it compares a code point: what browsers do, by ECMA-262's rules.
struct BacktrackingEngine {
  private enum Instruction {
    case codePoint(CodePointSet)
    case assertion(PatternSyntax.Assertion)
    /// Goes on here first, there if that fails.
    case split(Int, Int)
    case jump(Int)
    /// Remembers where an iteration begins.
    case mark(Int)
    /// Fails if the iteration took nothing.
    case advance(Int)
  }

  private var program: [Instruction] = []
  private var marks = 0
  /// A code point of each class, and one of none.
  private(set) var letters: [UInt32] = []

  /// Nil if the program is too large for a test.
  init?(_ syntax: PatternSyntax) {
    guard add(syntax) else { return nil }
    letters += [0x2028, 0x0A, 0x21]
  }

  private mutating func add(_ syntax: PatternSyntax) -> Bool {
    guard program.count < 20_000 else { return false }
    switch syntax {
    case .empty: return true
    case .codePoint(let set):
      for range in set.ranges.prefix(3) where !letters.contains(range.lowerBound) { letters.append(range.lowerBound) }
      program.append(.codePoint(set))
      return true
    case .assertion(let assertion):
      program.append(.assertion(assertion))
      return true
    case .sequence(let parts):
      return parts.allSatisfy { add($0) }
    case .choice(let choices):
      var jumps: [Int] = []
      for (index, choice) in choices.enumerated() {
        let split = program.count
        if index < choices.count - 1 { program.append(.jump(0)) }
        guard add(choice) else { return false }
        if index < choices.count - 1 {
          jumps.append(program.count)
          program.append(.jump(0))
          program[split] = .split(split + 1, program.count)
        }
      }
      for jump in jumps { program[jump] = .jump(program.count) }
      return true
    case .repetition(let body, let min, let max):
      for _ in 0..<min { guard add(body) else { return false } }
      guard let max else { return addIteration(of: body, loops: true) }
      var splits: [Int] = []
      for _ in min..<Swift.max(min, max) {
        splits.append(program.count)
        guard addIteration(of: body, loops: false) else { return false }
      }
      for split in splits { program[split] = .split(split + 1, program.count) }
      return true
    }
  }

  private mutating func addIteration(of body: PatternSyntax, loops: Bool) -> Bool {
    let (split, mark) = (program.count, marks)
    marks += 1
    program += [.jump(0), .mark(mark)]
    guard add(body) else { return false }
    program.append(.advance(mark))
    if loops { program.append(.jump(split)) }
    program[split] = .split(split + 1, program.count)
    return true
  }

  /// How many code points are compared until the whole text matches or does not.
  func steps(on text: [UInt32], atMost limit: Int) -> Int {
    var steps = 0
    var states = [(place: 0, index: 0, marks: [Int](repeating: -1, count: marks))]
    while var state = states.popLast() {
      thread: while true {
        guard state.place < program.count else {
          if state.index == text.count { return steps }
          break
        }
        switch program[state.place] {
        case .codePoint(let set):
          steps += 1
          if steps > limit { return steps }
          guard state.index < text.count, set.contains(text[state.index]) else { break thread }
          state.index += 1
        case .assertion(let assertion):
          guard holds(assertion, text, state.index) else { break thread }
        case .split(let first, let second):
          states.append((second, state.index, state.marks))
          state.place = first
          continue
        case .jump(let place):
          state.place = place
          continue
        case .mark(let mark): state.marks[mark] = state.index
        case .advance(let mark): if state.marks[mark] == state.index { break thread }
        }
        state.place += 1
      }
    }
    return steps
  }

  private func holds(_ assertion: PatternSyntax.Assertion, _ text: [UInt32], _ index: Int) -> Bool {
    func isWord(_ index: Int) -> Bool {
      text.indices.contains(index) && CodePointSet.wordCharacters.contains(text[index])
    }
    return switch assertion {
    case .start: index == 0
    case .end: index == text.count
    case .wordBoundary: isWord(index - 1) != isWord(index)
    case .notWordBoundary: isWord(index - 1) == isWord(index)
    }
  }
}

extension PatternGenerator {
  /// A text of up to three stretches that each repeat a few letters: what keeps backtracking engines busy.
  mutating func pumpedText(of letters: [UInt32], length: Int) -> [UInt32] {
    var text: [UInt32] = []
    let stretches = number(1...3)
    for stretch in 1...stretches {
      let unit = (0..<number(1...3)).map { _ in letters[number(0...letters.count - 1)] }
      while text.count < length * stretch / stretches { text += unit }
    }
    text = Array(text.prefix(max(0, length - 1)))
    return text + [letters[number(0...letters.count - 1)]]
  }
}
