/// CLDR's names of plural categories, as `Intl.PluralRules` has them.
enum PluralCategory: String, Sendable, CaseIterable {
  case zero, one, two, few, many, other
}

/// The rules that CLDR publishes for a language, by which a whole number chooses the form of a sentence.
///
/// Unicode TS 35, part 3, section 5.1, without samples: `i % 10 = 2..4 and i % 100 != 12..14 or …`.
struct PluralRules: Sendable {
  /// One comparison of a rule, of a remainder.
  private struct Relation: Sendable {
    let divisor: Int
    let isEqual: Bool
    let values: [ClosedRange<Int>]

    /// `nil` if the text does not have the form `i % 10 != 2..4,9`.
    init?(_ text: Substring) {
      var words = text.split(separator: " ")
      let hasDivisor = words.count == 5 && words[1] == "%", divisor = hasDivisor ? Int(words[2]) : .max
      if hasDivisor { words.removeSubrange(1...2) }
      guard let divisor, divisor > 0, words.count == 3, ["=", "!="].contains(words[1]),
        ["n", "i", "v", "w", "f", "t", "e", "c"].contains(words[0])
      else { return nil }
      // The operands for decimals and exponents are 0 here.
      self.divisor = ["n", "i"].contains(words[0]) ? divisor : 1
      isEqual = words[1] == "="
      values = words[2].split(separator: ",").compactMap { range in
        let bounds = range.split(separator: ".").compactMap { Int($0) }
        guard let first = bounds.first, let last = bounds.last, first <= last else { return nil }
        return first...last
      }
      if values.isEmpty { return nil }
    }

    func holds(for number: Int) -> Bool { values.contains { $0.contains(number % divisor) } == isEqual }
  }

  /// Each category's rule: of these lists, one must hold as a whole.
  private let rules: [(category: PluralCategory, alternatives: [[Relation]])]

  /// - Parameter rules: those of every category but `other`.
  /// - Returns: `nil` if one of them cannot be read.
  init?(_ rules: [PluralCategory: String]) {
    var read: [(PluralCategory, [[Relation]])] = []
    for (category, rule) in rules {
      let texts = rule.split(separator: " or ").map { $0.split(separator: " and ") }
      let alternatives = texts.map { $0.compactMap { Relation($0) } }
      guard !texts.isEmpty, alternatives.map(\.count) == texts.map(\.count) else { return nil }
      read.append((category, alternatives))
    }
    self.rules = read
  }

  /// The category of a number that is not negative.
  func category(of number: Int) -> PluralCategory {
    rules.first { rule in
      rule.alternatives.contains { $0.allSatisfy { $0.holds(for: number) } }
    }?.category ?? .other
  }
}
