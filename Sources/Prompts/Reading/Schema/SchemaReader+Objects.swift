/// Reads objects: each property becomes a field, and an object in an object a section of fields.
extension SchemaReader {
  /// What a schema says of an object.
  struct Object {
    var title, help: Node?
    var properties: [Node.Entry] = []
    var required: [Node.Entry] = []
    var conditions: [Condition] = []
    var closing: [Statement] = []
    var sizes: [Statement] = []
    var extras: [Statement] = []
    /// The initial values of its properties, if it has any.
    var defaults: Node?
    var isObject = false
  }

  /// A field of the definition, with what is said of it outside of its property.
  struct AskedField {
    let place: Node.Place
    var entries: [Node.Entry]
    var when: [Node] = []
    /// The heading before it and the hint under that; or `nil`.
    var section: (title: Node, help: Node?)?
    /// True if it has a value whenever the object around it is there.
    var isSure: Bool

    var nodes: [Node] {
      let conditions = when.isEmpty ? [] : [Node.Entry("when", Node(when, standingFor: place))]
      let heading = section.map { title, help in
        let help = help.map { Node.Entry("help", $0) }
        return Node([Node.Entry("section", title), help].compactMap(\.self), standingFor: title.place)
      }
      return [heading, Node(entries + conditions, standingFor: place)].compactMap(\.self)
    }
  }

  /// How many objects there may be around a property.
  private static let depth = 3
  /// The most names that are made for fields, before there are too many of them.
  private static let nameLimit = 4 * Prompt.fieldLimit

  /// Reads what is said of an object, or reports why it is none.
  mutating func object(_ said: [Statement]) -> Object? {
    var (object, unions) = (Object(title: said["title"]?.value, help: said.hint), [Statement]())
    for statement in said {
      switch statement.key {
      case "type":
        object.isObject = true
        if !types(statement).contains("object") { return refuse("not-of-object", at: statement.value.place) }
      case "properties":
        object.isObject = true
        object.properties += entries(statement)
      case "required": object.required += names(statement)
      // An answer has no properties that the dialog does not ask for.
      case "additionalProperties", "unevaluatedProperties":
        noteExtras(of: statement.value)
        object.closing.append(statement)
      case "if": if let condition = condition(statement) { object.conditions.append(condition) }
      case "dependentRequired", "dependentSchemas", "dependencies": object.conditions += dependencies(statement)
      case "minProperties", "maxProperties": object.sizes.append(statement)
      case "then" where isBesideIf(statement), "else" where isBesideIf(statement): break
      case "x-okcancel": object.extras.append(statement)
      case "default": object.defaults = object.defaults ?? statement.value
      case "anyOf", "oneOf": unions.append(statement)
      case _ where statement.isAnnotation: break
      case "false": return refuse("nothing-left", at: statement.place)
      case _ where !statement.speaks(of: "object"):
        warn("no-effect", ["keyword": statement.key, "type": "object"], at: statement.place)
      default: reportUnsayable(statement, inObject: true)
      }
    }
    for union in unions {
      guard let elements = reading.list(union.value, union.key) else { return nil }
      var variants: [Object] = []
      for element in elements {
        let faults = reading.faults.count
        let variant = alternative(element) { $1["properties"] == nil ? nil : $0.object($1) }
        if reading.faults.count > faults { return nil }
        variants += [variant].compactMap(\.self)
      }
      guard variants.count == elements.count, tell(variants, apart: union, in: &object) else {
        reportUnsayable(union, inObject: true)
        return nil
      }
    }
    object.properties = joined(object.properties)
    return object
  }

  /// Each property once, with all that several schemas say of it.
  private func joined(_ properties: [Node.Entry]) -> [Node.Entry] {
    var (joined, known) = ([Node.Entry](), [[UInt8]: Int]())
    for entry in properties {
      if let index = known[Array(entry.key.utf8)] {
        let (one, place) = (joined[index], joined[index].value.place)
        let all = Node.Entry("allOf", Node([one.value, entry.value], standingFor: place))
        joined[index] = Node.Entry(key: one.key, keyPlace: one.keyPlace, value: Node([all], standingFor: place))
      } else {
        known[Array(entry.key.utf8)] = joined.count
        joined.append(entry)
      }
    }
    return joined
  }

  private func isBesideIf(_ statement: Statement) -> Bool { statement.schema.mappingValue("if") != nil }

  private mutating func reportUnsayable(_ statement: Statement, inObject: Bool) {
    let remedy = Self.table["insteadInObjects"]?.text(statement.key)
    reportUnsayable(statement, remedy, among: ["properties", "required", "title", "description"])
  }

  /// The fields that ask for the properties of an object, those of objects in it last.
  ///
  /// - Parameter path: the names that lead to the object.
  mutating func fields(of object: Object, in path: [String] = []) -> [AskedField] {
    let (defined, conditions) = (object.properties, object.conditions)
    aroundFields.append(defined.first?.keyPlace.pointer ?? "")
    defer { aroundFields.removeLast() }
    let (always, keys) = (TextSet(object.required.map(\.key)), defined.map(\.key))
    let known = TextSet(keys)
    // A property may have a definition in each variant of a union.
    let conditional = conditions.indices.flatMap { index in
      conditions[index].definitions.filter { !known.contains($0.key) }.map { (entry: $0, condition: Int?(index)) }
    }
    guard reading.spend(50 * conditional.count * (defined.count + conditional.count)) else { return [] }
    let placed =
      defined.map { one in
        (entry: one, condition: always.contains(one.key) ? nil : conditions.firstIndex { $0.dependsOn(one.key) })
      } + conditional
    let properties = placed.map(\.entry)
    for one in object.required where !known.contains(one.key) {
      report("required-is-unknown", ["name": one.key, "nearest": Nearest(to: one.key, among: keys)], at: one.keyPlace)
    }
    if properties.count > Prompt.fieldLimit {
      let limit = Prompt.fieldLimit
      reading.report("too-many-fields", ["limit": limit, "count": properties.count], at: properties[limit].keyPlace)
    }
    let initial = defaults(of: object, among: properties)
    if path.isEmpty { ownNames = TextSet(properties.map(\.key)) }
    check(conditions, on: defined, always)
    for statement in object.sizes {
      guard let size = reading.count(statement.value, statement.key) else { continue }
      let sure = properties.count { always.contains($0.key) }
      let isMet = statement.key == "maxProperties" ? properties.count <= size : sure >= size
      if !isMet { reportUnsayable(statement, inObject: true) }
    }
    check(object.closing, properties.prefix(Prompt.fieldLimit))
    let asked = placed.prefix(Prompt.fieldLimit).map { written, condition -> Asked in
      let isOneOfSeveral = placed.count { isSame($0.entry.key, written.key) } > 1
      let begins = !isOneOfSeveral || condition.map { conditions[$0].mayHold(for: initial) } ?? true
      let property = begins ? initial[written.key].map { written.beginning(with: $0.value) } ?? written : written
      let isRequired = condition == nil && always.contains(property.key)
      let isRequiredThen = condition.map { conditions[$0].requiredThen[property.key] != nil } ?? false
      // It must be absent, so nobody is asked for it.
      if case .bool(false) = property.value.content {
        if isRequired || isRequiredThen { report("nothing-left", at: property.value.place) }
        return (property.key, nil, condition)
      }
      let field = field(
        property, isRequired: isRequired || isRequiredThen, isConditional: condition != nil, in: path)
      return (property.key, field, condition)
    }
    for (index, one) in asked.enumerated() {
      let isObject = one.property?.type == "object"
      let same = asked[..<index].first { isSame($0.name, one.name) && $0.property != nil && one.property != nil }
      if let same, (same.property?.type == "object") != isObject {
        report("differs-in-variants", ["name": one.name], at: properties[index].keyPlace)
      }
    }
    let when = conditions.map { self.when($0, among: asked) }
    var (own, inner) = ([AskedField](), [AskedField]())
    for one in asked {
      guard let property = one.property else { continue }
      var fields = property.inner
      if fields.isEmpty {
        fields = [AskedField(place: property.place, entries: property.entries, isSure: property.isRequired)]
      }
      if let condition = one.condition { fields.apply(only: when[condition] ?? []) }
      if property.inner.isEmpty { own += fields } else { inner += fields }
    }
    return own + inner
  }

  /// The initial values that an object's `default` gives its properties, all of which must be known.
  private mutating func defaults(of object: Object, among properties: [Node.Entry]) -> [Node.Entry] {
    guard let defaults = object.defaults, !defaults.isNull else { return [] }
    shown.append(defaults)
    guard let entries = defaults.entries else {
      return refuse("default-of-other-type", ["type": "object"], at: defaults.place) ?? []
    }
    guard reading.spend(50 * entries.count * properties.count) else { return [] }
    for entry in entries where properties[entry.key] == nil {
      report(
        "unknown-property", ["name": entry.key, "nearest": Nearest(to: entry.key, among: properties.map(\.key))],
        at: entry.keyPlace)
    }
    return entries
  }

  // MARK: Objects in objects

  /// Reads the fields of an object in an object, or reports why it cannot be asked for.
  ///
  /// An object that may be absent and requires anything has a box, which says whether it is there.
  mutating func askInside(
    _ property: inout Property, of said: [Statement], at keyPlace: Node.Place, isConditional: Bool, in path: [String]
  ) -> Bool {
    let count = reading.faults.count
    if path.count > Self.depth {
      // One that contains itself has no end.
      let first = object(property.unexpressed)?.properties.first?.keyPlace.pointer
      let isCircular = first.map { aroundFields.contains($0) } ?? false
      report(
        isCircular
          ? FaultRow("circular-reference", ["pointer": path.last ?? property.name])
          : FaultRow("too-deep", ["depth": Self.depth]), at: keyPlace)
    }
    guard reading.faults.count == count, var object = object(property.unexpressed) else { return false }
    if let (variants, statement) = property.variants {
      let objects = variants.compactMap { self.object($0.unexpressed) }
      guard objects.count == variants.count, tell(objects, apart: statement, in: &object) else {
        report("several-kinds", ["keyword": statement.key], at: statement.place)
        return false
      }
    }
    if property.options != nil || object.properties.isEmpty && object.conditions.isEmpty {
      let any = object.closing.first { $0.value.entries?.isEmpty == false }
      report(
        property.options != nil
          ? FaultRow("listed-objects")
          : any.map { FaultRow("any-properties", ["keyword": $0.key]) } ?? FaultRow("object-in-object"),
        at: any?.place ?? property.typeStatement?.value.place ?? property.place)
    }
    guard reading.faults.count == count else { return false }
    let title =
      said.ownTitle ?? Self.words(for: path).map { Node(.string($0), standingFor: keyPlace) }
    let help = said.hint
    var fields = fields(of: object, in: path)
    guard reading.faults.count == count, !fields.isEmpty else { return false }
    let hasBox = !object.required.isEmpty && (!property.isRequired || property.isNullable)
    if hasBox {
      var box = Property(place: property.place, isRequired: false)
      box.entries = entries(named: property.name, at: keyPlace, in: path)
      box.add("label", title)
      box.add("help", help)
      if object.defaults?.entries != nil { box.add("value", .bool(true)) }
      for (key, word) in [("kind", "boolean"), ("valueType", "object")] { box.add(key, .string(word)) }
      for key in ["optional"] + (property.isRequired ? [] : ["omitEmpty"]) { box.add(key, .bool(true)) }
      let isThere: JSON = ["field": .string(property.name), "oneOf": ["true"]]
      fields.apply(only: [Node(isThere, standingFor: keyPlace)])
      fields.insert(AskedField(place: property.place, entries: box.entries, isSure: property.isRequired), at: 0)
    } else if property.isRequired, !fields.contains(where: \.isSure) {
      if isConditional {
        report("empty-under-condition", at: keyPlace)
        return false
      }
      objects.append(path)
    }
    // The box has the title.
    if !hasBox { head(&fields[0], title, help) }
    property.inner = fields
    return true
  }

  /// Puts a heading before a field. If an object inside has put one there, both are one.
  private mutating func head(_ field: inout AskedField, _ title: Node?, _ help: Node?) {
    guard let title else { return }
    guard let inner = field.section else { return field.section = (title, help) }
    shown += [title, help].compactMap(\.self)
    func joined(_ nodes: [Node?], _ separator: String) -> Node? {
      let nodes = nodes.compactMap(\.self)
      guard nodes.count > 1 else { return nodes.first }
      return Node(.string(nodes.compactMap(\.scalarText).joined(separator: separator)), standingFor: nodes[1].place)
    }
    field.section = (joined([title, inner.title], " – ") ?? title, joined([help, inner.help], "\n"))
  }

  // MARK: Names

  /// The first entries of a field: its name, and where its value stands unless that says so.
  mutating func entries(named name: String, at place: Node.Place, in path: [String]) -> [Node.Entry] {
    let entries = [Node.Entry("name", .string(name), at: place)]
    if path.count == 1, isSame(path[0], name) { return entries }
    return entries + [Node.Entry("at", .string(JSONPointer.text(path)), at: place)]
  }

  /// A name for the field of a property: its key, if that can be one and is not another's.
  mutating func name(for path: [String]) -> String? {
    let key = path.last ?? ""
    if path.count == 1, Field.isName(key), !Self.taken.contains(key), !names.contains(key) {
      names.insert(key)
      return key
    }
    guard names.count < Self.nameLimit else { return nil }
    let words = key.unicodeScalars.split {
      !$0.isASCII || !($0.properties.isAlphabetic || (48...57).contains($0.value))
    }
    let joined = String(words.map(String.init).joined(separator: "_").drop { $0.isNumber || $0 == "_" }.prefix(48))
    let base = Field.isName(joined) && !Self.taken.contains(joined) ? joined : "field"
    var (name, number) = (base, 1)
    while names.contains(name) || ownNames.contains(name) {
      number += 1
      name = "\(base)\(number)"
    }
    names.insert(name)
    return name
  }

  /// A form sends the pressed button under these names.
  private static let taken = ["outcome", "action"]

  /// A property's key in words, or `nil` if there are none in it.
  static func words(for path: [String]) -> String? {
    let words = Field.words(of: String((path.last ?? "").map { $0.isLetter || $0.isNumber ? $0 : "_" }))
      .split(separator: " ").joined(separator: " ")
    return words.isEmpty || words.unicodeScalars.count > 200 ? nil : words
  }
}

extension Node.Entry {
  /// The same property with another initial value.
  fileprivate func beginning(with initial: Node) -> Node.Entry {
    guard value.entries != nil else { return self }
    let parts = [Node.Entry("default", initial), Node.Entry("allOf", Node([value], standingFor: value.place))]
    return Node.Entry(key: key, keyPlace: keyPlace, value: Node(parts, standingFor: value.place))
  }
}

extension [SchemaReader.AskedField] {
  /// Adds conditions under which all of them apply.
  fileprivate mutating func apply(only when: [Node]) {
    for index in indices {
      self[index].when += when
      self[index].isSure = false
    }
  }
}
