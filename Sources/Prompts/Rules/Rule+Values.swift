/// Rules as Swift values.
extension Rule {
  /// Always met, by the empty text too.
  public static let none = Rule(NoneRule())
  /// At least one code point; of choices, at least one chosen.
  public static let nonEmpty = Rule(NonEmpty())
  /// At least one code point that is not white space.
  public static let notBlank = Rule(NotBlank())
  /// HTML's valid e-mail address.
  public static let email = Rule(EmailRule())
  /// The same with a domain that may be outside ASCII, as in `info@bücher.de`.
  public static let internationalEmail = Rule(EmailRule(international: true))
  /// An absolute http or https URL.
  public static let url = Rule(URLRule())
  public static let integer = Rule(IntegerRule())
  public static let number = Rule(NumberRule())
  public static let date = Rule(DateRule())
  public static let time = Rule(TimeRule())
  public static let dateTime = Rule(DateTimeRule())

  /// A number of code points within the bounds.
  public static func length(min: Int? = nil, max: Int? = nil) -> Rule { Rule(Length(min: min, max: max)) }

  /// The whole text matches an ECMAScript pattern (`u` mode).
  ///
  /// - Throws: `PatternFault` for a pattern that cannot mean the same everywhere.
  public static func pattern(_ source: String, ignoreCase: Bool = false) throws(PatternFault) -> Rule {
    Rule(PatternRule(pattern: try Pattern(source, ignoreCase: ignoreCase)))
  }

  /// The predicate registered on the server under this name says so.
  public static func predicate(_ name: String) -> Rule { Rule(PredicateRule(predicate: name)) }

  /// Within two numbers, dates, times or local dates and times, compared exactly; nil: no bound.
  public static func range(min: Quantity? = nil, max: Quantity? = nil) -> Rule { Rule(RangeRule(min: min, max: max)) }

  /// A whole number of steps from a start, exactly.
  public static func step(of step: ExactNumber, from start: ExactNumber? = nil) -> Rule {
    Rule(StepRule(of: step, from: start))
  }

  /// One of the values, code point by code point.
  public static func oneOf(_ values: [String]) -> Rule { Rule(OneOf(values: values)) }
  /// A number of chosen options within the bounds.
  public static func count(min: Int? = nil, max: Int? = nil) -> Rule { Rule(Count(min: min, max: max)) }
  /// Equal to another field's text.
  public static func sameAs(_ field: String) -> Rule { Rule(SameAs(field: field)) }
  /// Ordered against another field's value.
  public static func compare(_ order: Order, _ field: String) -> Rule { Rule(Compare(field: field, order: order)) }

  /// All of them; the first that fails gives the message.
  public static func all(_ rules: [Rule]) -> Rule { Rule(AllRule(rules: rules)) }
  /// Any of them.
  public static func any(_ rules: [Rule]) -> Rule { Rule(AnyRule(rules: rules)) }
  /// Not this one.
  public static func not(_ rule: Rule) -> Rule { Rule(NotRule(rules: [rule])) }
}
