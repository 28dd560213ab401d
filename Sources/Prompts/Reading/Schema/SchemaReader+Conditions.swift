/// Fields that are asked for only under a condition: what `if`, `then` and `else` mean.
///
/// A field that does not apply is absent from the answer. So a condition is accepted if the schema requires or allows
/// the property when the condition holds, and allows its absence when it does not.
extension SchemaReader {
  struct Condition {
    let place: Node.Place
    /// The values of other properties that the `if` names, and the properties that it requires.
    let tests, required: [Node.Entry]
    /// The requirements and definitions of the `then`, and what the `else` rules out.
    let requiredThen, definitions, absentOtherwise: [Node.Entry]

    func dependsOn(_ name: String) -> Bool { (requiredThen + definitions + absentOtherwise)[name] != nil }

    /// True if an object with these initial values can meet it: what it tests has none, or one that is listed.
    func mayHold(for initial: [Node.Entry]) -> Bool {
      tests.allSatisfy { test in
        guard let value = initial[test.key]?.value, let listed = test.value.mappingValue("enum")?.elements else {
          return true
        }
        return listed.contains { $0.says(value) }
      }
    }
  }

  /// Reads an `if` with the `then` and `else` beside it, or reports why no condition says it.
  mutating func condition(_ statement: Statement) -> Condition? {
    let count = reading.faults.count
    guard let test = exactly({ $0.part("if", of: statement) }), let then = part("then", of: statement),
      let otherwise = part("else", of: statement)
    else { return nil }
    if test.properties.isEmpty, test.required.isEmpty, reading.faults.count == count {
      report("if-without-values", at: statement.place)
    }
    for entry in otherwise.properties {
      if case .bool(false) = entry.value.content { continue }
      report("else-defines", at: entry.value.place)
    }
    let condition = Condition(
      place: statement.place, tests: test.properties, required: test.required, requiredThen: then.required,
      definitions: then.properties.filter { !Self.saysNothing($0.value) }, absentOtherwise: otherwise.properties)
    if then.required.isEmpty, condition.definitions.isEmpty, otherwise.properties.isEmpty, reading.faults.count == count
    {
      report("if-without-then", at: statement.place)
    }
    return reading.faults.count == count ? condition : nil
  }

  /// Reads what is asked for only if another property is there.
  mutating func dependencies(_ statement: Statement) -> [Condition] {
    entries(statement).compactMap { entry in
      let inside = Statement(
        key: entry.key, place: entry.keyPlace, value: entry.value, isOwn: statement.isOwn, schema: statement.value)
      let isList = entry.value.elements != nil
      guard let then: Part = isList ? ([], names(inside)) : part(entry.key, of: inside) else { return nil }
      return Condition(
        place: entry.keyPlace, tests: [], required: [entry], requiredThen: then.required,
        definitions: then.properties.filter { !Self.saysNothing($0.value) }, absentOtherwise: [])
    }
  }

  private typealias Part = (properties: [Node.Entry], required: [Node.Entry])

  /// The properties that `if`, `then` or `else` names and those that it requires; `nil` if it cannot be read.
  private mutating func part(_ keyword: String, of statement: Statement) -> Part? {
    var part: Part = ([], [])
    guard let schema = statement.schema.mappingValue(keyword) else { return part }
    guard let said = statements(of: schema) else { return nil }
    for statement in said {
      switch statement.key {
      case "properties": part.properties += entries(statement)
      case "required" where keyword != "else": part.required += names(statement)
      case "type" where types(statement).contains("object"): break
      case "oneOf" where !["if", "then", "else"].contains(keyword):
        report("cannot-be-said-in.dependencies", ["name": keyword], at: statement.place)
      default:
        if !statement.isAnnotation {
          report("cannot-be-said-in", ["keyword": statement.key, "place": keyword], at: statement.place)
        }
      }
    }
    return part
  }

  /// True if a schema accepts any value.
  static func saysNothing(_ schema: Node) -> Bool {
    if case .bool(true) = schema.content { true } else { schema.entries?.isEmpty == true }
  }

  // MARK: What depends on them

  /// Reports properties that a condition does not say exactly.
  ///
  /// - Parameters:
  ///   - properties: those of the object itself.
  ///   - required: what the object itself requires.
  mutating func check(_ conditions: [Condition], on properties: [Node.Entry], _ required: TextSet) {
    // The variants of a union stand in one place, and no two of them apply together.
    var known: [(name: String, place: Node.Place)] = []
    let outer = TextSet(properties.map(\.key))
    let all = properties.map(\.key) + conditions.flatMap { $0.definitions.map(\.key) }
    for condition in conditions {
      let said = condition.requiredThen + condition.definitions + condition.absentOtherwise
      guard reading.spend(50 * said.count * (said.count + all.count + known.count)) else { return }
      // Each once.
      for one in said.reduce(into: [Node.Entry](), { if $0[$1.key] == nil { $0.append($1) } }) {
        let (name, place) = (one.key, one.keyPlace)
        let definition = condition.definitions[name], isAbsentOtherwise = condition.absentOtherwise[name] != nil
        // The object requires it anyway.
        if required.contains(name), definition == nil, !isAbsentOtherwise { continue }
        if known.contains(where: { isSame($0.name, name) && $0.place.id != condition.place.id }) {
          report("two-conditions", ["name": name], at: place)
        } else if outer.contains(name), let definition {
          report("narrowed-by-then", ["name": name], at: definition.keyPlace)
        } else if !outer.contains(name), definition == nil {
          report("unknown-property", ["name": name, "nearest": Nearest(to: name, among: all)], at: place)
        } else if required.contains(name) {
          report("required-anyway", ["name": name], at: place)
        } else if outer.contains(name), !isAbsentOtherwise {
          warn("may-be-there-otherwise", ["name": name], at: place)
        }
        known.append((name, condition.place))
      }
    }
  }

  /// Reports properties that `additionalProperties` or `unevaluatedProperties` would refuse, because they are not
  /// defined beside it.
  mutating func check(_ closing: [Statement], _ properties: ArraySlice<Node.Entry>) {
    for statement in closing where !Self.saysNothing(statement.value) {
      // The root sees what `allOf`, `$ref` and `then` name.
      if statement.key == "unevaluatedProperties", statement.schema.place.pointer == root.place.pointer { continue }
      let beside = TextSet((statement.schema.mappingValue("properties")?.entries ?? []).map(\.key))
      for property in properties where !beside.contains(property.key) {
        report("closed-out", ["keyword": statement.key, "name": property.key], at: property.keyPlace)
      }
    }
  }

  // MARK: The `if`

  /// A property that is asked for: what was read of it, or `nil` if that failed, and the index of the condition
  /// that it depends on, if there is one.
  typealias Asked = (name: String, property: Property?, condition: Int?)

  /// The property that a condition names, of which there must be one.
  private mutating func property(_ one: Node.Entry, among asked: [Asked]) -> Asked? {
    let named = asked.filter { isSame($0.name, one.key) }
    if named.count > 1 { return refuse("two-conditions", ["name": one.key], at: one.keyPlace) }
    return named.first
      ?? refuse(
        "unknown-property", ["name": one.key, "nearest": Nearest(to: one.key, among: asked.map(\.name))],
        at: one.keyPlace)
  }

  /// The conditions of a definition, or `nil` if there are faults.
  mutating func when(_ condition: Condition, among asked: [Asked]) -> [Node]? {
    guard reading.spend(50 * condition.required.count * condition.tests.count) else { return nil }
    var when: [Node] = []
    for one in condition.required where condition.tests[one.key] == nil {
      guard let other = property(one, among: asked), let property = other.property,
        !property.isRequired || other.condition != nil
      else { continue }
      // An optional field that is left empty is absent. Others may be there empty, or off.
      if property.isRequired || property.type == "object" || property.entries["kind"]?.value.scalarText == "boolean" {
        report("if-requires-only", ["name": one.key], at: condition.place)
        continue
      }
      let test = Node.Entry("nonEmpty", .bool(true), at: one.keyPlace)
      when.append(
        Node([Node.Entry("field", .string(property.name), at: one.keyPlace), test], standingFor: one.keyPlace))
    }
    for test in condition.tests {
      guard let other = property(test, among: asked), let property = other.property,
        let texts = texts(of: test, in: property)
      else { continue }
      // If a property is left out, a checkbox counts as unticked and any other field as empty.
      let isBox = property.entries["kind"]?.value.scalarText == "boolean"
      let holdsWithout = condition.required[test.key] == nil
      let isMetWithout = isBox && texts.contains("false")
      if holdsWithout, other.condition != nil || !property.isRequired && !isMetWithout {
        report("holds-without", ["name": test.key], at: test.keyPlace)
      } else if !holdsWithout, isMetWithout, !property.isRequired {
        report("unchecked-is-absent", ["name": test.key], at: test.keyPlace)
      }
      let values = Node.Entry("oneOf", .array(texts.map { .string($0) }), at: test.value.place)
      when.append(
        Node([Node.Entry("field", .string(property.name), at: test.keyPlace), values], standingFor: values.keyPlace))
    }
    return when
  }

  /// The texts that a field holds for the values that the `if` lists, or `nil` after reporting that they are not exact.
  private mutating func texts(of test: Node.Entry, in property: Property) -> [String]? {
    let place = test.value.place
    guard let tested = exactProperty(of: test.value) else { return nil }
    let values = (tested.options ?? []).map(\.value)
      .filter { value in value.isOf(property.type) && tested.types.contains { value.isOf($0) } }
    let texts = values.compactMap(Self.text)
    if let other = tested.unexpressed.first(where: { !$0.isAnnotation }) {
      return refuse("not-a-list.in-if", ["keyword": other.key], at: other.place)
    }
    if tested.isUnion { return refuse("if-lists-nothing", at: place) }
    if ["array", "object"].contains(property.type) || !property.branches.isEmpty
      || property.options == nil && ["number", "integer"].contains(property.type)
    {
      return refuse(
        property.type == "array" ? FaultRow("undecidable.array") : FaultRow("undecidable", ["type": property.type]),
        at: test.keyPlace)
    }
    if tested.options == nil { return refuse("if-lists-nothing", at: place) }
    if tested.isNullable, property.isNullable { return refuse("null-or-nothing", at: place) }
    if texts.isEmpty { return refuse("never-has", ["name": test.key, "type": property.type], at: place) }
    if texts.contains("") { return refuse("empty-or-nothing", at: place) }
    if property.type == "number", areRounded(texts, apartFrom: property.options ?? []) {
      return refuse("same-double", ["name": test.key], at: place)
    }
    return texts
  }

  /// True if one of these numbers rounds to the same double as an option that is not among them.
  private func areRounded(_ numbers: [String], apartFrom options: [Property.Option]) -> Bool {
    let (texts, doubles) = (Set(numbers), Set(numbers.compactMap(Double.init)))
    return options.compactMap { Self.text(of: $0.value) }.contains { option in
      !texts.contains(option) && Double(option).map(doubles.contains) ?? false
    }
  }
}
