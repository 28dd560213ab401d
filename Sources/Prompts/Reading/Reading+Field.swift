// MARK: Options

extension Reading {
  /// Options in a field.
  private static let optionLimit = 1_000

  /// The options of a `choice` or `choices` field. It is a fault if another kind has some.
  mutating func options(_ map: Mapping, for kind: Field.Kind) -> [Field.Option] {
    guard let node = map["options"] else {
      if kind.offersOptions {
        require("options", in: map, of: "\(kind.withArticle) field", remedy: "list them like `options: [small, large]`")
      }
      return []
    }
    guard kind.offersOptions else {
      report(
        .unfit(kind, "offers no options", remedy: "make the kind `choice` or `choices`, or use the rule `oneOf`"),
        at: node.place)
      return []
    }
    guard let elements = list(node, "options") else { return [] }
    if elements.isEmpty { report(.noOptions, at: node.place) }
    if elements.count > Self.optionLimit {
      report(.tooManyOptions(elements.count, limit: Self.optionLimit), at: elements[Self.optionLimit].place)
      return []
    }
    // Not a Set of strings: it would join texts that differ only in code points.
    var seen = Set<[UInt8]>()
    return elements.compactMap { element in
      guard let option = option(element) else { return nil }
      if seen.insert(Array(option.value.utf8)).inserted { return option }
      report(.repeatedOption(option.value), at: element.place)
      return nil
    }
  }

  private mutating func option(_ node: Node) -> Field.Option? {
    guard case .mapping = node.content else { return optionValue(node, "options").map { Field.Option($0) } }
    guard let map = mapping(node, as: "an option", keys: ["value", "title"]) else { return nil }
    require("value", in: map, of: "an option", remedy: "write what a program gets, like `value: small`")
    let title = text(map["title"], "title", as: .title, limit: 200)
    return optionValue(map["value"], "value").map { Field.Option($0, title: title) }
  }

  private mutating func optionValue(_ node: Node?, _ key: String) -> String? {
    guard let node, let value = string(node, key, orLiteral: true) else { return nil }
    if value.isEmpty {
      report(.emptyOption, at: node.place)
      return nil
    }
    return isUsable(value, key, as: .title, limit: 1_000, at: node.place) ? value : nil
  }
}

// MARK: The initial value

extension Reading {
  /// A field's initial value. It need not be valid, but it must be of the type that the field holds.
  mutating func input(_ node: Node?, for kind: Field.Kind) -> Input? {
    guard let node else { return nil }
    switch kind {
    case .choices:
      guard let texts = strings(node, "value") else { return nil }
      return texts.allSatisfy({ isUsable($0, at: node.place, kind) }) ? .choices(texts) : nil
    case .boolean:
      // A definition that is written back has a boolean as text.
      if case .string(let text) = node.content, text == "true" || text == "false" { return .text(text) }
      return bool(node, "value").map { .text(String($0)) }
    case .number, .integer, .slider, .choice, .date, .time, .dateTime:
      guard let text = string(node, "value", orLiteral: true) else { return nil }
      return isUsable(text, at: node.place, kind) ? .text(text) : nil
    case .text, .multiline, .email, .url, .tel, .password, .search:
      guard let text = string(node, "value") else { return nil }
      return isUsable(text, at: node.place, kind) ? .text(text) : nil
    }
  }

  private mutating func isUsable(_ text: String, at place: Node.Place, _ kind: Field.Kind) -> Bool {
    if text.utf8.count > TextRule.limit {
      report(.tooManyBytes(text.utf8.count), at: place)
      return false
    }
    return isUsable(text, "value", as: kind.isMultiline ? .lines : .line, limit: .max, at: place)
  }
}

// MARK: Answers

extension Reading {
  /// Reports what is wrong with how a field's value is written in an answer.
  mutating func checkAnswer(of field: Field, _ map: Mapping, isKindKnown: Bool) {
    if let node = map["valueType"], let type = field.answer.type, isKindKnown {
      let kind = field.kind
      if !kind.valueTypes.contains(type) {
        report(.valueType(kind, type, among: kind.valueTypes), at: node.place)
      } else if let option = field.options.first(where: { !type.holds($0.value) }) {
        report(.optionOfOtherType(option.value, type), at: node.place)
      }
    }
    if field.answer.omitsEmpty, !field.optional, let node = map["omitEmpty"] {
      report(.omitsRequired, at: node.place)
    }
    if field.answer.isNullable, !field.answer.omitsEmpty, let node = map["nullable"] {
      report(.nullableAlone(isOptional: field.optional), at: node.place)
    }
  }
}

extension Field.Kind {
  /// The types that its values can be written as.
  fileprivate var valueTypes: [Field.ValueType] {
    if quantity == .number { return [.number] }
    return self == .boolean ? [.boolean] : self == .choice ? Field.ValueType.allCases : [.string]
  }
}

extension Field.ValueType {
  /// Whether an option's text can be written as this type.
  fileprivate func holds(_ text: String) -> Bool {
    switch self {
    case .string: true
    case .number: ExactNumber(text) != nil
    case .boolean: text == "true" || text == "false"
    }
  }
}

// MARK: Typing

extension Reading {
  /// When messages may appear.
  mutating func moments(_ node: Node) -> Set<Field.Moment> {
    guard let elements = list(node, "validate") else { return [.afterEditing] }
    var moments = Set<Field.Moment>()
    for element in elements {
      guard let moment: Field.Moment = word(element, "validate") else { continue }
      if !moments.insert(moment).inserted {
        report(.repeatedMoment(moment), at: element.place)
      }
    }
    return moments
  }

  mutating func autocomplete(_ node: Node?) -> String? {
    guard let node, let text = string(node, "autocomplete") else { return nil }
    if Autofill.isValid(text) { return text }
    let last = text.split(separator: " ").last.map(String.init) ?? ""
    report(.autocomplete(text, nearest: Nearest.nearest(to: last, among: Autofill.words)), at: node.place)
    return nil
  }
}

/// The values of HTML's `autocomplete` attribute (HTML, 4.10.18.7.1).
private enum Autofill {
  /// `on`, `off`, or in this order: `section-…`, `shipping` or `billing`, for contacts `home` and the like, a field's
  /// name, `webauthn`. Only the name is required.
  static func isValid(_ text: String) -> Bool {
    if text == "on" || text == "off" { return true }
    var words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)[...]
    if words.last == "webauthn" { words.removeLast() }
    if let first = words.first, first.hasPrefix("section-"), first.utf8.count > 8 { words.removeFirst() }
    if words.first == "shipping" || words.first == "billing" { words.removeFirst() }
    if words.count == 2, ["home", "work", "mobile", "fax", "pager"].contains(words[words.startIndex]) {
      return contacts.contains(words[words.startIndex + 1])
    }
    return words.count == 1 && words.allSatisfy { fields.contains($0) || contacts.contains($0) }
  }

  static let words = ["on", "off"] + fields + contacts

  private static let fields = [
    "name", "honorific-prefix", "given-name", "additional-name", "family-name", "honorific-suffix", "nickname",
    "username", "new-password", "current-password", "one-time-code", "organization-title", "organization",
    "street-address", "address-line1", "address-line2", "address-line3", "address-level4", "address-level3",
    "address-level2", "address-level1", "country", "country-name", "postal-code", "cc-name", "cc-given-name",
    "cc-additional-name", "cc-family-name", "cc-number", "cc-exp", "cc-exp-month", "cc-exp-year", "cc-csc",
    "cc-type", "transaction-currency", "transaction-amount", "language", "bday", "bday-day", "bday-month",
    "bday-year", "sex", "url", "photo",
  ]

  private static let contacts = [
    "tel", "tel-country-code", "tel-national", "tel-area-code", "tel-local", "tel-local-prefix",
    "tel-local-suffix", "tel-extension", "email", "impp",
  ]
}
