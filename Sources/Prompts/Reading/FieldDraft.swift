/// A field, as far as it could be read, with the places that later faults need.
struct FieldDraft {
  let field: Field
  let namePlace: Node.Place
  private let optionsPlace: Node.Place
  /// Whether the kind could be read. If not, the field is a text field for now.
  private let isKindKnown: Bool
  private let rules: [PlacedRule]
  private let allow: [PlacedRule]
  private let when: [PlacedWhen]

  typealias PlacedWhen = (when: When, place: Node.Place)
  private typealias PlacedRule = (rule: Rule, place: Node.Place)

  /// Reads a field by itself. `reportRules` checks what its rules say about other fields.
  ///
  /// - Parameter section: the heading before it, or `nil`.
  init?(_ node: Node, in section: String?, _ reading: inout Reading) {
    guard let map = reading.mapping(node, as: "a field", keys: FieldKey.names) else { return nil }
    let remedy = "write the name that a program gets, like `name: email`"
    let name = reading.string("name", in: map, of: "a field", remedy: remedy) ?? ""
    namePlace = map["name"]?.place ?? map.place
    optionsPlace = map["options"]?.place ?? map.place
    Self.check(name, map["name"], &reading)

    let written: Field.Kind? = reading.word(map["kind"], "kind")
    isKindKnown = map["kind"] == nil || written != nil
    let kind = written ?? .text

    var field = Field(name, kind: kind)
    field.section = section
    for key in FieldKey.all {
      guard let entry = map.entry(key.name) else { continue }
      key.read?(&field, entry.value, &reading)
      guard isKindKnown, let fit = key.fit, !fit.takes(kind) else { continue }
      reading.report(
        .unfit(kind, fit.what ?? "has no `\(key.name)`", remedy: fit.remedy),
        at: fit.isInValue ? entry.value.place : entry.keyPlace)
    }
    allow = Self.rules(map["allow"], "allow", &reading)
    rules = Self.rules(map["rules"], "rules", &reading)
    when = When.list(map["when"], &reading)
    if isKindKnown {
      field.value = reading.input(map["value"], for: kind) ?? field.value
      field.options = reading.options(map, for: kind)
    }
    (field.allow, field.when) = (allow.map(\.rule), when.map(\.when))
    field.setRules(rules.map(\.rule))
    self.field = field
    reading.checkAnswer(of: field, map, isKindKnown: isKindKnown)
    if isKindKnown, let node = map["timeZone"], let fault = field.faultOfTimeZone {
      reading.report(fault, at: node.place)
    }
    if kind == .slider { checkScale(at: map.place, &reading) }
  }

  // MARK: Parts

  private static func check(_ name: String, _ node: Node?, _ reading: inout Reading) {
    guard let node, case .string = node.content else { return }
    if !Field.isName(name) {
      reading.report(.fieldName(name), at: node.place)
    } else if name == "outcome" || name == "action" {
      // A form sends the pressed button under these names.
      reading.report(.takenName(name), at: node.place)
    }
  }

  private static func rules(_ node: Node?, _ key: String, _ reading: inout Reading) -> [PlacedRule] {
    guard let node, let elements = reading.list(node, key) else { return [] }
    return elements.compactMap { element in
      Rule(element, &reading).map { ($0, element.place) }
    }
  }

  private func checkScale(at place: Node.Place, _ reading: inout Reading) {
    let scale = field.scale
    if scale.min == nil || scale.max == nil {
      reading.report(.sliderWithoutScale, at: place)
    }
  }

  // MARK: Rules in their place

  /// Reports rules that make no sense in this field, or that name fields which do not exist.
  func reportRules(among drafts: [FieldDraft], _ reading: inout Reading) {
    Self.report(when, of: field.name, among: drafts, &reading)
    let fields = drafts.map { $0.isKindKnown ? $0.field : $0.field.of(kind: field.kind) }
    for placed in rules + allow {
      for fault in placed.rule.faults(in: field, of: fields, isKindKnown: isKindKnown) {
        reading.report(fault, at: placed.place)
      }
    }
    guard isKindKnown else { return }
    // The rule that options imply is not written anywhere.
    if field.kind.offersOptions {
      for case .impossibleValue(let value, _, let why) in Rule.oneOf(field.options.map(\.value))
        .faults(in: field, of: fields)
      {
        reading.report(.impossibleValue(value, of: "options", why), at: optionsPlace)
      }
    }
    let decidedBy = Rule.decidedBy(allow.map(\.rule))
    for (placed, decidedBy) in zip(allow, decidedBy) {
      if !field.kind.isTyped {
        reading.report(.nothingTyped(field.kind), at: placed.place)
      } else if decidedBy == .server {
        // A pattern may be slow only on long texts.
        let isLengthMissing = placed.rule.isDecidedByBrowsers(upTo: 200)
        reading.report(.decidedByServer(rule: placed.rule.name, isLengthMissing: isLengthMissing), at: placed.place)
      }
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
      for fault in when.faults(of: owner, among: fields, isKindKnown: isKindKnown) {
        reading.report(fault, at: place)
      }
    }
  }

  /// Reports each circle of fields that apply only if each other does, at the first of them.
  static func reportCircles(among drafts: [FieldDraft], _ reading: inout Reading) {
    let drafts = Array(drafts.prefix(Prompt.fieldLimit)), fields = drafts.map(\.field)
    var settled = Set<Int>()
    for start in drafts.indices {
      var path: [Int] = []
      follow(start)

      func follow(_ index: Int) {
        if let first = path.firstIndex(of: index) {
          let circle = (path[first...] + [index]).map { "`\(fields[$0].name)`" }.joined(separator: " → ")
          let place = drafts[path[first...].min() ?? index].when[0].place
          // A field that names itself has its own fault.
          if path.count - first > 1 {
            reading.report(.circle(circle), at: place)
          }
          return
        }
        guard !settled.contains(index) else { return }
        path.append(index)
        for next in drafts[index].when.compactMap({ fields.index(of: $0.when.field) }) { follow(next) }
        path.removeLast()
        settled.insert(index)
      }
    }
  }
}

extension Field {
  /// This field as one of another kind, so that a kind that could not be read causes no second fault.
  fileprivate func of(kind: Kind) -> Field { Field(name, label: label, kind: kind, options: options) }
}

extension Field.Kind {
  /// Whether a person types the value as text.
  var isTyped: Bool {
    switch self {
    case .text, .multiline, .email, .url, .tel, .password, .search, .number, .integer: true
    case .date, .time, .dateTime, .boolean, .choice, .choices, .slider: false
    }
  }
}
