/// A field, as far as it could be read, with the places that later faults need.
struct FieldDraft {
  let field: Field
  private let map: Mapping
  /// True if the kind could be read. If not, the field is a text field for now.
  private let isKindKnown: Bool
  private let rules: [PlacedRule]
  private let allow: [PlacedRule]
  private let when: [PlacedWhen]
  /// True if it could be read without a fault.
  private let isSound: Bool

  typealias PlacedWhen = (when: When, place: Node.Place)
  private typealias PlacedRule = (rule: Rule, place: Node.Place)

  var namePlace: Node.Place { map["name"]?.place ?? map.place }
  var atPlace: Node.Place { map["at"]?.place ?? namePlace }

  /// Reads a field by itself. `reportRules` checks what its rules say about other fields.
  ///
  /// - Parameter section: the heading before it and the hint under that, or `nil`.
  init?(_ node: Node, in section: (title: String?, help: String?)?, _ reading: inout Reading) {
    let count = reading.faults.count
    let example = FaultRow("not-a-list.fields")
    guard let map = reading.mapping(node, as: "a field", keys: FieldKey.names, remedy: example) else { return nil }
    let name = reading.string("name", in: map, of: "a field", remedy: FaultRow("write-field-name"))
    if let name, !Field.isName(name) {
      reading.report("field-name", ["name": name], at: map["name"]?.place ?? map.place)
    } else if let name, name == "outcome" || name == "action" {
      // A form sends the pressed button under these names.
      reading.report("taken-name", ["name": name], at: map["name"]?.place ?? map.place)
    }
    let written: Field.Kind? = reading.word(map["kind"], "kind")
    isKindKnown = map["kind"] == nil || written != nil
    let kind = written ?? .text
    if kind.offersOptions {
      reading.require("options", in: map, of: "\(kind.withArticle) field", remedy: FaultRow("write-options"))
    }

    var field = Field(name ?? "", kind: kind)
    field.section = section?.title
    field.sectionHelp = section?.help
    field.requiredTakesBlanks = reading.requiredTakesBlanks
    for key in FieldKey.all where isKindKnown || !key.needsKind {
      guard let entry = map.entry(key.name) else { continue }
      key.read?(&field, entry.value, &reading)
      guard isKindKnown, let fit = key.fit, !fit.takes(kind) else { continue }
      reading.report(
        FaultRow(fit.fault, ["kind": kind.withArticle, "key": key.name]),
        at: fit.isInValue ? entry.value.place : entry.keyPlace)
    }
    allow = Self.rules(map["allow"], "allow", &reading)
    let items = Self.rules(map["items"], "items", &reading).map(\.rule)
    let each = map["items"].map { (Rule.items(items), $0.place) }
    rules = Self.rules(map["rules"], "rules", &reading) + (items.isEmpty ? [] : [each].compactMap(\.self))
    when = When.list(map["when"], &reading)
    (field.allow, field.when) = (allow.map(\.rule), when.map(\.when))
    field.setRules(rules.map(\.rule))
    self.field = field
    self.map = map
    if field.required, field.optional, let entry = map.entry("required") {
      reading.report("required-and-optional", at: entry.keyPlace)
    }
    reading.checkAnswer(of: field, map, isKindKnown: isKindKnown)
    // Whether a date uses `today` is only known if its rules could be read.
    let isTimeZoneKnown = isKindKnown && (kind != .date || reading.faults.count == count)
    if isTimeZoneKnown, let node = map["timeZone"], let fault = field.faultOfTimeZone {
      reading.report(fault, at: node.place)
    }
    if kind == .slider, field.scale.min == nil || field.scale.max == nil {
      reading.report("slider-without-scale", at: map.place)
    }
    isSound = reading.faults.count == count
  }

  private static func rules(_ node: Node?, _ key: String, _ reading: inout Reading) -> [PlacedRule] {
    guard let node, let elements = reading.list(node, key) else { return [] }
    return elements.compactMap { element in Rule(element, &reading).map { ($0, element.place) } }
  }

  // MARK: Rules in their place

  /// Reports rules that make no sense in this field, or that name fields which do not exist.
  func reportRules(among drafts: [FieldDraft], _ reading: inout Reading) {
    let count = reading.faults.count
    Self.report(when, of: field.name, among: drafts, &reading)
    let fields = drafts.map { draft in
      // Treat a field of unknown kind as one of this field's kind, so that it causes no second fault.
      draft.isKindKnown
        ? draft.field
        : Field(draft.field.name, label: draft.field.label, kind: field.kind, options: draft.field.options)
    }
    for placed in rules + allow {
      let faults = placed.rule.faults(in: field, of: fields, isKindKnown: isKindKnown)
      for fault in faults { reading.report(fault, at: placed.place) }
    }
    guard isKindKnown else { return }
    // Without options that could be read, nothing can be said of those chosen.
    if let node = map["value"], !field.kind.offersOptions || !field.options.isEmpty,
      let fault = field.faultOfInitial(field.value)
    {
      reading.report(fault, at: node.place)
    }
    // The rule that options imply is not written anywhere.
    if field.kind.offersOptions {
      let implied = Rule.oneOf(field.options.map(\.value))
      for fault in implied.faults(in: field, of: fields) where fault.id == "impossible-value" {
        reading.report(fault.with(key: "options"), at: map["options"]?.place ?? map.place)
      }
    }
    for (placed, decidedBy) in zip(allow, Rule.decidedBy(allow.map(\.rule))) {
      if !field.kind.isTyped {
        reading.report("nothing-typed", ["kind": field.kind.withArticle], at: placed.place)
      } else if decidedBy == .server {
        // A pattern may be slow only on long texts.
        let (rule, isLengthMissing) = (placed.rule.name, placed.rule.isDecidedByBrowsers(upTo: 200))
        reading.report(
          isLengthMissing
            ? FaultRow("decided-by-server.length", ["rule": rule]) : FaultRow("decided-by-server", ["rule": rule]),
          at: placed.place)
      }
    }
    if isSound, reading.faults.count == count { reportUnanswerable(&reading) }
  }

  /// Reports a field that nobody can ever answer.
  private func reportUnanswerable(_ reading: inout Reading) {
    if let (why, rule) = field.unanswerable(&reading) {
      let place = rules.first { placed in placed.rule.flattened.contains { $0 === rule } }
      reading.report(why, at: place?.place ?? rules.last?.place ?? map["options"]?.place ?? map.place)
    } else if let first = allow.first, field.refusesTyping(&reading) {
      reading.report("nothing-to-type", at: first.place)
    }
    for (rule, place) in rules.flatMap({ placed in placed.rule.flattened.map { ($0, placed.place) } }) {
      guard let source = rule.condition.limits.pattern?.source, let (pattern, flags) = Field.literal(source),
        !flags.isEmpty
      else { continue }
      let fault =
        switch (flags.contains("i"), reading.namesKeywords) {
        case (false, _): FaultRow("literal-pattern", ["pattern": pattern])
        case (true, false): FaultRow("literal-pattern.flags", ["pattern": pattern])
        case (true, true): FaultRow("literal-pattern.keyword", ["pattern": pattern])
        }
      reading.warn(fault, at: place)
    }
  }
}

// MARK: Conditions

extension FieldDraft {
  /// Reports conditions that make no sense in this prompt.
  ///
  /// - Parameter owner: the name of the field that has them, or `nil` for a button.
  static func report(
    _ when: [PlacedWhen], of owner: String?, among drafts: [FieldDraft], _ reading: inout Reading
  ) {
    let fields = drafts.map(\.field)
    for (when, place) in when {
      let isKindKnown = fields.index(of: when.field).map { drafts[$0].isKindKnown } ?? true
      let faults = when.faults(of: owner, among: fields, isKindKnown: isKindKnown)
      for fault in faults { reading.report(fault, at: place) }
    }
  }

  /// Reports each circle of fields in which each field applies only if the next one does, at the first field.
  static func reportCircles(among drafts: [FieldDraft], _ reading: inout Reading) {
    let drafts = Array(drafts.prefix(Prompt.fieldLimit)), fields = drafts.map(\.field)
    var (visited, path) = (Set<Int>(), [Int]())
    func follow(_ index: Int) {
      if let first = path.firstIndex(of: index) {
        let circle = (path[first...] + [index]).map { "`\(fields[$0].name)`" }.joined(separator: " → ")
        let place = drafts[path[first...].min() ?? index].when[0].place
        // A field that names itself has its own fault.
        if path.count - first > 1 { reading.report("circle", ["names": circle], at: place) }
      } else if visited.insert(index).inserted {
        path.append(index)
        for next in drafts[index].when.compactMap({ fields.index(of: $0.when.field) }) { follow(next) }
        path.removeLast()
      }
    }
    for start in drafts.indices { follow(start) }
  }
}

extension Field.Kind {
  /// True if a person types the value as text.
  package var isTyped: Bool { ![.date, .time, .dateTime, .boolean, .choice, .choices, .slider].contains(self) }
}

// MARK: Options

extension Reading {
  /// The options of a `choice` or `choices` field.
  mutating func options(_ node: Node) -> [Field.Option] {
    guard let elements = list(node, "options") else { return [] }
    let limit = 1_000
    if elements.isEmpty { report("no-options", at: node.place) }
    if elements.count > limit {
      report(
        "too-many", ["key": "options", "count": elements.count, "unit": "elements", "limit": limit],
        at: elements[limit].place)
      return []
    }
    // Not a Set of strings: it would join texts that differ only in code points.
    var seen = Set<[UInt8]>()
    return elements.compactMap { element in
      guard let option = option(element) else { return nil }
      let isNew = seen.insert(Array(option.value.utf8)).inserted
      return isNew ? option : refuse("repeated-option", ["value": option.value], at: element.place)
    }
  }

  private mutating func option(_ node: Node) -> Field.Option? {
    guard case .mapping = node.content else { return optionValue(node, "options").map { Field.Option($0) } }
    let example = FaultRow("write-option-value")
    guard let map = mapping(node, as: "an option", keys: ["value", "title", "help"], remedy: example) else {
      return nil
    }
    require("value", in: map, of: "an option", remedy: example)
    let value = optionValue(map["value"], "value"), written = map["title"]?.scalarText
    // Without a title, an option is written back with its value as the title, which may be longer.
    let isValue = value.map { isSame($0, written ?? "") } ?? false
    let title = isValue ? nil : text(map["title"], "title", as: .title, limit: 200)
    let help = text(map["help"], "help", as: .lines, limit: Field.helpLimit)
    return value.map { Field.Option($0, title: title, help: help) }
  }

  private mutating func optionValue(_ node: Node?, _ key: String) -> String? {
    guard let node, let value = string(node, key, orLiteral: true) else { return nil }
    if value.isEmpty { return refuse("empty-option", at: node.place) }
    return isUsable(value, key, as: .title, limit: 1_000, at: node.place) ? value : nil
  }
}

// MARK: The initial value

extension Reading {
  /// A field's initial value. It need not be valid, but it must be of the type that the field holds.
  mutating func input(_ node: Node, for kind: Field.Kind) -> Input? {
    switch kind {
    case .choices:
      guard let texts = strings(node, "value") else { return nil }
      return texts.allSatisfy({ isUsable($0, at: node.place, kind) }) ? .choices(texts) : nil
    case .list:
      guard let elements = list(node, "value") else { return nil }
      let texts = elements.compactMap { string($0, "value", orLiteral: true) }
      guard texts.count == elements.count else { return nil }
      return isUsable(texts.joined(separator: "\n"), at: node.place, kind) ? .choices(texts) : nil
    case .boolean:
      // A definition that is written back has a boolean as text.
      if case .string(let text) = node.content, text == "true" || text == "false" { return .text(text) }
      return bool(node, "value").map { .text(String($0)) }
    default:
      let text = string(node, "value", orLiteral: kind == .choice || kind.quantity != nil)
      return text.flatMap { isUsable($0, at: node.place, kind) ? .text($0) : nil }
    }
  }

  private mutating func isUsable(_ text: String, at place: Node.Place, _ kind: Field.Kind) -> Bool {
    if text.utf8.count > TextRule.limit {
      report(
        "too-many", ["key": "value", "count": text.utf8.count, "unit": "bytes", "limit": TextRule.limit], at: place)
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
        report(
          "value-type",
          [
            "kind": kind.withArticle, "type": type.rawValue,
            "nearest": Nearest(to: "", among: kind.valueTypes.map(\.rawValue)),
          ], at: node.place)
      } else if let option = field.options.first(where: { !type.holds($0.value) }) {
        report("option-of-other-type", ["value": option.value, "type": type.rawValue], at: node.place)
      }
    }
    if let node = map["valueTypes"],
      map["valueType"] != nil || field.alternatives.isEmpty || !field.kind.isTyped && field.kind != .choice
        || field.answer.types.contains(.object)
    {
      report("value-types", at: node.place)
    }
    if field.answer.omitsEmpty, !field.optional, let node = map["omitEmpty"] {
      report("omits-required", at: node.place)
    }
    if field.answer.isNullable, !field.answer.omitsEmpty, let node = map["nullable"] {
      report(field.optional ? FaultRow("nullable-alone.optional") : FaultRow("nullable-alone"), at: node.place)
    }
  }
}

extension Field.Kind {
  /// The types that its values can be written as.
  fileprivate var valueTypes: [Field.ValueType] {
    if quantity == .number { return [.number] }
    if self == .list { return [.string, .number] }
    return self == .boolean ? [.boolean, .object] : self == .choice ? Field.ValueType.allCases : [.string]
  }
}

// MARK: Typing

extension Reading {
  /// The moments at which messages may appear.
  mutating func moments(_ node: Node) -> Set<Field.Moment> {
    guard let elements = list(node, "validate") else { return [.afterEditing] }
    var moments = Set<Field.Moment>()
    for element in elements {
      guard let moment: Field.Moment = word(element, "validate") else { continue }
      if !moments.insert(moment).inserted { report("repeated-moment", ["moment": moment.rawValue], at: element.place) }
    }
    return moments
  }

  mutating func autocomplete(_ node: Node) -> String? {
    guard let text = string(node, "autocomplete", remedy: FaultRow("autocomplete", ["text": ""])) else { return nil }
    if Autofill.isValue(text) { return text }
    let last = text.split(separator: " ").last.map(String.init) ?? ""
    let nearest = Nearest.nearest(to: last, among: Autofill.words)
    return refuse(
      nearest.map { FaultRow("autocomplete.near", ["text": text, "nearest": $0]) }
        ?? FaultRow("autocomplete", ["text": text]), at: node.place)
  }
}

/// The values of HTML's `autocomplete` attribute (HTML, 4.10.18.7.1).
private enum Autofill {
  /// True for `on`, `off`, or in this order: `section-…`, `shipping` or `billing`, for contacts `home` and the like, a
  /// field's name, `webauthn`. Only the name is required.
  static func isValue(_ text: String) -> Bool {
    var words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)[...]
    if let first = words.first, first.utf8.starts(with: "section-".utf8), first != "section-" { words.removeFirst() }
    if let first = words.first, ["shipping", "billing"].contains(first) { words.removeFirst() }
    if words.last == "webauthn" { words.removeLast() }
    if let first = words.first, words.count == 2, ["home", "work", "mobile", "fax", "pager"].contains(first) {
      return contacts.contains(words[words.endIndex - 1])
    }
    return ["on", "off"].contains(text) || words.count == 1 && words.allSatisfy((fields + contacts).contains)
  }

  static let words = ["on", "off"] + fields + contacts

  private static let file = "Sources/Prompts/Reading/autofill.txt"
  private static let fields = EmbeddedFiles.list("field", in: file)
  private static let contacts = EmbeddedFiles.list("contact", in: file)
}
