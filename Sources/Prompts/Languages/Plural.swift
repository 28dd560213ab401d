/// A sentence about a whole number, in every form that the grammar of a language asks for.
///
/// Which form goes with a number is CLDR's plural rule for cardinal numbers (Unicode TS 35, part 3, section 5). A language
/// names the type with its rule, so one that leaves a form out does not compile.
package protocol PluralForms: Sendable {
  /// Each category of whole numbers and its sentence.
  var forms: [(category: PluralCategory, sentence: String)] { get }
  static func category(of number: Int) -> PluralCategory
}

/// CLDR's names of plural categories, as `Intl.PluralRules` has them.
package enum PluralCategory: String, Sendable, CaseIterable {
  case zero, one, two, few, many, other
}

extension PluralForms {
  /// The sentence for a number that is not negative.
  func form(for number: Int) -> String {
    let category = Self.category(of: number)
    // Every type has a form for each category that its rule gives.
    return forms.first { $0.category == category }?.sentence ?? ""
  }
}

/// The same for every number: Chinese, Japanese, Korean.
struct OneForm: PluralForms, ExpressibleByStringLiteral {
  let other: String

  init(stringLiteral other: String) { self.other = other }

  var forms: [(category: PluralCategory, sentence: String)] { [(.other, other)] }
  static func category(of number: Int) -> PluralCategory { .other }
}

/// One thing, and any other number: English, German, Dutch, Turkish.
struct OneOther: PluralForms {
  let one, other: String

  var forms: [(category: PluralCategory, sentence: String)] { [(.one, one), (.other, other)] }
  static func category(of number: Int) -> PluralCategory { number == 1 ? .one : .other }
}

/// None or one, and any other number: Hindi.
struct NoneOrOneOther: PluralForms {
  let one, other: String

  var forms: [(category: PluralCategory, sentence: String)] { [(.one, one), (.other, other)] }
  static func category(of number: Int) -> PluralCategory { number <= 1 ? .one : .other }
}

/// One, whole millions, and any other number: Italian, Spanish.
struct OneMillionsOther: PluralForms {
  let one, many, other: String

  var forms: [(category: PluralCategory, sentence: String)] { [(.one, one), (.many, many), (.other, other)] }
  static func category(of number: Int) -> PluralCategory {
    number == 1 ? .one : number > 0 && number.isMultiple(of: 1_000_000) ? .many : .other
  }
}

/// None or one, whole millions, and any other number: French, Portuguese.
struct NoneOrOneMillionsOther: PluralForms {
  let one, many, other: String

  var forms: [(category: PluralCategory, sentence: String)] { [(.one, one), (.many, many), (.other, other)] }
  static func category(of number: Int) -> PluralCategory {
    number <= 1 ? .one : number.isMultiple(of: 1_000_000) ? .many : .other
  }
}

/// One, two, and any other number: Hebrew.
struct OneTwoOther: PluralForms {
  let one, two, other: String

  var forms: [(category: PluralCategory, sentence: String)] { [(.one, one), (.two, two), (.other, other)] }
  static func category(of number: Int) -> PluralCategory { number == 1 ? .one : number == 2 ? .two : .other }
}

/// One; numbers that end in 2 to 4, but not in 12 to 14; and any other: Polish.
struct OneFewMany: PluralForms {
  let one, few, many: String

  var forms: [(category: PluralCategory, sentence: String)] { [(.one, one), (.few, few), (.many, many)] }
  static func category(of number: Int) -> PluralCategory {
    number == 1 ? .one : EndingsFewMany.category(of: number) == .few ? .few : .many
  }
}

/// Numbers that end in 1, but not in 11; in 2 to 4, but not in 12 to 14; and any other: Ukrainian.
struct EndingsFewMany: PluralForms {
  let one, few, many: String

  var forms: [(category: PluralCategory, sentence: String)] { [(.one, one), (.few, few), (.many, many)] }
  static func category(of number: Int) -> PluralCategory {
    if (11...14).contains(number % 100) { return .many }
    return number % 10 == 1 ? .one : (2...4).contains(number % 10) ? .few : .many
  }
}

/// Arabic: none, one, two, numbers that end in 03 to 10, in 11 to 99, and any other.
struct ZeroToOther: PluralForms {
  let zero, one, two, few, many, other: String

  var forms: [(category: PluralCategory, sentence: String)] {
    [(.zero, zero), (.one, one), (.two, two), (.few, few), (.many, many), (.other, other)]
  }
  static func category(of number: Int) -> PluralCategory {
    switch number {
    case 0: .zero
    case 1: .one
    case 2: .two
    default: (3...10).contains(number % 100) ? .few : (11...99).contains(number % 100) ? .many : .other
    }
  }
}
