/// CLDR's names of plural categories, as `Intl.PluralRules` has them.
package enum PluralCategory: String, Sendable, CaseIterable {
  case zero, one, two, few, many, other
}

/// Which form of a sentence goes with a whole number, by the rules that CLDR publishes for a language.
///
/// Unicode TS 35, part 3, section 5.1, without samples: `i % 10 = 2..4 and i % 100 != 12..14 or …`.
struct PluralRules: Sendable {
  /// One comparison of a rule.
  private struct Relation: Sendable {
    /// Whether it looks at the number. The operands for decimals and exponents are 0 here.
    let isOfNumber: Bool
    let divisor: Int?
    let isEqual: Bool
    let values: [ClosedRange<Int>]

    /// `nil` if the text does not have the form `i % 10 != 2..4,9`.
    init?(_ text: some StringProtocol) {
      var words = text.split(separator: " ")[...]
      guard let operand = words.popFirst(), ["n", "i", "v", "w", "f", "t", "e", "c"].contains(operand) else {
        return nil
      }
      isOfNumber = operand == "n" || operand == "i"
      divisor = words.first == "%" ? words.dropFirst().first.flatMap { Int($0) } : nil
      if words.first == "%" { words = words.dropFirst(2) }
      guard divisor != 0, let sign = words.popFirst(), sign == "=" || sign == "!=", words.count == 1 else { return nil }
      isEqual = sign == "="
      values = words.joined().split(separator: ",").compactMap { range in
        let bounds = range.split(separator: ".").compactMap { Int($0) }
        guard let first = bounds.first, let last = bounds.last, first <= last else { return nil }
        return first...last
      }
      if values.isEmpty { return nil }
    }

    func holds(for number: Int) -> Bool {
      let operand = isOfNumber ? number : 0
      let value = divisor.map { operand % $0 } ?? operand
      return values.contains { $0.contains(value) } == isEqual
    }
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
