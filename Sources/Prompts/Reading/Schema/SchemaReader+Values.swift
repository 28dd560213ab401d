/// Turns schemas of each type into fields.
extension SchemaReader {
  /// Adds the rest of a property's field: its kind, its rules, its initial value and the form of its answer.
  mutating func expressValues(_ property: inout Property) {
    let count = reading.faults.count
    expressExclusions(&property)
    // A box has no third state, and no titles for its two.
    let isTitled = property.options?.contains { $0.title != nil || $0.help != nil } ?? false
    let isBox = !property.isNullable && !isTitled && (property.isRequired || property.options?.count != 1)
    if property.type == "boolean", property.options == nil, !isBox {
      property.options = [true, false].map { .init(value: Node(.bool($0), standingFor: property.place)) }
    }
    switch property.type {
    case "array": expressChoices(&property)
    case "boolean" where isBox: expressCheckbox(&property)
    case _ where property.options != nil: expressChoice(&property)
    case "string": expressText(&property)
    default: expressNumber(&property)
    }
    if reading.faults.count == count { expressDefault(&property) }
    if property.kind.isTyped { expressExample(&property) }
    let valueTypes = ["number": "number", "integer": "number", "boolean": "boolean"]
    property.add("valueType", .string(valueTypes[property.itemType ?? property.type] ?? "string"))
    expressAbsence(&property)
  }

  /// Says whether the value may be missing, and how that is answered.
  mutating func expressAbsence(_ property: inout Property) {
    property.add("optional", .bool(!property.isRequired || property.isNullable))
    guard !property.isRequired else { return }
    property.add("omitEmpty", .bool(true))
    if property.isNullable { property.add("nullable", .bool(true)) }
  }

  /// Finds the kind that a property asks for, or else takes the first of these.
  mutating func expressKind(_ property: inout Property, _ kinds: [Field.Kind]) {
    property.kind = kinds[0]
    if let node = property.extra("kind"), let kind: Field.Kind = reading.word(node, "kind") {
      if !kinds.contains(kind) {
        report(
          "other-kind", ["kind": kind.withArticle, "nearest": Nearest(to: "", among: kinds.map(\.rawValue))],
          at: node.place)
      }
      property.kind = kind
    }
    property.add("kind", property.extra("kind") ?? Node(.string(kinds[0].rawValue), standingFor: property.place))
  }

  /// Writes out the rule that a kind implies.
  private func expressRule(of kind: Field.Kind, by statement: Statement, _ property: inout Property) {
    guard let rule = kind.impliedRule(options: [], international: false)?.name else { return }
    property.addRule(.keyword(rule, .bool(true)), for: statement)
  }

  /// Writes out the rule that the field's kind implies, where it comes first, if a keyword has a message for it.
  func expressRuleOfKind(by statement: Statement?, _ property: inout Property) {
    guard let statement, property.message(for: statement.key) != nil else { return }
    expressRule(of: property.kind, by: statement, &property)
  }

  /// Reads the initial value of a field: `default`, if it has the type.
  private mutating func expressDefault(_ property: inout Property) {
    guard let value = property.unexpressed["default"]?.value, property.entries["value"] == nil, !value.isNull,
      // What is unexpressed may be what the value is about, and is reported.
      property.unexpressed.allSatisfy({ $0.isAnnotation || !$0.speaks(of: property.type) })
    else { return }
    shown.append(value)
    let text = property.options.flatMap { _ in Self.text(of: value) }
    func isOf(_ type: String, _ value: Node) -> Bool { value.isOf(type == "integer" ? "number" : type) }
    var isFitting = text != nil || property.options == nil && isOf(property.type, value)
    if case .sequence(let items) = value.content, let type = property.itemType {
      if let other = items.first(where: { !isOf(type, $0) }) {
        return report("default-of-other-type", ["type": type], at: other.place)
      }
      isFitting = true
    }
    if isFitting {
      property.add("value", text.map { Node(.string($0), standingFor: value.place) } ?? value)
    } else {
      report("default-of-other-type", ["type": property.type], at: value.place)
    }
  }

  /// The first example, in the empty field.
  private mutating func expressExample(_ property: inout Property) {
    guard property.extra("placeholder") == nil, let list = property.unexpressed["examples"]?.value,
      case .sequence(let examples) = list.content,
      let example = examples.lazy.compactMap(\.scalarText).first, !example.isEmpty, example.unicodeScalars.count <= 200,
      example.utf8.allSatisfy({ $0 >= 0x20 })
    else { return }
    shown.append(list)
    property.add("placeholder", .string(example))
  }

  // MARK: Texts

  mutating func expressText(_ property: inout Property) {
    let formats = property.takeAll("format")
    let isPlainText = expressMedia(&property)
    // Each format narrows the kinds that the field can have. The preferred kind is one that every format allows.
    var kinds: [Field.Kind] = [.text, .multiline, .email, .url, .tel, .password, .search, .date, .time, .dateTime]
    for format in formats {
      guard let kind = say(format, &property) else { continue }
      kinds.removeAll { $0 != kind }
      if kinds.isEmpty { report("conflicting-format", ["word": format.value.scalarText ?? ""], at: format.value.place) }
    }
    guard !kinds.isEmpty else { return }
    if property.extra("timeZone") != nil {
      // These keywords restrict the answer, but rules judge the text that is entered.
      for statement in ["minLength", "maxLength", "pattern"].flatMap({ property.takeAll($0) }) {
        report("not-of-moments", ["keyword": statement.key], at: statement.place)
      }
    }
    let most = expressLengths(&property)
    if formats.isEmpty, isPlainText || most ?? 0 > 256 { kinds.insert(.multiline, at: 0) }
    expressKind(&property, kinds)
    expressRuleOfKind(by: formats.first, &property)
    for statement in property.takeAll("pattern") { expressPattern(statement, &property) }
  }

  /// Reads what kind of content a text is, which must be plain text.
  ///
  /// - Returns: whether anything says so.
  private mutating func expressMedia(_ property: inout Property) -> Bool {
    let media = property.takeAll("contentMediaType").map(\.value)
    for node in media where node.scalarText?.prefix(while: { $0 != ";" }).lowercased() != "text/plain" {
      report("other-media", at: node.place)
    }
    return !media.isEmpty
  }

  /// Says `minLength` and `maxLength`.
  ///
  /// - Returns: the most code points.
  @discardableResult
  mutating func expressLengths(_ property: inout Property) -> Int? {
    let (min, max) = (counts("minLength", "min", &property), counts("maxLength", "max", &property))
    say(min + max, by: "length", &property)
    return max.compactMap { Int($0.text) }.min()
  }

  /// Expresses a pattern, which may match anywhere in the text, by rules that match the whole text.
  mutating func expressPattern(_ statement: Statement, _ property: inout Property) {
    guard let source = reading.string(statement.value, "pattern"),
      let parsed = reading.searchPattern(source, at: statement.value.place)
    else { return }
    let scalars = Array(source.unicodeScalars)
    func text(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }
    for lookahead in parsed.lookaheads {
      let rule = Self.pattern("(?:\(text(lookahead.body)))\(Self.anything)")
      property.addRule(lookahead.isNegated ? .keyword("not", rule) : rule, for: statement)
    }
    let rest = parsed.lookaheads.last.map { "^" + text($0.body.upperBound + 1..<scalars.count) } ?? source
    let isStart = !parsed.lookaheads.isEmpty || parsed.syntax.isAnchored(by: .start)
    let isEnd = parsed.syntax.isAnchored(by: .end)
    let (before, after) = (isStart ? "" : Self.anything, isEnd ? "" : Self.anything)
    let pattern = isStart && isEnd ? rest : "\(before)(?:\(rest))\(after)"
    property.addRule(Self.pattern(pattern), for: statement)
  }

  /// Any text, in a spelling that every engine reads.
  static let anything = #"[\s\S]*"#

  private static func pattern(_ source: String) -> JSON { .keyword("pattern", .string(source)) }

  /// Adds the rules for a format.
  ///
  /// - Returns: the kind of field that the format asks for, or `nil` for any kind of text.
  private mutating func say(_ statement: Statement, _ property: inout Property) -> Field.Kind? {
    guard let word = statement.value.scalarText else {
      _ = reading.string(statement.value, "format")
      return nil
    }
    guard let format = Self.table["formats"]?[Self.table["narrowerFormats"]?.text(word) ?? word] else {
      if Self.refusedFormats.contains(word) { return refuse(Self.refused(word), at: statement.value.place) }
      warn("unknown-format", ["word": word], at: statement.value.place)
      return nil
    }
    if word == "date-time", property.extra("timeZone") == nil {
      guard let zone = reading.timeZone else { return refuse(Self.refused(word), at: statement.value.place) }
      property.extras.append(Node.Entry("timeZone", .string(zone.word), at: statement.value.place))
    }
    let kind = format.text("kind").flatMap(Field.Kind.init)
    if case .array(let rules)? = format["rules"] {
      for rule in rules { property.addRule(rule, for: statement) }
    }
    return kind
  }

  /// Says which texts there may be in a field whose kind says nothing about them.
  private mutating func expressTexts(_ part: inout Property) {
    expressLengths(&part)
    _ = expressMedia(&part)
    for format in part.takeAll("format") {
      switch say(format, &part) {
      case .password where part.options != nil: report("chosen-password", at: format.value.place)
      case .password, .dateTime:
        report("conflicting-format", ["word": format.value.scalarText ?? ""], at: format.value.place)
      case let kind?: expressRule(of: kind, by: format, &part)
      case nil: break
      }
    }
    for statement in part.takeAll("pattern") { expressPattern(statement, &part) }
  }

  // MARK: Choices

  /// One of a list of values.
  private mutating func expressChoice(_ property: inout Property) {
    var options = property.options ?? []
    if property.type == "boolean" { options.sort { one, _ in one.value.scalarText == "true" } }
    expressKind(&property, [.choice])
    property.add("options", Node(self.options(options, &property), standingFor: property.place))
    // A constant is chosen from the start: there is nothing to decide. Yes to something is for the person to say.
    if options.count == 1, property.isRequired, !property.isNullable, property.type != "boolean" {
      let only = options[0].value
      property.add("value", Node(.string(Self.text(of: only) ?? ""), standingFor: only.place))
    }
    switch property.type {
    case "string": expressTexts(&property)
    case "boolean": break
    default: expressBounds(&property)
    }
  }

  /// The options of a field, each once.
  mutating func options(_ options: [Property.Option], _ property: inout Property) -> [Node] {
    var known = Set<[UInt8]>()
    return options.compactMap { option in
      guard let text = Self.text(of: option.value), known.insert(Array(text.utf8)).inserted else { return nil }
      if text.isEmpty { return refuse("empty-option.schema", at: option.value.place) }
      let place = option.value.place
      // `Prompt.edition` has these words in each language.
      let word = option.value.isOf("boolean") ? Node(.string(text == "true" ? "Yes" : "No"), standingFor: place) : nil
      let title = (option.title ?? word).map { Node.Entry("title", $0) }
      let texts = [title, option.help.map { Node.Entry("help", $0) }].compactMap(\.self)
      return Node([Node.Entry("value", .string(text), at: place)] + texts, standingFor: place)
    }
  }

  /// A value as an option's text; numbers in one spelling.
  static func text(of value: Node) -> String? {
    if case .number(let literal) = value.content { return ExactNumber(literal)?.exactLiteral ?? literal }
    return value.scalarText
  }

  private mutating func expressCheckbox(_ property: inout Property) {
    expressKind(&property, [.boolean])
    let listed = Set((property.options ?? []).compactMap(\.value.scalarText))
    guard let only = listed.first, listed.count == 1 else { return }
    property.rules.append(Node(.keyword("oneOf", .array([.string(only)])), standingFor: property.place))
  }

  /// Any of a list of texts, or a list of one's own.
  private mutating func expressChoices(_ property: inout Property) {
    if property.options != nil { return report("listed-lists", at: property.place) }
    let count = reading.faults.count
    let parts = property.takeAll("items")
    if parts.isEmpty { warn("no-items", at: property.place) }
    let place = parts.first?.value.place ?? property.place
    let said = parts.flatMap { statements(of: $0.value) ?? [] }
    guard reading.faults.count == count, var item = self.property(of: said, at: place) else { return }
    Self.inferType(of: &item)
    if item.types == ["object"] { return report("list-of-objects", at: place) }
    guard findType(of: &item), !item.isNullable,
      item.type == "string" || item.options == nil && ["number", "integer"].contains(item.type)
    else {
      let areNumbers = item.options != nil && ["number", "integer"].contains(item.types.first)
      if reading.faults.count == count {
        report(areNumbers ? FaultRow("numbers-to-choose") : FaultRow("items-without-options"), at: place)
      }
      return
    }
    expressExclusions(&item)
    // The default of an item is that of one that must be there.
    if let initial = item.unexpressed["default"], !initial.value.isNull, property.unexpressed["default"] == nil,
      property.unexpressed.contains(where: { $0.key == "minItems" && $0.value.scalarText != "0" })
    {
      var statement = initial
      statement.value = Node([initial.value], standingFor: initial.value.place)
      property.unexpressed.append(statement)
    }
    if item.options == nil { return expressList(of: &item, &property) }
    for statement in item.unexpressed where !statement.isAnnotation && statement.speaks(of: item.type) {
      reportUnsayable(statement, "list the strings that meet it", among: ["enum"])
    }
    let options = self.options(item.options ?? [], &property)
    expressKind(&property, [.choices])
    property.add("options", Node(options, standingFor: place))
    let (min, unique) = expressCounts(&property)
    for end in min {
      guard let count = Int(end.text), count > options.count else { continue }
      report("too-few-options", ["min": count, "count": options.count], at: end.statement.value.place)
    }
    if unique {
      let all = JSON.object([.init("max", .integer(options.count)), .init("unique", .bool(true))])
      property.rules.append(Node(.keyword("count", all), standingFor: property.place))
    }
  }

  /// Says `minItems` and `maxItems`, and reads `uniqueItems`.
  private mutating func expressCounts(_ property: inout Property) -> (min: [End], unique: Bool) {
    let (min, max) = (counts("minItems", "min", &property), counts("maxItems", "max", &property))
    for ends in [min, max] { say(ends, by: "count", &property) }
    let unique = property.takeAll("uniqueItems").map { reading.bool($0.value, "uniqueItems") ?? false }
    return (min, unique.contains(true))
  }

  /// Texts or numbers, one a line.
  private mutating func expressList(of item: inout Property, _ property: inout Property) {
    expressKind(&property, [.list])
    property.itemType = item.type
    expressExtras(&item, besides: [])
    if item.type == "string" {
      reportMoments(&item)
      expressTexts(&item)
    } else {
      let rule = JSON.keyword(item.type, .bool(true))
      if let statement = item.typeStatement {
        item.addRule(rule, for: statement)
      } else {
        item.rules.append(Node(rule, standingFor: item.place))
      }
      expressBounds(&item)
    }
    for statement in item.unexpressed where !statement.isAnnotation && statement.speaks(of: item.type) {
      reportUnsayable(
        statement, Self.table["insteadInProperties"]?.text(statement.key), among: Self.keywords(for: item.type))
    }
    addOwnRules(to: &item)
    if expressCounts(&property).unique {
      property.rules.append(Node(.keyword("count", ["unique": true]), standingFor: property.place))
    }
    if item.rules.isEmpty { return }
    let rules = Node(item.rules, standingFor: item.place)
    property.rules.append(Node([Node.Entry("items", rules)], standingFor: item.place))
  }
}

extension SchemaReader {
  /// The fault of a format that no field asks for.
  private static func refused(_ word: String) -> FaultRow {
    switch word {
    case "date-time": FaultRow("refused-format.date-time")
    case "time": FaultRow("refused-format.time")
    default: FaultRow("refused-format", ["word": word])
    }
  }
}
