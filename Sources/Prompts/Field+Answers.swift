extension Field {
  /// The form of a field's value in an answer.
  package struct AnswerForm: Sendable {
    /// The type that the value always has, or `nil` if the kind says: a number that no double holds is then a string.
    package var type: ValueType? {
      get { types.count == 1 ? types[0] : nil }
      set { types = newValue.map { [$0] } ?? [] }
    }
    /// The same for values of several types: one for each rule of the field's rule `any`. The first that is met counts.
    var types: [ValueType] = []
    /// True if an empty optional field is left out of the values and not null.
    var omitsEmpty = false
    /// True if the kind says all of an answer but where its value stands.
    package var isUsual: Bool { types.isEmpty && !omitsEmpty }
    /// True if the schema of the values also allows null for an empty field that is left out.
    var isNullable = false

    /// The rules that keep numbers to those of doubles, unless these rules do: programs read larger ones as infinite.
    func limits(among rules: [Rule], of kind: Kind) -> [Rule] {
      guard type == .number, !kind.offersOptions, kind != .integer else { return [] }
      let all = kind == .list ? rules.filter { $0.name == ItemsRule.name }.flatMap(\.inner) : rules
      let ranges = all.compactMap(\.condition.limits.range)
      if all.contains(where: { $0.name == IntegerRule.name })
        || [ranges.compactMap(\.min), ranges.compactMap(\.max)].allSatisfy({
          $0.contains { ValueType.number.holds($0.text) }
        })
      {
        return []
      }
      let most = Double.greatestFiniteMagnitude, range = Rule.range(-most...most)
      return [kind == .list ? .items([range]) : range]
    }
  }

  /// The rules of which the first that is met says the type of a value; none if all values have one type.
  var alternatives: [Rule] {
    guard answer.types.count > 1 else { return [] }
    return rules.lazy.map(\.inner).first { $0.count == answer.types.count } ?? []
  }

  /// The type of the value of a text, if the answer says types.
  func valueType(of text: String) -> ValueType? {
    let alternatives = alternatives
    if alternatives.isEmpty { return answer.type }
    let context = JudgingContext(sentences: .english, now: WallClock.system.now, predicates: .builtInOnly)
    // A number that no double holds is a string.
    let met = zip(alternatives, answer.types).first { rule, type in
      if case .met = rule.judge(.text(text), in: context) { type != .number || type.holds(text) } else { false }
    }
    return met?.1
  }

  /// A type of JSON values.
  package enum ValueType: String, Sendable, CaseIterable {
    case string, number, boolean
    /// Of a boolean: if it is on, there is an object, in which the values of other fields stand.
    case object

    /// True if a text can be written as this type.
    func holds(_ text: String) -> Bool {
      switch self {
      case .string: true
      case .number: ExactNumber(text) != nil && Double(text)?.isFinite == true
      case .boolean: text == "true" || text == "false"
      case .object: false
      }
    }
  }
}
