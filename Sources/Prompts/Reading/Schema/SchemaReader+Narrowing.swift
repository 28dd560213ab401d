/// Finds the type of a property's values, and leaves out what a `not` rules out.
extension SchemaReader {
  /// Finds the one type that the values have.
  ///
  /// - Parameter isField: whether it may be an object or have several types.
  mutating func findType(of property: inout Property, isField: Bool = false) -> Bool {
    if Self.inferType(of: &property) { warn("any-value", at: property.place) }
    let written = property
    var types = property.types
    property.branches.removeAll { !types.contains($0.type) }
    property.options = property.options?.filter { option in types.contains { option.value.isOf($0) } }
    if let options = property.options { types.removeAll { type in !options.contains { $0.value.isOf(type) } } }
    if types.contains("number") { types.removeAll { $0 == "integer" } }
    property.types = types
    let place = property.typeStatement?.value.place ?? property.place
    if isField, !written.isUnion, types.count > 1 {
      property.branches = plainBranches(Self.split(written), isOneOf: false) ?? []
    }
    if types.isEmpty {
      report("nothing-left", at: place)
    } else if property.options != nil, written.isUnion {
      report("several-types", at: place)
    } else if isField, property.branches.count > 1, property.variants == nil {
      property.types = [property.branches[0].type]
      return true
    } else if !written.branches.isEmpty || types.count > 1 {
      report("several-types", at: place)
    } else if types[0] == "object", !isField {
      report("object-in-object", at: place)
    } else {
      return true
    }
    return false
  }

  /// Chooses a type for a property that may have any: that of its default, or the one that its first keyword speaks of,
  /// or else a text. Others are valid too, and null, but nobody says that they are wanted.
  ///
  /// - Returns: true if nothing speaks for that type.
  @discardableResult
  static func inferType(of property: inout Property) -> Bool {
    guard property.typeStatement == nil, property.options == nil, !property.isUnion, property.types.count > 1 else {
      return false
    }
    let types = ["string", "number", "boolean", "array", "object", "integer"].filter(property.types.contains)
    let keywords = property.unexpressed.filter { $0.types != nil }
    let type =
      property.unexpressed["default"].flatMap { statement in types.first { statement.value.isOf($0) } }
      ?? keywords.lazy.compactMap { statement in types.first { statement.speaks(of: $0) } }.first
    property.types = [type ?? types[0]]
    property.isNullable = false
    return type == nil
  }

  // MARK: Exclusions

  /// Reads a schema of which no value may be left out.
  mutating func exactly<Value>(_ read: (inout Self) -> Value) -> Value {
    let before = mayNarrow
    mayNarrow = false
    defer { mayNarrow = before }
    return read(&self)
  }

  /// All values of a schema, of which none may be left out.
  mutating func exactProperty(of schema: Node) -> Property? {
    exactly { $0.alternative(schema) { $0.property(of: $1, at: schema.place) } }
  }

  /// Leaves out the types of which a `not` rules out every value. The rest of it stays unexpressed.
  mutating func exclude(_ statement: Statement, _ property: inout Property) -> Bool {
    guard let other = exactProperty(of: statement.value) else { return false }
    property.isNullable = property.isNullable && !other.isNullable
    property.types.removeAll { type in
      other.options == nil && !other.isUnion && other.hasSome(of: type)
        && other.unexpressed.allSatisfy { $0.isAnnotation || !$0.speaks(of: type) }
    }
    property.unexpressed.append(statement)
    return true
  }

  /// Says each `not` of a property whose type is known, or leaves it unexpressed.
  mutating func expressExclusions(_ property: inout Property) {
    let isMoment = property.unexpressed.contains { $0.key == "format" && $0.value.scalarText == "date-time" }
    for statement in property.takeAll("not") {
      guard var other = exactProperty(of: statement.value), other.hasSome(of: property.type) else { continue }
      let values = (other.options ?? []).filter { $0.value.isOf(property.type) }.map(\.value)
      let keys = Set(values.map { $0.scalarKey() })
      if property.type == "boolean", other.options != nil, property.options == nil {
        property.options = [true, false].map { .init(value: Node(.bool($0), standingFor: property.place)) }
      }
      switch property.type {
      case _ where other.isUnion || isMoment: property.unexpressed.append(statement)
      case _ where other.options != nil && (property.options != nil || values.isEmpty):
        property.options?.removeAll { keys.contains($0.value.scalarKey()) }
        if property.options?.isEmpty == true { report("nothing-left", at: statement.place) }
      case "string" where other.options != nil:
        property.addRule(.keyword("not", .keyword("oneOf", .strings(values.compactMap(\.scalarText)))), for: statement)
      case "integer" where other.options != nil:
        for value in values.compactMap(Self.text) {
          let range = JSON.object([.init("min", .number(value)), .init("max", .number(value))])
          property.addRule(.keyword("not", .keyword("range", range)), for: statement)
        }
      case "string" where other.isOnlyText:
        expressLengths(&other)
        for pattern in other.takeAll("pattern") { expressPattern(pattern, &other) }
        let place = statement.place
        let all = Node([Node.Entry("all", Node(other.rules, standingFor: place))], standingFor: place)
        property.rules.append(Node([Node.Entry("not", all)], standingFor: place))
      default: property.unexpressed.append(statement)
      }
    }
  }
}

extension SchemaReader.Property {
  /// True if values of this type may be among its own.
  fileprivate func hasSome(of type: String) -> Bool {
    types.contains(type) || type == "number" && types.contains("integer")
  }

  /// True if all that it says of texts are lengths and patterns, which rules say exactly.
  fileprivate var isOnlyText: Bool {
    options == nil && unexpressed.contains { ["maxLength", "pattern"].contains($0.key) }
      && unexpressed.allSatisfy { statement in
        statement.isAnnotation || !statement.speaks(of: "string")
          || ["minLength", "maxLength", "pattern"].contains(statement.key)
      }
  }
}
