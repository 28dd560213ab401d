/// Which positions of an automaton one text can lead to, read in two different ways.
struct CommonPositions {
  /// A set of positions.
  struct Row {
    private var words: [UInt64]

    init(count: Int, _ position: Int? = nil) {
      words = Array(repeating: 0, count: (count + 63) / 64)
      if let position { insert(position) }
    }

    mutating func insert(_ position: Int) { words[position / 64] |= 1 << (position % 64) }
    func meets(_ other: Row) -> Bool { words.indices.contains { words[$0] & other.words[$0] != 0 } }
  }

  /// For each position those that a text which leads to it can lead to as well, if it is another.
  private(set) var rows: [Row]

  /// Nil if more than `limit` pairs of steps would have to be looked at.
  ///
  /// - Parameter texts: takes the texts in question.
  init?(of automaton: PositionAutomaton, on texts: PositionAutomaton, limit: Int) {
    let count = automaton.sets.count
    rows = Array(repeating: Row(count: count), count: count)
    let overlap = Overlap(automaton.sets, texts.sets)
    let steps = automaton.edges.map { $0.map(\.target) }
    let textSteps = texts.edges.map { $0.map(\.target) }
    // A table and not a set: this is asked for every pair of steps.
    var isKnown = [Bool](repeating: false, count: count * count * texts.sets.count)
    var places = [(first: 0, second: 0, text: 0)]
    var work = 0
    while let place = places.popLast() {
      let (own, others) = (steps[place.first], steps[place.second])
      for textTarget in textSteps[place.text] {
        for (index, target) in own.enumerated() {
          // Readers who are together may be exchanged, so half of their steps tell all.
          let partners = others.dropFirst(place.first == place.second ? index : 0)
          work += partners.count
          guard work <= limit else { return nil }
          for partner in partners where overlap.isPossible(target, partner, textTarget) {
            let (first, second) = (min(target, partner), max(target, partner))
            let key = (first * count + second) * texts.sets.count + textTarget
            if isKnown[key] { continue }
            isKnown[key] = true
            if first != second {
              rows[first].insert(second)
              rows[second].insert(first)
            }
            places.append((first, second, textTarget))
          }
        }
      }
    }
  }
}

/// Which positions can take the same code point.
private struct Overlap {
  /// Positions of the same kind take the same code points.
  private let kinds: [Int]
  private let kindCount: Int
  private let textCount: Int
  private let isPossible: [Bool]

  init(_ sets: [CodePointSet], _ textSets: [CodePointSet]) {
    var numbers: [CodePointSet: Int] = [:]
    var distinct: [CodePointSet] = []
    func number(of set: CodePointSet) -> Int {
      if let known = numbers[set] { return known }
      numbers[set] = distinct.count
      distinct.append(set)
      return distinct.count - 1
    }
    kinds = sets.map(number)
    kindCount = distinct.count
    var table: [Bool] = []
    for first in distinct {
      for second in distinct {
        let both = first.intersects(second) ? first.intersection(second) : .none
        for text in textSets { table.append(both.intersects(text)) }
      }
    }
    isPossible = table
    textCount = textSets.count
  }

  func isPossible(_ first: Int, _ second: Int, _ text: Int) -> Bool {
    isPossible[(kinds[first] * kindCount + kinds[second]) * textCount + text]
  }
}
