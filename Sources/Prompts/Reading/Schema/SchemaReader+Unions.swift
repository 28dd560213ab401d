/// Reads values of one kind or another: objects that a constant tells apart, and plain values of several types.
extension SchemaReader {
  // MARK: Objects

  /// Adds objects of which one is meant: the property that tells them apart becomes a choice, and what each has becomes
  /// conditions on it. What several say alike is one property. Returns false if nothing tells them apart.
  mutating func tell(_ variants: [Object], apart statement: Statement, in object: inout Object) -> Bool {
    guard variants.count > 1, variants.allSatisfy({ $0.conditions.isEmpty && $0.sizes.isEmpty }),
      let (key, values) = discriminator(of: variants), let tag = variants[0].properties[key]
    else { return false }
    for variant in variants { check(variant.closing, (object.properties + variant.properties)[...]) }
    let options = zip(variants, values).flatMap { variant, values in
      values.map { value in
        let title = values.count == 1 ? variant.title.map { Node.Entry("title", $0) } : nil
        let help = values.count == 1 ? variant.help.map { Node.Entry("description", $0) } : nil
        return Node([Node.Entry("const", value), title, help].compactMap(\.self), standingFor: value.place)
      }
    }
    let choice = Node(
      [Node.Entry("oneOf", Node(options, standingFor: tag.keyPlace))]
        + texts(of: variants.compactMap { $0.properties[key]?.value }), standingFor: tag.value.place)
    object.properties.append(Node.Entry(key: key, keyPlace: tag.keyPlace, value: choice))
    let isThere = Node.Entry(key: key, keyPlace: tag.keyPlace, value: Node(.string(key), standingFor: tag.keyPlace))
    object.required.append(isThere)
    object.isObject = true

    let required = TextSet(object.required.map(\.key))
    var parts: [(entry: Node.Entry, isRequired: Bool, variants: [Int])] = []
    for (index, variant) in variants.enumerated() {
      guard reading.spend(100 * variant.properties.count * (parts.count + 1)) else { return false }
      for entry in variant.properties where !isSame(entry.key, key) {
        let isRequired = variant.required[entry.key] != nil || required.contains(entry.key)
        let same = parts.indices.filter { isSame(parts[$0].entry.key, entry.key) && parts[$0].isRequired == isRequired }
        guard reading.spend(20 * same.count * entry.value.size) else { return false }
        let known = same.first { parts[$0].entry.value.says(entry.value) }
        if let known { parts[known].variants.append(index) } else { parts.append((entry, isRequired, [index])) }
      }
      for one in variant.required where variant.properties[one.key] == nil {
        report(
          "required-is-unknown",
          ["name": one.key, "nearest": Nearest(to: one.key, among: variant.properties.map(\.key))], at: one.keyPlace)
      }
    }
    // Where the object requires what each variant has, each requires its own.
    object.required.removeAll { one in
      !isSame(one.key, key) && variants.allSatisfy { $0.properties[one.key] != nil }
    }
    for part in parts {
      if part.variants.count == variants.count {
        object.properties.append(part.entry)
        if part.isRequired { object.required.append(part.entry) }
        continue
      }
      let list = Node(part.variants.flatMap { values[$0] }, standingFor: part.entry.keyPlace)
      let test = Node([Node.Entry("enum", list)], standingFor: part.entry.keyPlace)
      object.conditions.append(
        Condition(
          place: statement.place, tests: [Node.Entry(key: key, keyPlace: part.entry.keyPlace, value: test)],
          required: [isThere], requiredThen: part.isRequired ? [part.entry] : [], definitions: [part.entry],
          absentOtherwise: []))
    }
    return true
  }

  /// The title and the description that all of these schemas of a constant have. A default that is the constant says no
  /// more than that.
  private mutating func texts(of tags: [Node]) -> [Node.Entry] {
    shown += tags.compactMap { tag in
      tag.mappingValue("default").flatMap { tag.mappingValue("const")?.says($0) == true ? $0 : nil }
    }
    return ["title", "description"].compactMap { word in
      let texts = tags.compactMap { $0.mappingValue(word) }
      guard texts.count == tags.count, texts.allSatisfy({ $0.says(texts[0]) }) else { return nil }
      shown += texts
      return Node.Entry(word, texts[0])
    }
  }

  /// The first property that has constants in all variants and none of them in two; one that is always there, if any is.
  private mutating func discriminator(of variants: [Object]) -> (key: String, values: [[Node]])? {
    func isThere(_ entry: Node.Entry) -> Bool { variants.allSatisfy { $0.required[entry.key] != nil } }
    let properties = variants[0].properties
    guard reading.spend(100 * variants.reduce(0) { $0 + $1.required.count } * properties.count) else { return nil }
    for entry in properties.filter(isThere) + properties.filter({ !isThere($0) }) {
      guard reading.spend(1_000 * variants.count) else { return nil }
      let values = variants.compactMap { $0.properties[entry.key].flatMap { constants(of: $0.value) } }
      let keys = values.joined().compactMap { $0.scalarKey() }
      if values.count == variants.count, keys.count == values.joined().count, Set(keys).count == keys.count {
        return (entry.key, values)
      }
    }
    return nil
  }

  /// The constants that a property may have, or `nil` if it may have others, or null.
  private mutating func constants(of schema: Node) -> [Node]? {
    guard let listed = schema.mappingValue("const").map({ [$0] }) ?? schema.mappingValue("enum").flatMap(\.elements),
      !listed.isEmpty, let property = exactProperty(of: schema),
      property.isListed, !property.isUnion, let options = property.options, !property.isNullable,
      options.count == listed.count,
      options.allSatisfy({ option in property.types.contains { option.value.isOf($0) } })
    else { return nil }
    return options.map(\.value)
  }

  // MARK: Plain values

  private static let plainTypes = ["string", "number", "integer", "boolean"]

  /// The alternatives as plain values of one type each, or `nil` if they are not.
  mutating func plainBranches(_ alternatives: [Property], isOneOf: Bool) -> [Property]? {
    // What stands beside alternatives inside an alternative would be lost.
    guard
      alternatives.allSatisfy({ one in
        !one.isUnion
          || one.isListed && one.options == nil && one.variants == nil
            && one.branches.allSatisfy { one.types.contains($0.type) }
      })
    else { return nil }
    let branches = alternatives.flatMap { $0.branches.isEmpty ? Self.split($0) : $0.branches }
    let types = branches.map(\.type)
    guard branches.allSatisfy({ Self.plainTypes.contains($0.type) && $0.variants == nil }) else { return nil }
    // A value that matches two alternatives of a `oneOf` is invalid.
    let isUnclear = Set(types).count < types.count || Set(types).isSuperset(of: ["number", "integer"])
    return isOneOf && isUnclear ? nil : branches
  }

  /// One property for each type that it may have, in the order of the schema.
  static func split(_ property: Property) -> [Property] {
    var types = property.types
    if let options = property.options {
      types.removeAll { type in !options.contains { $0.value.isOf(type) } }
    }
    if types.contains("number") { types.removeAll { $0 == "integer" } }
    let written = property.typeStatement.map { statement in statement.value.elements ?? [statement.value] } ?? []
    let order = written.compactMap(\.scalarText)
    types.sort { (order.firstIndex(of: $0) ?? .max) < (order.firstIndex(of: $1) ?? .max) }
    return types.map { type in
      var one = property
      one.types = [type]
      one.options = property.options?.filter { $0.value.isOf(type) }
      one.unexpressed = property.unexpressed.filter { $0.speaks(of: type) }
      return one
    }
  }

  /// Adds the rest of a field for values of several types: a text, or one of the values that are listed, which is answered
  /// as the first type that takes it.
  mutating func expressUnion(_ property: inout Property) {
    var (rules, types, isMultiline) = ([Node](), [JSON](), false)
    for branch in property.branches {
      var branch = branch
      branch.isNullable = false
      expressExtras(&branch, besides: property.unexpressed)
      branch.extras += property.extras.filter { $0.key == "messages" }
      branch.unexpressed += property.unexpressed.filter { $0.key == "not" || $0.types?.contains(branch.type) ?? false }
      expressExclusions(&branch)
      expressBranch(&branch)
      isMultiline = isMultiline || branch.kind == .multiline
      for statement in branch.unexpressed where !statement.isAnnotation {
        reportUnsayable(statement, nil, among: Self.keywords(for: branch.type))
      }
      if let implied = branch.kind.impliedRule(options: [], international: false)?.name, branch.options == nil {
        branch.rules.insert(Node(.keyword(implied, .bool(true)), standingFor: branch.place), at: 0)
      }
      addOwnRules(to: &branch)
      property.expressedKeywords += branch.expressedKeywords
      if branch.rules.isEmpty { branch.rules = [Node(.keyword("none", .bool(true)), standingFor: branch.place)] }
      let all = Node(branch.rules, standingFor: branch.place)
      rules.append(Node([Node.Entry("all", all)], standingFor: branch.place))
      types.append(.string(["string", "boolean"].contains(branch.type) ? branch.type : "number"))
    }
    property.unexpressed.removeAll { statement in
      statement.key == "not" || statement.types.map { !$0.isDisjoint(with: Self.plainTypes) } ?? false
    }
    if let listed = property.options {
      expressKind(&property, [.choice])
      property.add("options", Node(options(listed, &property), standingFor: property.place))
    } else {
      expressKind(&property, isMultiline ? [.multiline, .text] : [.text, .multiline])
    }
    property.rules.append(
      Node([Node.Entry("any", Node(rules, standingFor: property.place))], standingFor: property.place))
    let defaults = ([property] + property.branches).compactMap { $0.unexpressed["default"]?.value }
    if let value = defaults.first, !value.isNull {
      shown.append(value)
      guard let text = Self.text(of: value), property.branches.contains(where: { value.isOf($0.type) }) else {
        return report(
          "default-of-other-type", ["type": property.branches.map(\.type).joined(separator: "` or `")], at: value.place)
      }
      property.add("value", Node(.string(text), standingFor: value.place))
    }
    property.add("valueTypes", .array(types))
    expressAbsence(&property)
  }

  /// Reports moments among other values, which have no time zone.
  mutating func reportMoments(_ part: inout Property) {
    let isMoment = { (one: Statement) in one.key == "format" && one.value.scalarText == "date-time" }
    for format in part.unexpressed.filter(isMoment) { report("moment-among-others", at: format.value.place) }
    part.unexpressed.removeAll(where: isMoment)
  }

  private mutating func expressBranch(_ branch: inout Property) {
    switch branch.type {
    case "boolean":
      let values = branch.options.map { Set($0.compactMap(\.value.scalarText)).sorted() } ?? ["true", "false"]
      branch.options = []
      branch.rules = [Node(.keyword("oneOf", .strings(values)), standingFor: branch.place)]
    case _ where branch.options != nil:
      let values = (branch.options ?? []).compactMap { Self.text(of: $0.value) }
      branch.rules = [Node(.keyword("oneOf", .strings(values)), standingFor: branch.place)]
    case "string":
      reportMoments(&branch)
      expressText(&branch)
    default: expressNumber(&branch)
    }
  }
}

extension Node {
  /// The elements of a list, or `nil` if this is none.
  var elements: [Node]? { if case .sequence(let elements) = content { elements } else { nil } }

  /// True if both say the same, wherever they stand and in whatever order their keys are.
  func says(_ other: Node) -> Bool {
    switch (content, other.content) {
    case (.sequence(let one), .sequence(let other)):
      one.count == other.count && zip(one, other).allSatisfy { $0.says($1) }
    case (.mapping(let one), .mapping(let other)):
      one.count == other.count
        && one.allSatisfy { entry in other[entry.key].map { entry.value.says($0.value) } ?? false }
    case (.string(let one), .string(let other)): isSame(one, other)
    case (.number(let one), .number(let other)):
      isSame(one, other) || ExactNumber(one).flatMap { one in ExactNumber(other).map { one == $0 } } ?? false
    case (.bool(let one), .bool(let other)): one == other
    case (.null, .null): true
    default: false
    }
  }
}
