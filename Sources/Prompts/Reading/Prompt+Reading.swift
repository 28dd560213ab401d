extension Prompt {
  /// The keys of a definition.
  static let keys = [
    "title", "message", "context", "fields", "ok", "cancel", "buttons", "okWhenInvalid", "language", "translations",
    "for", "notBy", "notify", "remindBefore", "resultWithin", "objects",
  ]

  /// The most fields that a prompt may have.
  package static let fieldLimit = 50
  /// The most options that its fields may have in all.
  static let optionLimit = 2_000

  /// Reads a definition and reports every fault. The prompt is usable only if there was none.
  package init?(_ node: Node, _ reading: inout Reading) {
    // Stored asks call the requested language `askedIn`, and say what `required` is short for in `requires`; a person's
    // link says who asks.
    let keys = Self.keys + (reading.isKept ? ["askedIn", "askedBy", "requestedBy", "requires"] : [])
    guard let map = reading.mapping(node, as: "a prompt", keys: keys, remedy: FaultRow("write-beginning")) else {
      return nil
    }
    reading.requiredTakesBlanks = reading.isKept && map["requires"] == nil
    reading.require("title", in: map, of: "a prompt", remedy: FaultRow("write-title"))
    let title = reading.text(map["title"], "title", as: .title, limit: 200)
    let message = reading.text(map["message"], "message", as: .lines, limit: 10_000)
    let context = Context.read(map["context"], &reading)
    let drafts = Self.drafts(map["fields"], &reading)
    let buttons = Self.buttons(map, drafts, &reading)
    let okWhenInvalid: OKWhenInvalid? = reading.word(map["okWhenInvalid"], "okWhenInvalid")
    self.init(
      title: title ?? "", message: message, buttons: buttons, okWhenInvalid: okWhenInvalid ?? .explains,
      fields: drafts.map(\.field))
    self.context = context
    language = reading.language(map["language"], "language")
    if let language, let node = map["language"], !Sentences(in: language).areInLanguage {
      reading.warn("language-not-built-in", ["language": language], at: node.place)
    }
    requestedLanguage = reading.language(map["askedIn"], "askedIn")
    askedBy = reading.string(map["askedBy"], "askedBy")
    requestedBy = map["requestedBy"].flatMap { Person($0, "requestedBy", &reading) }
    translations = reading.translations(map["translations"], of: self)
    objects = Self.objects(map["objects"], among: drafts, &reading)
    answerers = Answerers(ofDefinition: map, &reading)
    noticePlan = NoticePlan(notify: map["notify"], remindBefore: map["remindBefore"], &reading)
    resultWithin = reading.duration(map["resultWithin"], "resultWithin")
  }

  /// Reads the fields. A section heading is a list element of its own and becomes part of the field after it.
  private static func drafts(_ node: Node?, _ reading: inout Reading) -> [FieldDraft] {
    guard let node, let elements = reading.list(node, "fields") else { return [] }
    let fields = elements.filter { $0.mappingValue("section") == nil }
    if fields.count > fieldLimit {
      reading.report("too-many-fields", ["limit": fieldLimit, "count": fields.count], at: fields[fieldLimit].place)
    }
    var section: (texts: (title: String?, help: String?), place: Node.Place)?
    var drafts: [FieldDraft] = []
    for element in elements {
      if element.mappingValue("section") != nil {
        if let section { reading.report("empty-section", at: section.place) }
        section = (reading.section(element), element.place)
      } else {
        if let draft = FieldDraft(element, in: section?.texts, &reading) { drafts.append(draft) }
        section = nil
      }
    }
    if let section { reading.report("empty-section", at: section.place) }
    let optionCount = drafts.reduce(0) { $0 + $1.field.options.count }
    if optionCount > optionLimit, !reading.isKept {
      reading.report("too-many-options", ["limit": Prompt.optionLimit, "count": optionCount], at: node.place)
    }
    // Each is compared with all others, so the fields over the limit are left out.
    for (index, draft) in drafts.prefix(fieldLimit).enumerated() {
      if drafts[..<index].contains(where: { $0.field.name == draft.field.name }) {
        reading.report("repeated-name", ["what": "fields", "name": draft.field.name], at: draft.namePlace)
      }
      if !reading.isKept { draft.reportRules(among: drafts, &reading) }
    }
    FieldDraft.reportCircles(among: drafts, &reading)
    if drafts.count <= fieldLimit { FieldDraft.reportPlaces(of: drafts, &reading) }
    return drafts
  }
}

extension Reading {
  /// The heading of a section and the hint under it, whose element holds nothing else.
  fileprivate mutating func section(_ node: Node) -> (title: String?, help: String?) {
    if let other = node.entries?.first(where: { !["section", "help"].contains($0.key) }) {
      report("section-in-field", at: other.keyPlace)
      return (nil, nil)
    }
    guard
      let map = mapping(node, as: "a section", keys: ["section", "help"], remedy: FaultRow("section-in-field"))
    else { return (nil, nil) }
    return (
      map["section"].flatMap { text($0, "section", as: .title, limit: 200) },
      map["help"].flatMap { text($0, "help", as: .lines, limit: Field.helpLimit) }
    )
  }
}

// MARK: Buttons

extension Prompt {
  /// The buttons that are written out, or else OK and Cancel with the given titles.
  fileprivate static func buttons(_ map: Mapping, _ fields: [FieldDraft], _ reading: inout Reading) -> [Button] {
    guard let list = map["buttons"] else {
      let ok = Button(title("ok", map, &reading), role: .ok)
      if case .bool(false) = map["cancel"]?.content { return [ok] }
      return [cancel(map, &reading), ok]
    }
    for entry in map.entries where ["ok", "cancel"].contains(entry.key) {
      reading.report("buttons-twice", ["key": entry.key], at: entry.keyPlace)
    }
    guard let elements = reading.list(list, "buttons") else { return [] }
    if elements.isEmpty { reading.report("no-buttons", at: list.place) }
    let count = reading.faults.count
    var names: [String] = []
    let buttons = elements.compactMap { Button($0, knowing: &names, among: fields, &reading) }
    if !fields.isEmpty, reading.faults.count == count, !elements.isEmpty, !buttons.contains(where: { $0.role == .ok }) {
      reading.report("no-ok-button", at: list.place)
    }
    return buttons
  }

  /// A title alone, or a map of title and reason.
  private static func cancel(_ map: Mapping, _ reading: inout Reading) -> Button {
    guard let node = map["cancel"], case .mapping = node.content else {
      return Button(title("cancel", map, &reading), role: .cancel)
    }
    let parts = reading.mapping(node, as: "`cancel`", keys: ["title", "reason"], remedy: FaultRow("cancel-true"))
    let title = reading.text(parts?["title"], "title", as: .title, limit: Button.titleLimit)
    return Button(title, role: .cancel, reason: reading.word(parts?["reason"], "reason"))
  }

  /// `nil` for the usual title.
  private static func title(_ key: String, _ map: Mapping, _ reading: inout Reading) -> String? {
    guard let node = map[key], case .bool = node.content else {
      return reading.text(map[key], key, as: .title, limit: Button.titleLimit)
    }
    return reading.refuse(
      key == "ok" ? FaultRow("ok-not-a-text", ["found": node.kindInWords]) : FaultRow("cancel-true"), at: node.place)
  }
}

extension Prompt.Button {
  static let keys = ["title", "role", "name", "validates", "destructive", "reason", "when"]

  /// Code points.
  static let titleLimit = 100

  /// - Parameter names: the names of the actions before this one; its own joins them.
  fileprivate init?(
    _ node: Node, knowing names: inout [String], among fields: [FieldDraft], _ reading: inout Reading
  ) {
    guard let map = reading.mapping(node, as: "a button", keys: Self.keys, remedy: FaultRow("write-button")) else {
      return nil
    }
    let title = reading.text(map["title"], "title", as: .title, limit: Self.titleLimit)
    let role: Role? = reading.word(map["role"], "role")
    // OK and Cancel have a title in every language.
    let isTitleMissing = map["title"] == nil && (map["role"] == nil || role == .action)
    if isTitleMissing { reading.require("title", in: map, of: "a button", remedy: FaultRow("write-button-title")) }
    reading.require("role", in: map, of: "a button", remedy: FaultRow("write-role"))
    if let role, role != .action {
      for (key, fault) in [
        ("name", FaultRow("only-of-actions", ["key": "name"])),
        (
          "validates",
          role == .ok
            ? FaultRow("only-of-actions.ok", ["key": "validates"])
            : FaultRow("only-of-actions.cancel", ["key": "validates"])
        ),
        ("when", FaultRow("only-of-actions.when", ["key": "when"])),
      ] {
        if let node = map[key] { reading.report(fault, at: node.place) }
      }
    }
    let name = Self.name(map, role, &names, &reading)
    let validates = reading.bool(map["validates"], "validates")
    let reason: Reason? = reading.word(map["reason"], "reason")
    if let role, role != .cancel, let node = map["reason"] { reading.report("reason-not-of-cancel", at: node.place) }
    let isDestructive = reading.bool(map["destructive"], "destructive") ?? false
    let when = When.list(map["when"], &reading)
    if !reading.isKept, role == nil || role == .action { FieldDraft.report(when, of: nil, among: fields, &reading) }
    guard let role, title != nil || map["title"] == nil else { return nil }
    self.init(
      title, role: role, name: name, validates: validates, isDestructive: isDestructive, reason: reason,
      when: when.map(\.when))
  }

  private static func name(_ map: Mapping, _ role: Role?, _ names: inout [String], _ reading: inout Reading) -> String?
  {
    if role == .action {
      reading.require("name", in: map, of: "an action", remedy: FaultRow("write-action-name"))
    }
    guard let node = map["name"], let name = reading.string(node, "name", remedy: FaultRow("write-action-name"))
    else { return nil }
    defer { names.append(name) }
    if let role, role != .action { return name }
    if !isName(name) {
      reading.report("action-name", ["name": name], at: node.place)
    } else if names.contains(name) {
      reading.report("repeated-name", ["what": "actions", "name": name], at: node.place)
    }
    return name
  }

  /// True if a text can name an action: `[A-Za-z][A-Za-z0-9_-]{0,63}`.
  private static func isName(_ text: String) -> Bool {
    // A field's name with hyphens.
    Field.isName(String(text.unicodeScalars.map { $0 == "-" ? "_" : Character($0) }))
  }
}
