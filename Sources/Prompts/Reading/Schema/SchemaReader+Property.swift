internal import StrictJSON

/// What a property's schema comes to, before it is known how to ask for it.
extension SchemaReader {
  struct Property {
    let place: Node.Place
    let isRequired: Bool
    /// Whether null is among its values.
    var isNullable = false
    /// `string`, `number`, `integer`, `boolean` or `array`.
    var type = ""
    /// What it is asked by.
    var kind = Field.Kind.text
    /// What says the type, if anything does.
    var typeStatement: Statement?
    /// What `enum`, `const` and alternatives of `const` list, without null; or `nil` if any value of the type will do.
    var options: [Option]?
    /// The keywords that have not been said yet.
    var unsaid: [Statement]
    /// The entries of `x-okcancel`.
    var extras: [Node.Entry] = []
    /// The entries of the field.
    var entries: [Node.Entry] = []
    var rules: [Node] = []
    /// The keywords that rules say, and that may have a message.
    var spoken: [String] = []

    /// The field.
    var node: Node { Node(entries, standingFor: place) }

    struct Option {
      let value: Node
      let title: Node?
    }

    /// Removes a keyword from those unsaid, wherever it is written: each one counts.
    mutating func takeAll(_ key: String) -> [Statement] {
      defer { unsaid.removeAll { $0.key == key } }
      return unsaid.filter { $0.key == key }
    }

    func extra(_ key: String) -> Node? { extras.first { $0.key == key }?.value }

    mutating func add(_ key: String, _ node: Node?) { if let node { entries.append(Node.Entry(key, node)) } }
    mutating func add(_ key: String, _ json: JSON) { add(key, Node(json, standingFor: place)) }

    /// Adds a rule that a keyword is said by.
    mutating func addRule(_ rule: JSON, for statement: Statement, or message: String? = nil) {
      guard case .object(let members) = rule else { return }
      spoken.append(statement.key)
      var entries = members.map { Node.Entry($0.key, Node($0.value, standingFor: statement.value.place)) }
      let own = extra("messages")?.mappingValue(statement.key)
      if let message = own ?? message.map({ Node(.string($0), standingFor: statement.place) }) {
        entries.append(Node.Entry("message", message))
      }
      rules.append(Node(entries, standingFor: statement.value.place))
    }
  }

  /// What `x-okcancel` of a property may hold: what a field of a definition has and JSON Schema has no word for.
  private static let extraKeys = FieldKey.all.filter(\.isExtra).map(\.name) + ["messages"]

  /// What a field of a definition says of a property, or `nil` if a fault was reported.
  mutating func field(_ entry: Node.Entry, isRequired: Bool) -> Property? {
    guard let said = statements(of: entry.value),
      var property = property(of: said, at: entry.value.place, isRequired: isRequired), settleType(&property)
    else { return nil }
    property.extras = entries(of: property.unsaid.filter { $0.key == "x-okcancel" }, keys: Self.extraKeys)
    property.entries = [Node.Entry("name", Node(.string(entry.key), standingFor: entry.keyPlace))]
    property.add("label", property.unsaid.first { $0.key == "title" && $0.isOwn && $0.value.scalarText != "" }?.value)
    property.add("help", property.unsaid.first { $0.key == "description" && $0.value.scalarText != "" }?.value)

    let count = reading.faults.count
    let keywords = Self.keywords(for: property.type)
    sayValues(&property)
    let isSaid = reading.faults.count == count
    for statement in property.unsaid where !Self.isAnnotation(statement.key) {
      if statement.key == "readOnly", case .bool(false) = statement.value.content { continue }
      // A keyword of the type that was not read because of a fault in another one has none of its own.
      if !isSaid, keywords.contains(statement.key) { continue }
      refuse(statement, Self.propertyRemedies[statement.key], among: keywords)
    }
    checkMessages(property)
    if reading.faults.count > count { return nil }

    for extra in property.extras where !["kind", "messages", "rules"].contains(extra.key) {
      property.entries.append(extra)
    }
    if let more = property.extra("rules").flatMap({ reading.list($0, "rules") }) { property.rules += more }
    property.add("rules", Node(property.rules, standingFor: property.place))
    return property
  }

  private static let propertyRemedies = [
    "not": "say what is allowed, with `enum` or `pattern`", "if": "write it in the object that has both properties",
    "readOnly": "leave this property out: nobody is asked for it",
    "properties": "ask for each in a property of its own", "contentEncoding": "ask for the text itself",
    "contentSchema": "ask for the text itself", "contains": "list what must be chosen in another property",
    "prefixItems": "ask for each in a property of its own", "$anchor": "write `#/$defs/…` where it is referred to",
    "$dynamicRef": "write `$ref`", "$recursiveRef": "write `$ref`",
  ]

  private static func keywords(for type: String) -> [String] {
    switch type {
    case "string": ["minLength", "maxLength", "pattern", "format", "enum", "const", "contentMediaType"]
    case "number", "integer":
      ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "format", "enum", "const"]
    case "array": ["items", "minItems", "maxItems", "uniqueItems"]
    default: ["enum", "const"]
    }
  }

  private mutating func checkMessages(_ property: Property) {
    guard let messages = property.extra("messages") else { return }
    _ = reading.mapping(messages, as: "`messages`", keys: property.spoken)
  }

  // MARK: Alternatives

  /// Takes what a schema says apart: what null, options and alternatives come to, and the rest.
  mutating func property(of said: [Statement], at place: Node.Place, isRequired: Bool = true) -> Property? {
    var property = Property(place: place, isRequired: isRequired, isNullable: takesNull(said), unsaid: [])
    return settle(said, &property) ? property : nil
  }

  private mutating func settle(_ said: [Statement], _ property: inout Property) -> Bool {
    for statement in said {
      switch statement.key {
      case "enum":
        guard let values = reading.list(statement.value, "enum") else { return false }
        guard offer(values.map { .init(value: $0, title: nil) }, statement, &property) else { return false }
      case "const":
        guard offer([.init(value: statement.value, title: nil)], statement, &property) else { return false }
      case "anyOf", "oneOf": guard choose(statement, &property) else { return false }
      default: property.unsaid.append(statement)
      }
    }
    return true
  }

  /// Whether all that a schema says lets null be.
  private mutating func takesNull(_ said: [Statement]) -> Bool {
    said.allSatisfy { statement in
      switch (statement.key, statement.value.content) {
      case ("type", _): types(statement).contains("null")
      case ("enum", .sequence(let values)): values.contains(where: \.isNull)
      case ("const", _): statement.value.isNull
      case ("anyOf", .sequence(let parts)): parts.contains { takesNull(statements(of: $0) ?? []) }
      case ("oneOf", .sequence(let parts)): parts.count { takesNull(statements(of: $0) ?? []) } == 1
      default: true
      }
    }
  }

  /// Whether a schema lets only null be.
  private func isNull(_ said: [Statement]) -> Bool {
    let said = said.filter { !Self.isAnnotation($0.key) }
    return !said.isEmpty
      && said.allSatisfy { statement in
        switch (statement.key, statement.value.content) {
        case ("type", _): types(statement) == ["null"]
        case ("enum", .sequence(let values)): values.count == 1 && values[0].isNull
        case ("const", _): statement.value.isNull
        default: false
        }
      }
  }

  /// Narrows the values to choose from.
  private mutating func offer(_ options: [Property.Option], _ statement: Statement, _ property: inout Property) -> Bool
  {
    let values = options.filter { !$0.value.isNull }
    guard let known = property.options else {
      property.options = values
      return true
    }
    // What both list, if there is an `enum` and a `const`.
    guard reading.spend(1_000 * known.count * values.count) else { return false }
    property.options = known.filter { one in values.contains { $0.value.isSameScalar(as: one.value) } }
    return true
  }

  /// One of several schemas: null or another one, some constants, or a number and its text.
  private mutating func choose(_ statement: Statement, _ property: inout Property) -> Bool {
    guard let elements = reading.list(statement.value, statement.key) else { return false }
    var alternatives: [[Statement]] = []
    for element in elements {
      guard let said = statements(of: element) else { return false }
      if !isNull(said) { alternatives.append(said) }
    }
    if alternatives.count == 1 { return settle(alternatives[0], &property) }
    var options: [Property.Option] = []
    var (known, repeated) = (Set<[UInt8]>(), Set<[UInt8]>())
    for said in alternatives {
      guard let more = Self.constants(said) else {
        if let number = decimal(alternatives) { return settle(number, &property) }
        report(.severalKinds(statement.key), at: statement.place)
        return false
      }
      let taken = more.filter { option in
        said.allSatisfy { $0.key != "type" || types($0).contains { option.value.isOf($0) } }
      }
      options += taken
      for key in Set(taken.map(\.value.scalarKey)) where !known.insert(key).inserted { repeated.insert(key) }
    }
    // No answer has what two alternatives of a `oneOf` take.
    if statement.key == "oneOf" { options.removeAll { repeated.contains($0.value.scalarKey) } }
    return offer(options, statement, &property)
  }

  /// The values of an alternative that is nothing but a constant, or a list of them.
  private static func constants(_ said: [Statement]) -> [Property.Option]? {
    let title = said.first { $0.key == "title" }?.value
    var options: [Property.Option]?
    for statement in said {
      switch (statement.key, statement.value.content) {
      case ("const", _) where options == nil: options = [.init(value: statement.value, title: title)]
      case ("enum", .sequence(let values)) where options == nil: options = values.map { .init(value: $0, title: nil) }
      case ("type", _): break
      case (let key, _): if !isAnnotation(key) { return nil }
      }
    }
    return options
  }

  /// The number, of a number and then its text, as pydantic prints a `Decimal`.
  private func decimal(_ alternatives: [[Statement]]) -> [Statement]? {
    func isOnly(_ type: String, _ said: [Statement]) -> Bool {
      said.contains { $0.key == "type" } && said.allSatisfy { $0.key != "type" || types($0) == [type] }
    }
    guard alternatives.count == 2, isOnly("number", alternatives[0]), isOnly("string", alternatives[1]),
      alternatives[1].allSatisfy({ $0.key == "type" || $0.key == "pattern" })
    else { return nil }
    return alternatives[0]
  }

  // MARK: Types

  /// What a `type` lists.
  func types(_ statement: Statement) -> Set<String> {
    switch statement.value.content {
    case .string(let word): [word]
    case .sequence(let words): Set(words.compactMap(\.scalarText))
    default: []
    }
  }

  private static let types = ["string", "number", "integer", "boolean", "array", "object", "null"]

  /// Finds the one type that the values have.
  mutating func settleType(_ property: inout Property) -> Bool {
    let statements = property.takeAll("type")
    property.typeStatement = statements.first
    for statement in statements {
      for word in types(statement).sorted() where !Self.types.contains(word) {
        report(.noSuchType(word, among: Self.types), at: statement.value.place)
        return false
      }
    }
    var types = Self.types.dropLast().filter { type in
      statements.allSatisfy { statement in
        let listed = self.types(statement)
        return listed.contains(type) || type == "integer" && listed.contains("number")
      }
    }
    if let options = property.options {
      property.options = options.filter { option in types.contains { option.value.isOf($0) } }
      types = types.filter { type in property.options?.contains { $0.value.isOf(type) } ?? false }
    }
    if types.contains("number") { types.removeAll { $0 == "integer" } }
    let place = statements.first?.value.place ?? property.place
    if types.isEmpty {
      report(.nothingLeft, at: place)
    } else if types.count > 1 {
      report(statements.isEmpty && property.options == nil ? .anyValue : .severalTypes, at: place)
    } else if types[0] == "object" {
      report(.objectInObject, at: place)
    } else {
      property.type = types[0]
      return true
    }
    return false
  }
}

extension Node {
  /// Whether a value has a type of JSON Schema. A number without a fraction is an integer, however it is written.
  func isOf(_ type: String) -> Bool {
    switch content {
    case .string: type == "string"
    case .number(let literal):
      type == "number" || type == "integer" && ExactNumber(literal).map { $0.exponent >= 0 } ?? false
    case .bool: type == "boolean"
    case .sequence: type == "array"
    case .mapping: type == "object"
    case .null, .illFormed: false
    }
  }

  /// What scalars have in common that are the same to some validator: numbers that round to one double are.
  fileprivate var scalarKey: [UInt8] {
    switch content {
    case .string(let text): Array("\"\(text)".utf8)
    case .number(let literal): Array((Double(literal).map { "\($0)" } ?? literal).utf8)
    default: Array((scalarText ?? "").utf8)
    }
  }

  fileprivate func isSameScalar(as other: Node) -> Bool {
    switch (content, other.content) {
    case (.string(let one), .string(let other)): isSame(one, other)
    case (.bool(let one), .bool(let other)): one == other
    case (.number(let one), .number(let other)):
      ExactNumber(one).flatMap { one in ExactNumber(other).map { one == $0 } } ?? isSame(one, other)
    default: false
    }
  }
}
