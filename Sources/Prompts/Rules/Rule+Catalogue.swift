extension Rule {
  /// Every kind of rule there is. A new one is a file beside this one and a line here.
  static let catalogue: [any Condition.Type] = [
    NoneRule.self, NonEmpty.self, NotBlank.self, Length.self, PatternRule.self, PredicateRule.self,
    EmailRule.self, URLRule.self, IntegerRule.self, NumberRule.self,
    DateRule.self, TimeRule.self, DateTimeRule.self, RangeRule.self, StepRule.self,
    OneOf.self, Count.self, SameAs.self, Compare.self,
    AllRule.self, AnyRule.self, NotRule.self,
  ]

  /// The names of all rules.
  package static let names: [String] = catalogue.map { $0.name }

  static func kind(named name: String) -> (any Condition.Type)? {
    catalogue.first { isSame($0.name, name) }
  }
}
