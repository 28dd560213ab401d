/// Reads a property's schema, before it is known how to ask for it.
extension SchemaReader {
  struct Property {
    let place: Node.Place
    let isRequired: Bool
    /// True if null is among its values.
    var isNullable = true
    /// The types that its other values may have. Once `findType` has found it, it is the only one.
    var types = SchemaReader.types.filter { $0 != "null" }
    /// The statement of the type, if there is one.
    var typeStatement: Statement?
    /// The values that `enum`, `const` and alternatives of `const` list, without null; or `nil` if any value of the
    /// type will do.
    var options: [Option]?
    /// The alternatives, each of one plain type, if there are several; and objects of which one is meant.
    var branches: [Property] = []
    var variants: (objects: [Property], statement: Statement)?
    /// The name of the field that asks for it.
    var name = ""
    /// The fields inside, if it is an object.
    var inner: [AskedField] = []
    /// The keywords that no rule or entry of the field expresses yet.
    var unexpressed: [Statement] = []
    /// The type of each item of a list that nobody chooses from, or `nil`.
    var itemType: String?
    /// The kind of the field that asks for it.
    var kind = Field.Kind.text
    /// The entries of `x-okcancel`.
    var extras: [Node.Entry] = []
    /// The entries of the field.
    var entries: [Node.Entry] = []
    var rules: [Node] = []
    /// The keywords that rules say, and that may have a message.
    var expressedKeywords: [String] = []

    struct Option {
      let value: Node
      var title: Node?
      var help: Node?
    }

    var type: String { types[0] }

    /// True if it is one of several kinds of values.
    var isUnion: Bool { !branches.isEmpty || variants != nil }

    /// True if it has nothing to say but types and constants.
    var isListed: Bool { unexpressed.allSatisfy(\.isAnnotation) }

    /// The keyword that makes it uncertain which types its values have, if one does.
    var inexact: Statement? {
      unexpressed.first { !$0.isAnnotation && $0.types == nil } ?? branches.lazy.compactMap(\.inexact).first
    }

    /// Leaves out the values of other types, and what is said of those.
    mutating func narrow(to known: [String]) {
      types.removeAll { !known.contains($0) }
      branches.removeAll { !known.contains($0.type) }
      options = options?.filter { option in types.contains { option.value.isOf($0) } }
      unexpressed.removeAll { statement in !statement.isAnnotation && !types.contains(where: statement.speaks) }
    }

    /// Removes a keyword from those unexpressed, wherever it is written: each one counts.
    mutating func takeAll(_ key: String) -> [Statement] {
      defer { unexpressed.removeAll { $0.key == key } }
      return unexpressed.filter { $0.key == key }
    }

    func extra(_ key: String) -> Node? { extras[key]?.value }

    /// The message for a keyword, or `nil` if there is none.
    func message(for keyword: String) -> Node? {
      extras.lazy.filter { $0.key == "messages" }.compactMap { $0.value.mappingValue(keyword) }.first
    }

    mutating func add(_ key: String, _ node: Node?) { if let node { entries.append(Node.Entry(key, node)) } }
    mutating func add(_ key: String, _ json: JSON) { add(key, Node(json, standingFor: place)) }

    /// Adds a rule that expresses a keyword.
    mutating func addRule(_ rule: JSON, for statement: Statement) {
      guard case .object(let members) = rule else { return }
      expressedKeywords.append(statement.key)
      var entries = members.map { Node.Entry($0.key, $0.value, at: statement.value.place) }
      if let message = message(for: statement.key) { entries.append(Node.Entry("message", message)) }
      rules.append(Node(entries, standingFor: statement.value.place))
    }
  }

  /// The keys that a property's `x-okcancel` may have: the keys of a field that have no keyword in JSON Schema, and
  /// `messages`.
  private static let extraKeys = FieldKey.all.filter(\.isExtra).map(\.name) + ["messages"]

  /// Turns a property into a field of a definition, or returns `nil` if a fault was reported.
  ///
  /// - Parameters:
  ///   - isConditional: whether it is asked for only under a condition.
  ///   - path: the names that lead to the object around it.
  mutating func field(
    _ entry: Node.Entry, isRequired: Bool, isConditional: Bool, in path: [String]
  ) -> Property? {
    let path = path + [entry.key]
    guard let said = statements(of: entry.value),
      var property = property(of: said, at: entry.value.place, isRequired: isRequired),
      findType(of: &property, isField: true)
    else { return nil }
    guard let name = name(for: path) else {
      reading.report("too-many-fields", ["limit": Prompt.fieldLimit, "count": names.count], at: entry.keyPlace)
      return nil
    }
    property.name = name
    if property.type == "object" {
      return askInside(&property, of: said, at: entry.keyPlace, isConditional: isConditional, in: path) ? property : nil
    }
    property.extras = entries(of: property.unexpressed.filter { $0.key == "x-okcancel" }, keys: Self.extraKeys)
    property.entries = entries(named: name, at: entry.keyPlace, in: path)
    property.add("label", property.unexpressed.ownTitle)
    if property.entries["label"] == nil, !isSame(name, entry.key), let words = Self.words(for: path) {
      property.add("label", Node(.string(words), standingFor: entry.keyPlace))
    }
    property.add("help", property.unexpressed.hint)

    let count = reading.faults.count
    let keywords = Self.keywords(for: property.type)
    if property.branches.isEmpty { expressValues(&property) } else { expressUnion(&property) }
    let isSaid = reading.faults.count == count
    for statement in property.unexpressed where !statement.isAnnotation {
      if statement.key == "readOnly", case .bool(false) = statement.value.content { continue }
      // A keyword that was left unread because of a fault in another one is not reported itself.
      if !isSaid, keywords.contains(statement.key) { continue }
      if !statement.speaks(of: property.type) {
        warn("no-effect", ["keyword": statement.key, "type": property.type], at: statement.place)
        continue
      }
      reportUnsayable(statement, Self.table["insteadInProperties"]?.text(statement.key), among: keywords)
    }
    addOwnRules(to: &property)
    if reading.faults.count > count { return nil }

    for extra in property.extras where !["kind", "messages", "rules"].contains(extra.key) {
      property.entries.append(extra)
    }
    property.add("rules", Node(property.rules, standingFor: property.place))
    return property
  }

  /// Reads what may stand under `x-okcancel` of an item, or of one of several alternatives.
  ///
  /// - Parameter around: what is said of the property as a whole.
  mutating func expressExtras(_ part: inout Property, besides around: [Statement]) {
    let known = TextSet(around.map(\.place.pointer))
    part.extras = entries(
      of: part.unexpressed.filter { $0.key == "x-okcancel" && !known.contains($0.place.pointer) },
      keys: ["messages", "rules"])
  }

  /// Adds the rules of `x-okcancel`, and reports messages for keywords that are not there.
  mutating func addOwnRules(to property: inout Property) {
    if let messages = property.extra("messages") {
      let keywords = property.expressedKeywords
      _ = reading.mapping(
        messages, as: "`messages`", keys: keywords, remedy: FaultRow("write-messages", ["key": keywords.first ?? ""]))
    }
    if let more = property.extra("rules").flatMap({ reading.list($0, "rules") }) { property.rules += more }
  }

  // MARK: Values

  static let types = ["string", "number", "integer", "boolean", "array", "object", "null"]
  /// The words for lists of texts beside an `enum`, one for each value.
  static let titles = ["enumNames", "enumItemLabels"], hints = ["enumDescriptions", "markdownEnumDescriptions"]

  /// Takes what a schema says apart: its types, null, options, and the rest; or reports why a field cannot have them.
  mutating func property(of said: [Statement], at place: Node.Place, isRequired: Bool = true) -> Property? {
    var property = Property(place: place, isRequired: isRequired)
    // The types first: alternatives only count for these.
    for statement in said.filter({ $0.key == "type" }) + said.filter({ $0.key != "type" }) {
      switch statement.key {
      case "false": (property.types, property.isNullable) = ([], false)
      case "type":
        let listed = types(statement)
        if let word = listed.subtracting(Self.types).min() {
          return refuse(
            "no-such-type", ["word": word, "nearest": Nearest(to: word, among: Self.types)], at: statement.value.place)
        }
        property.types.removeAll { !listed.contains($0) && !($0 == "integer" && listed.contains("number")) }
        property.isNullable = property.isNullable && listed.contains("null")
        property.typeStatement = property.typeStatement ?? statement
      case "enum", "const":
        guard let values = statement.key == "const" ? [statement.value] : reading.list(statement.value, "enum") else {
          return nil
        }
        for value in values {
          // Reports that this is no whole string.
          if case .illFormed = value.content, reading.string(value, statement.key) == nil { return nil }
        }
        let named = statement.key == "enum" ? statement.schema : nil
        let (titles, hints) = (named?.texts(ofValuesIn: Self.titles), named?.texts(ofValuesIn: Self.hints))
        let options = values.enumerated().map { Property.Option(value: $1, title: titles?[$0], help: hints?[$0]) }
        guard offer(options, &property) else { return nil }
        property.isNullable = property.isNullable && values.contains(where: \.isNull)
      case "anyOf", "oneOf": guard choose(statement, &property) else { return nil }
      case "not": guard exclude(statement, &property) else { return nil }
      default: property.unexpressed.append(statement)
      }
    }
    return property
  }

  /// The types that a `type` lists.
  func types(_ statement: Statement) -> Set<String> {
    switch statement.value.content {
    case .string(let word): [word]
    case .sequence(let words): Set(words.compactMap(\.scalarText))
    default: []
    }
  }

  /// Narrows the values to choose from.
  private mutating func offer(_ options: [Property.Option], _ property: inout Property) -> Bool {
    let values = options.filter { !$0.value.isNull }
    let known = property.options ?? []
    guard reading.spend(1_000 * known.count * values.count) else { return false }
    let texts = Dictionary(values.map { ($0.value.scalarKey(isExact: true), $0) }) { one, _ in one }
    // What both list, if there is an `enum` and a `const`.
    var seen = Set<[UInt8]>()
    property.options =
      property.options == nil
      ? values.filter { $0.value.scalarKey(isExact: true).map { seen.insert($0).inserted } ?? true }
      : known.compactMap { option in
        guard let key = option.value.scalarKey(isExact: true), let other = texts[key] else { return nil }
        return .init(value: option.value, title: option.title ?? other.title, help: option.help ?? other.help)
      }
    return true
  }

  /// Reads `anyOf` or `oneOf`: null or another schema, some constants, or a number and its text.
  private mutating func choose(_ statement: Statement, _ property: inout Property) -> Bool {
    guard let elements = reading.list(statement.value, statement.key) else { return false }
    let (isOneOf, mayNarrowAround) = (statement.key == "oneOf", mayNarrow)
    // A value must match one alternative of a `oneOf` and no other, so none of them can be narrowed.
    mayNarrow = mayNarrow && !isOneOf
    defer { mayNarrow = mayNarrowAround }
    var alternatives: [Property] = []
    for element in elements {
      let read = alternative(element) { reader, said in
        reader.property(of: said, at: element.place).map { (said, property: $0) }
      }
      guard case (let said, var alternative)? = read else { return false }
      if said["const"] != nil {
        let help = said["description"]?.value
        alternative.options = alternative.options?.map {
          .init(value: $0.value, title: said["title"]?.value, help: help?.scalarText == "" ? nil : help)
        }
      }
      alternative.narrow(to: property.types)
      if mayNarrow { Self.inferType(of: &alternative) }
      alternatives.append(alternative)
    }
    if isOneOf, alternatives.count > 1, let inexact = alternatives.lazy.compactMap(\.inexact).first {
      reportUnsayable(inexact, Self.table["insteadInProperties"]?.text(inexact.key), among: [])
      return false
    }
    let nullable = alternatives.count(where: \.isNullable)
    property.isNullable = property.isNullable && (isOneOf ? nullable == 1 : nullable > 0)
    alternatives.removeAll { $0.types.isEmpty || $0.options?.isEmpty == true }
    // One that takes all that is left makes the others needless.
    func isOpen(_ one: Property) -> Bool {
      one.types == property.types && one.options == nil && one.isListed && !one.isUnion
    }
    if !isOneOf, alternatives.contains(where: isOpen) { return true }
    if alternatives.count == 1 || Self.areNumberAndText(alternatives) {
      property.types.removeAll { !alternatives[0].types.contains($0) }
      property.typeStatement = property.typeStatement ?? alternatives[0].typeStatement
      property.unexpressed += alternatives[0].unexpressed
      if alternatives[0].isUnion {
        guard !property.isUnion else {
          report("several-kinds", ["keyword": statement.key], at: statement.place)
          return false
        }
        (property.branches, property.variants) = (alternatives[0].branches, alternatives[0].variants)
      }
      return alternatives[0].options.map { offer($0, &property) } ?? true
    }
    if alternatives.count > 1, !property.isUnion {
      if alternatives.allSatisfy({ $0.types == ["object"] && $0.options == nil && !$0.isUnion }) {
        property.variants = (alternatives, statement)
        property.types.removeAll { $0 != "object" }
        return true
      }
      if !alternatives.allSatisfy({ $0.isListed && $0.options != nil }),
        let branches = plainBranches(alternatives, isOneOf: isOneOf)
      {
        property.branches = branches
        property.types.removeAll { type in !branches.contains { $0.type == type } }
        return true
      }
    }
    guard alternatives.allSatisfy({ $0.isListed && $0.options != nil && !$0.isUnion }) else {
      let isOneType = Set(alternatives.map(\.types)).count == 1
      report(
        isOneType
          ? FaultRow("several-forms", ["keyword": statement.key])
          : FaultRow("several-kinds", ["keyword": statement.key]), at: statement.place)
      return false
    }
    let lists = alternatives.map { one in
      (one.options ?? []).filter { option in one.types.contains { option.value.isOf($0) } }
    }
    // A value that matches two alternatives of a `oneOf` is invalid, so it is left out.
    let counts = lists.flatMap { Set($0.map { $0.value.scalarKey() }) }.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    return offer(lists.joined().filter { !isOneOf || counts[$0.value.scalarKey()] == 1 }, &property)
  }

  /// True if these are a number and then its text, as pydantic prints a `Decimal`.
  private static func areNumberAndText(_ alternatives: [Property]) -> Bool {
    alternatives.count == 2 && alternatives[0].types == ["number", "integer"] && alternatives[1].types == ["string"]
      && alternatives.allSatisfy { $0.options == nil } && alternatives[1].unexpressed.allSatisfy { $0.key == "pattern" }
  }
}

extension Node {
  /// The texts that the first of these words, like `enumNames`, gives the values of the `enum` beside it, `nil` for each
  /// that it leaves out; or `nil` if none has a list of as many texts.
  func texts(ofValuesIn words: [String]) -> [Node?]? {
    let lists = words.compactMap { mappingValue($0)?.elements }.filter { texts in
      texts.count == mappingValue("enum")?.elements?.count
        && texts.allSatisfy { if case .string = $0.content { true } else { $0.isNull } }
    }
    return lists.first?.map { text in
      text.scalarText.map { $0.unicodeScalars.allSatisfy(\.isWhiteSpace) } == false ? text : nil
    }
  }

  /// True if it is null, or a text or list with nothing in it.
  var saysNothing: Bool {
    if case .sequence(let elements) = content { return elements.isEmpty }
    return isNull || scalarText?.isEmpty == true
  }

  /// True if a value has a type of JSON Schema. A number without a fraction is an integer, however it is written.
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

  /// A key that two scalars share only if they have the same value; `nil` for anything else.
  ///
  /// - Parameter isExact: false if numbers that round to one double are the same, as they are to some validator.
  func scalarKey(isExact: Bool = false) -> [UInt8]? {
    switch content {
    case .string(let text): Array("\"\(text)".utf8)
    case .number(let literal) where !isExact: Array((Double(literal).map { "\($0)" } ?? literal).utf8)
    case .number, .bool: SchemaReader.text(of: self).map { Array($0.utf8) }
    default: nil
    }
  }
}
