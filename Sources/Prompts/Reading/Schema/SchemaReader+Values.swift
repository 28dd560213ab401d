internal import StrictJSON

/// How each type of values is asked for.
extension SchemaReader {
  /// Says what is left of a property: its kind, its rules, what it holds at first and how it is answered.
  mutating func sayValues(_ property: inout Property) {
    let isOptional = !property.isRequired || property.isNullable
    if property.options != nil, property.type != "array" {
      sayChoice(&property)
    } else {
      switch property.type {
      case "string": sayText(&property)
      case "number", "integer": sayNumber(&property)
      case "boolean": sayBoolean(&property)
      default: sayChoices(&property)
      }
    }
    sayDefault(&property)
    if property.kind.isTyped { sayExample(&property) }
    let valueTypes = ["number": "number", "integer": "number", "boolean": "boolean"]
    property.add("valueType", .string(valueTypes[property.type] ?? "string"))
    property.add("optional", .bool(isOptional))
    guard !property.isRequired else { return }
    property.add("omitEmpty", .bool(true))
    if property.isNullable { property.add("nullable", .bool(true)) }
  }

  /// Finds the kind that a property asks for, or else takes the first of these.
  mutating func sayKind(_ property: inout Property, _ kinds: [Field.Kind]) {
    property.kind = kinds[0]
    if let node = property.extra("kind"), let kind: Field.Kind = reading.word(node, "kind") {
      if !kinds.contains(kind) { report(.otherKind(kind, among: kinds), at: node.place) }
      property.kind = kind
    }
    property.add("kind", property.extra("kind") ?? Node(.string(kinds[0].rawValue), standingFor: property.place))
  }

  /// Writes out the rule that a kind implies, where it comes first, if a keyword has a message for it.
  func sayRule(of kind: Field.Kind, by statement: Statement?, _ property: inout Property) {
    guard let statement, let rule = kind.impliedRule(options: [], international: false)?.name,
      property.extra("messages")?.mappingValue(statement.key) != nil
    else { return }
    property.addRule(.keyword(rule, .bool(true)), for: statement)
  }

  /// What a field holds at first: `default`, if it has the type.
  private mutating func sayDefault(_ property: inout Property) {
    guard let value = property.unsaid.first(where: { $0.key == "default" })?.value,
      !property.entries.contains(where: { $0.key == "value" })
    else { return }
    if value.isNull { return }
    let text = property.options.flatMap { _ in Self.text(of: value) }
    if text != nil || property.options == nil && value.isOf(property.type == "integer" ? "number" : property.type) {
      property.add("value", text.map { Node(.string($0), standingFor: value.place) } ?? value)
    } else {
      report(.defaultOfOtherType(property.type), at: value.place)
    }
  }

  /// The first example, in the empty field.
  private func sayExample(_ property: inout Property) {
    guard property.extra("placeholder") == nil,
      case .sequence(let examples)? = property.unsaid.first(where: { $0.key == "examples" })?.value.content,
      let example = examples.lazy.compactMap(\.scalarText).first, !example.isEmpty, example.unicodeScalars.count <= 200,
      example.utf8.allSatisfy({ $0 >= 0x20 })
    else { return }
    property.add("placeholder", .string(example))
  }

  // MARK: Texts

  private mutating func sayText(_ property: inout Property) {
    let formats = property.takeAll("format")
    let isPlainText = sayMedia(&property)
    // Each keyword leaves fewer kinds to ask by; only among those that all of them leave is one preferred.
    var kinds: [Field.Kind] = [.text, .multiline, .email, .url, .tel, .password, .search, .date, .time, .dateTime]
    for format in formats {
      guard let fitting = say(format, &property) else { continue }
      kinds.removeAll { !fitting.contains($0) }
      if kinds.isEmpty { report(.conflictingFormat(format.value.scalarText ?? ""), at: format.value.place) }
    }
    guard !kinds.isEmpty else { return }
    if property.extra("timeZone") != nil {
      // They are about the answer, and rules judge what is entered.
      for statement in ["minLength", "maxLength", "pattern"].flatMap({ property.takeAll($0) }) {
        report(.notOfMoments(statement.key), at: statement.place)
      }
    }
    let most = sayLengths(&property)
    if formats.isEmpty, isPlainText || most ?? 0 > 256 { kinds.insert(.multiline, at: 0) }
    sayKind(&property, kinds)
    sayRule(of: property.kind, by: formats.first, &property)
    for statement in property.takeAll("pattern") { sayPattern(statement, &property) }
  }

  /// Reads what kind of content a text is, which must be plain text.
  ///
  /// - Returns: whether anything says so.
  private mutating func sayMedia(_ property: inout Property) -> Bool {
    let media = property.takeAll("contentMediaType")
    for statement in media {
      let type = statement.value.scalarText?.split(separator: ";", omittingEmptySubsequences: false).first
      if type?.lowercased() == "text/plain" { continue }
      report(.otherMedia, at: statement.value.place)
    }
    return !media.isEmpty
  }

  /// Says `minLength` and `maxLength`, in one rule if they have one message.
  ///
  /// - Returns: the most code points.
  @discardableResult
  private mutating func sayLengths(_ property: inout Property) -> Int? {
    let count = property.rules.count
    let min = sayCount("minLength", "length", "min", &property), max = sayCount("maxLength", "length", "max", &property)
    if let min, let max, min.count > 1, min.count <= max.count, property.rules.count == count + 2,
      property.extra("messages") == nil
    {
      property.rules.removeLast(2)
      let ends = [("min", min), ("max", max)].map { JSON.Member($0, .integer($1.count)) }
      property.addRule(.keyword("length", .object(ends)), for: min.statement)
    }
    return max?.count
  }

  /// Says how many code points or items there must be, at least or at most.
  ///
  /// - Returns: the keyword that leaves the fewest, and what it says; or `nil` if there is none.
  private mutating func sayCount(
    _ keyword: String, _ rule: String, _ end: String, _ property: inout Property
  ) -> (count: Int, statement: Statement)? {
    var narrowest: (count: Int, statement: Statement)?
    for statement in property.takeAll(keyword) {
      guard let count = reading.count(statement.value, keyword) else { continue }
      if narrowest.map({ end == "min" ? $0.count < count : $0.count > count }) ?? true {
        narrowest = (count, statement)
      }
      if end == "min", count == 0 { continue }
      let isNonEmpty = end == "min" && count == 1
      property.addRule(
        isNonEmpty ? .keyword("nonEmpty", .bool(true)) : .keyword(rule, .keyword(end, .integer(count))), for: statement)
    }
    return narrowest
  }

  /// Says a pattern, which may match anywhere in the text, as rules, which match all of it.
  private mutating func sayPattern(_ statement: Statement, _ property: inout Property) {
    guard let source = reading.string(statement.value, "pattern"),
      let parsed = reading.searchPattern(source, at: statement.value.place)
    else { return }
    // As every engine writes it.
    let anything = #"[\s\S]*"#
    let scalars = Array(source.unicodeScalars)
    func text(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }
    for lookahead in parsed.lookaheads {
      let rule = JSON.keyword("pattern", .string("(?:\(text(lookahead.body)))\(anything)"))
      property.addRule(lookahead.isNegated ? .keyword("not", rule) : rule, for: statement)
    }
    let rest = parsed.lookaheads.last.map { "^" + text($0.body.upperBound + 1..<scalars.count) } ?? source
    let isStart = !parsed.lookaheads.isEmpty || parsed.syntax.isAnchored(by: .start)
    let isEnd = parsed.syntax.isAnchored(by: .end)
    let pattern = isStart && isEnd ? rest : "\(isStart ? "" : anything)(?:\(rest))\(isEnd ? "" : anything)"
    property.addRule(.keyword("pattern", .string(pattern)), for: statement)
  }

  /// Says a format, as narrowly as any validator that knows it.
  ///
  /// - Returns: the kinds that it can be asked by, or `nil` for those of any text. The first one implies what the format
  ///   has beside the rules that are said here.
  private mutating func say(_ format: Statement, _ property: inout Property) -> [Field.Kind]? {
    func add(_ pattern: String, isNegated: Bool = false, _ message: String, _ property: inout Property) {
      let rule = JSON.keyword("pattern", .string(pattern))
      property.addRule(isNegated ? .keyword("not", rule) : rule, for: format, or: message)
    }
    switch format.value.scalarText {
    case "email":
      let message = Sentences.english(.email)
      // Atoms with single dots between them, and at least two labels, none of them like Punycode, which few check alike.
      add(#"[^@.]+(?:\.[^@.]+)*@[^@.]+(?:\.[^@.]+)+"#, message, &property)
      add(#"[^@]{1,64}@[^@]{1,253}"#, message, &property)
      add(#"[\s\S]*[@.][^@.]{2}--[\s\S]*"#, isNegated: true, message, &property)
      return [.email]
    case "uri":
      // What a URI may hold (RFC 3986); browsers take more.
      add(
        #"[hH][tT][tT][pP][sS]?:\/\/(?:\[[0-9A-Fa-f:.]+\])?[!#$%&'()*+,\-.\/0-9:;=?@A-Z_a-z~]*"#,
        Sentences.english(.url),
        &property)
      return [.url]
    case "date": return [.date]
    case "date-time" where property.extra("timeZone") != nil: return [.dateTime]
    case "password": return [.password]
    case "uuid":
      add(
        #"[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}"#,
        "Enter a UUID, like 123e4567-e89b-12d3-a456-426614174000", &property)
    case "ipv4":
      let byte = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
      add(#"(?:\#(byte)\.){3}\#(byte)"#, "Enter an IPv4 address, like 192.0.2.1", &property)
    case let word?: report(.unknownFormat(word), at: format.value.place)
    case nil: _ = reading.string(format.value, "format")
    }
    return nil
  }

  // MARK: Choices

  /// One of a list of values.
  private mutating func sayChoice(_ property: inout Property) {
    var options = property.options ?? []
    let isBoolean = property.type == "boolean"
    if isBoolean, !property.isNullable, options.count > 1 || property.isRequired {
      return sayBoolean(&property)
    }
    if isBoolean { options.sort { one, _ in one.value.scalarText == "true" } }
    sayKind(&property, [.choice])
    property.add("options", Node(self.options(options, &property), standingFor: property.place))
    // A constant is chosen from the start: there is nothing to decide.
    if options.count == 1, property.isRequired, !property.isNullable {
      property.add("value", .string(Self.text(of: options[0].value) ?? ""))
    }
    switch property.type {
    case "string":
      sayLengths(&property)
      _ = sayMedia(&property)
      for format in property.takeAll("format") { sayFormat(format, ofOptionsOf: &property) }
      for statement in property.takeAll("pattern") { sayPattern(statement, &property) }
    case "boolean": break
    default: sayBounds(&property)
    }
  }

  /// Says the format of texts to choose from by rules only: the field's kind says nothing about them.
  private mutating func sayFormat(_ format: Statement, ofOptionsOf property: inout Property) {
    guard let kind = say(format, &property)?.first else { return }
    switch kind {
    case .password:
      report(.chosenPassword, at: format.value.place)
    case .dateTime: report(.conflictingFormat(format.value.scalarText ?? ""), at: format.value.place)
    default:
      guard let rule = kind.impliedRule(options: [], international: false)?.name else { return }
      property.addRule(.keyword(rule, .bool(true)), for: format)
    }
  }

  /// The options of a field, each once.
  private mutating func options(_ options: [Property.Option], _ property: inout Property) -> [Node] {
    var known = Set<[UInt8]>()
    return options.compactMap { option in
      guard let text = Self.text(of: option.value), known.insert(Array(text.utf8)).inserted else { return nil }
      if text.isEmpty {
        report(.emptyOption, at: option.value.place)
        return nil
      }
      let value = Node(.string(text), standingFor: option.value.place)
      let word = Node(.string(text == "true" ? "Yes" : "No"), standingFor: option.value.place)
      let title = option.title ?? (property.type == "boolean" ? word : nil)
      return Node(
        [Node.Entry("value", value)] + (title.map { [Node.Entry("title", $0)] } ?? []), standingFor: option.value.place)
    }
  }

  /// A value as an option's text; numbers in one spelling.
  static func text(of value: Node) -> String? {
    if case .number(let literal) = value.content { return ExactNumber(literal)?.exactLiteral ?? literal }
    return value.scalarText
  }

  private mutating func sayBoolean(_ property: inout Property) {
    let listed = (property.options ?? []).compactMap(\.value.scalarText)
    if property.isNullable {
      // A box has no third state.
      property.options = [true, false].map { .init(value: Node(.bool($0), standingFor: property.place), title: nil) }
      return sayChoice(&property)
    }
    sayKind(&property, [.boolean])
    if Set(listed).count == 1 {
      let message = listed[0] == "true" ? "Tick this box" : "Leave this box empty"
      let rule: [Node.Entry] = [
        Node.Entry("oneOf", Node(.array([.string(listed[0])]), standingFor: property.place)),
        Node.Entry("message", Node(.string(message), standingFor: property.place)),
      ]
      property.rules.append(Node(rule, standingFor: property.place))
    }
  }

  /// Any of a list of texts.
  private mutating func sayChoices(_ property: inout Property) {
    if property.options != nil {
      report(.listedLists, at: property.place)
      return
    }
    let count = reading.faults.count
    let parts = property.takeAll("items")
    guard let items = parts.first else {
      report(.noItems, at: property.place)
      return
    }
    let said = parts.flatMap { statements(of: $0.value) ?? [] }
    guard let listed = listed(said, at: items.value.place) else {
      if reading.faults.count == count {
        report(.itemsWithoutOptions, at: items.value.place)
      }
      return
    }
    let options = self.options(listed, &property)
    sayKind(&property, [.choices])
    property.add("options", Node(options, standingFor: items.value.place))
    let unique = property.takeAll("uniqueItems").map { reading.bool($0.value, "uniqueItems") ?? false }.contains(true)
    if let min = sayCount("minItems", "count", "min", &property), min.count > options.count {
      report(.tooFewOptions(min.count, of: options.count), at: min.statement.value.place)
    }
    _ = sayCount("maxItems", "count", "max", &property)
    if unique {
      let all = JSON.object([.init("max", .integer(options.count)), .init("unique", .bool(true))])
      property.rules.append(Node(.keyword("count", all), standingFor: property.place))
    }
  }

  /// The texts that items are listed as, or `nil` if they are none.
  private mutating func listed(_ said: [Statement], at place: Node.Place) -> [Property.Option]? {
    guard var item = property(of: said, at: place), item.options != nil, settleType(&item), item.type == "string",
      !item.isNullable
    else {
      return nil
    }
    for statement in item.unsaid where !Self.isAnnotation(statement.key) {
      refuse(statement, "list the texts that meet it", among: ["enum"])
    }
    return item.options
  }
}
