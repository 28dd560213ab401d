extension Rule {
  /// Every kind of rule there is. A new one is a type in this folder, a line here and, below, what makes it in Swift.
  static let catalogue: [any Condition.Type] = [
    NoneRule.self, NonEmpty.self, NotBlank.self, Length.self, PatternRule.self, PredicateRule.self,
    EmailRule.self, URLRule.self, FormatRule.self, IntegerRule.self, NumberRule.self,
    DateRule.self, TimeRule.self, DateTimeRule.self, RangeRule.self, StepRule.self,
    OneOf.self, Count.self, ItemsRule.self, SameAs.self, Compare.self,
    AllRule.self, AnyRule.self, NotRule.self,
  ]

  /// The names of those that can judge the list of a `choices` or `list` field.
  static let namesForLists = [
    NoneRule.name, NonEmpty.name, OneOf.name, Count.name, ItemsRule.name, AllRule.name, AnyRule.name, NotRule.name,
  ]

  /// The names of all rules.
  static let names: [String] = catalogue.map { $0.name }

  static func kind(named name: String) -> (any Condition.Type)? {
    catalogue.first { isSame($0.name, name) }
  }
}

// MARK: Texts

extension Rule {
  /// Always met, even by the empty text.
  public static let none = Rule(NoneRule())
  /// At least one code point; of choices, at least one chosen.
  public static let nonEmpty = Rule(NonEmpty())
  /// At least one visible code point: neither white space nor invisible.
  public static let notBlank = Rule(NotBlank())
  /// A valid e-mail address as HTML defines it (4.10.5.1.5).
  public static let email = Rule(EmailRule())
  /// The same with a domain that may be outside ASCII, as in `info@bücher.de`.
  public static let internationalEmail = Rule(EmailRule(international: true))
  /// An absolute http or https URL (WHATWG URL) without user info.
  public static let url = Rule(URLRule())
  /// A format of JSON Schema, such as a host name or an IP address.
  public static func format(_ format: Format) -> Rule { Rule(FormatRule(format: format)) }

  /// A number of code points within the bounds; `nil` means that there is no bound.
  public static func length(min: Int? = nil, max: Int? = nil) -> Rule { Rule(Length(min: min, max: max)) }

  /// The whole text matches an ECMAScript pattern (`u` mode).
  ///
  /// - Throws: `PatternFault` for a pattern that cannot mean the same everywhere.
  public static func pattern(_ source: String, ignoreCase: Bool = false) throws(PatternFault) -> Rule {
    Rule(PatternRule(pattern: try Pattern(source, ignoreCase: ignoreCase)))
  }

  /// The same with the bounds of `3...20`, `3...` or `...20`.
  public static func length(_ bounds: some InclusiveRange<Int>) -> Rule {
    .length(min: bounds.ends.min, max: bounds.ends.max)
  }

  /// One of the values, compared code point by code point; of choices, each chosen one.
  public static func oneOf(_ values: [String]) -> Rule { Rule(OneOf(values: values)) }

  /// The same of values that are written one after the other.
  public static func oneOf(_ values: String...) -> Rule { .oneOf(values) }

  /// A number of chosen options, or of a list's items, within the bounds.
  ///
  /// - Parameters:
  ///   - min: the smallest number, or `nil` for no lower bound.
  ///   - max: the largest number, or `nil` for no upper bound.
  ///   - unique: whether nothing may be in it twice.
  public static func count(min: Int? = nil, max: Int? = nil, unique: Bool = false) -> Rule {
    Rule(Count(min: min, max: max, unique: unique))
  }

  /// The same with the bounds of `1...3`, `1...` or `...3`.
  public static func count(_ bounds: some InclusiveRange<Int>, unique: Bool = false) -> Rule {
    .count(min: bounds.ends.min, max: bounds.ends.max, unique: unique)
  }

  /// Each item of a `list` meets these rules, as a text by itself. Rules that look at other fields, ask a predicate or
  /// need the time are none of an item.
  public static func items(_ rules: [Rule]) -> Rule { Rule(ItemsRule(rules: rules)) }
}

// MARK: Numbers, dates and times

extension Rule {
  /// `-?[0-9]+`, at most 34 digits.
  public static let integer = Rule(IntegerRule())
  /// A decimal number of at most 34 digits, as `ExactNumber` reads it.
  public static let number = Rule(NumberRule())
  /// A date as HTML writes it, `2025-01-31`, in the years 0001 to 9999.
  public static let date = Rule(DateRule())
  /// A time as HTML writes it: `09:30`, `09:30:15` or `09:30:15.250`.
  public static let time = Rule(TimeRule())
  /// A local date and time as HTML writes it: `2025-01-31T09:30`.
  public static let dateTime = Rule(DateTimeRule())

  /// Within two dates, times or local dates and times of the same form; `nil` means that there is no bound.
  @_disfavoredOverload
  public static func range(min: Quantity? = nil, max: Quantity? = nil) -> Rule { Rule(RangeRule(min: min, max: max)) }

  /// Within two numbers, compared exactly; `nil` means that there is no bound.
  public static func range(min: (any DecimalNumber)? = nil, max: (any DecimalNumber)? = nil) -> Rule {
    .range(min: min.map { Quantity($0.exactNumber) }, max: max.map { Quantity($0.exactNumber) })
  }

  /// The same with the bounds of `1...5`, `0.5...` or `...5`.
  public static func range(_ bounds: some InclusiveRange<some DecimalNumber>) -> Rule {
    .range(min: bounds.ends.min, max: bounds.ends.max)
  }

  /// A whole number of steps from a start, exactly.
  ///
  /// - Parameters:
  ///   - step: greater than 0.
  ///   - start: where steps are counted from, or `nil` for 0.
  public static func step(of step: any DecimalNumber, from start: (any DecimalNumber)? = nil) -> Rule {
    Rule(StepRule(of: step.exactNumber, from: start?.exactNumber))
  }
}

// MARK: Predicates

extension Rule {
  /// Decided by the closure or program that the server has registered under this name.
  public static func predicate(_ name: String) -> Rule { Rule(PredicateRule(predicate: name)) }

  /// A closure decides, wherever the rule stands: nothing has to be registered.
  ///
  /// ```swift
  /// Rule.predicate { Int($0)?.isMultiple(of: 2) ?? false }.saying("Enter an even number")
  /// ```
  ///
  /// - Parameters:
  ///   - name: what browsers and scripts see as the predicate's name. They leave the verdict to the server.
  ///   - isValid: called on the server's own threads, so it must not wait for anything.
  public static func predicate(
    _ name: String = "predicate", isValid: @escaping @Sendable (String) -> Bool
  ) -> Rule {
    Rule(PredicateRule(predicate: name, closure: Predicate(isValid: isValid)))
  }

  /// A closure decides, and says what is wrong.
  ///
  /// ```swift
  /// Rule.predicate { $0.contains(" ") ? .invalid("Enter it without spaces") : .valid }
  /// ```
  ///
  /// - Parameters:
  ///   - name: what browsers and scripts see as the predicate's name.
  ///   - result: called on the server's own threads, so it must not wait for anything.
  public static func predicate(
    _ name: String = "predicate", result: @escaping @Sendable (String) -> PredicateResult
  ) -> Rule {
    Rule(PredicateRule(predicate: name, closure: Predicate(.immediate { text, _ in result(text) })))
  }

  /// A closure that takes its time decides: one that asks a database or another server.
  ///
  /// ```swift
  /// Rule.predicate("free") { name in
  ///   do { return try await users.contains(name) ? .invalid("Choose another name") : .valid } catch { return .unchecked }
  /// }
  /// ```
  ///
  /// It is asked once the rules before it are met. `isValid` and `[Rule].verdict` cannot wait for it.
  ///
  /// - Parameters:
  ///   - name: what browsers and scripts see as the predicate's name.
  ///   - result: may be called several times at once.
  @_disfavoredOverload
  public static func predicate(
    _ name: String = "predicate", result: @escaping @Sendable (String) async -> PredicateResult
  ) -> Rule {
    Rule(PredicateRule(predicate: name, closure: Predicate(.asynchronous { text, _, _ in await result(text) })))
  }

  /// The same with a closure that only says whether the text is valid.
  @_disfavoredOverload
  public static func predicate(
    _ name: String = "predicate", isValid: @escaping @Sendable (String) async -> Bool
  ) -> Rule {
    .predicate(name) { (text) async -> PredicateResult in await isValid(text) ? .valid : .invalid() }
  }
}

// MARK: Predicates of several fields

extension Rule {
  /// A closure decides that also gets the values of other fields.
  ///
  /// ```swift
  /// Rule.predicate(reading: ["guests"]) { room, values in
  ///   room == "small" && values["guests"]?.integer ?? 0 > 10 ? .invalid("Choose a larger room") : .valid
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: what browsers and scripts see as the predicate's name.
  ///   - fields: the names of those fields. When a person changes one of them, the closure is asked again.
  ///   - result: called on the server's own threads, so it must not wait for anything. The values need not be valid: one
  ///     that is no number is a text. Of a field that is hidden, the value is the empty one.
  public static func predicate(
    _ name: String = "predicate", reading fields: [String],
    result: @escaping @Sendable (_ text: String, _ values: Values) -> PredicateResult
  ) -> Rule {
    Rule(PredicateRule(predicate: name, closure: Predicate(.immediate(result)), fields: fields))
  }

  /// The same with a closure that only says whether the text is valid.
  public static func predicate(
    _ name: String = "predicate", reading fields: [String],
    isValid: @escaping @Sendable (_ text: String, _ values: Values) -> Bool
  ) -> Rule {
    .predicate(name, reading: fields) { isValid($0, $1) ? .valid : .invalid() }
  }

  /// The same with a closure that takes its time, and may be called several times at once.
  @_disfavoredOverload
  public static func predicate(
    _ name: String = "predicate", reading fields: [String],
    result: @escaping @Sendable (_ text: String, _ values: Values) async -> PredicateResult
  ) -> Rule {
    let closure = Predicate(.asynchronous { text, values, _ in await result(text, values) })
    return Rule(PredicateRule(predicate: name, closure: closure, fields: fields))
  }
}

// MARK: Other fields and other rules

extension Rule {
  /// The order in which `compare` wants a value and another.
  public enum Order: String, Sendable, CaseIterable {
    case less, lessOrEqual, greater, greaterOrEqual
  }

  /// Equal to the text of the field of this name, compared code point by code point.
  public static func sameAs(_ field: String) -> Rule { Rule(SameAs(field: field)) }
  /// Less or greater than the value of the field of this name, which has the same kind.
  public static func compare(_ order: Order, than field: String) -> Rule { Rule(Compare(field: field, order: order)) }

  /// All of them; the first that fails gives the message.
  public static func all(_ rules: [Rule]) -> Rule { Rule(AllRule(rules: rules)) }
  /// At least one of them.
  public static func any(_ rules: [Rule]) -> Rule { Rule(AnyRule(rules: rules)) }
  /// Not this one.
  public static func not(_ rule: Rule) -> Rule { Rule(NotRule(rules: [rule])) }
}
