extension Reading {
  /// A language tag, or `nil` if there is none or a fault was reported.
  package mutating func language(_ node: Node?, _ key: String) -> Language? {
    guard let node, let tag = string(node, key) else { return nil }
    if let language = Language(tag) { return language }
    report(.languageTag(tag, key: key), at: node.place)
    return nil
  }

  /// Languages of a prompt.
  private static let translationLimit = 100

  /// The translations that a definition holds itself, by their languages.
  mutating func translations(_ node: Node?, of prompt: Prompt) -> [(language: Language, texts: Translation)] {
    guard let node else { return [] }
    guard case .mapping(let entries) = node.content else {
      report(
        .notAMap("`translations`", node.kindInWords, remedy: "write it like `translations: {de: {title: ...}}`"),
        at: node.place)
      return []
    }
    if entries.count > Self.translationLimit {
      report(
        .tooManyTranslations(entries.count, limit: Self.translationLimit), at: entries[Self.translationLimit].keyPlace)
    }
    var translations: [(language: Language, texts: Translation)] = []
    for entry in entries.prefix(Self.translationLimit) {
      guard let language = Language(entry.key) else {
        report(.noLanguage(entry.key), at: entry.keyPlace)
        continue
      }
      if language == prompt.language {
        report(.ownLanguage(language), at: entry.keyPlace)
      } else if translations.contains(where: { $0.language == language }) {
        report(.repeatedTranslation(language), at: entry.keyPlace)
      }
      if let texts = Translation(entry.value, of: prompt, &self) { translations.append((language, texts)) }
    }
    return translations.sorted { $0.language.tag < $1.language.tag }
  }

  // MARK: Texts

  /// A map with no other keys than these. What else a definition has there cannot be translated.
  fileprivate mutating func texts(_ node: Node, as what: String, keys: [String], others: [String]) -> Mapping? {
    guard case .mapping(let entries) = node.content else { return mapping(node, as: what, keys: keys) }
    var isWrong = false
    for entry in entries where others.contains(entry.key) && !keys.contains(entry.key) {
      report(.untranslatable(entry.key, of: what), at: entry.keyPlace)
      isWrong = true
    }
    return isWrong ? nil : mapping(node, as: what, keys: keys)
  }

  /// The translation of a text; an empty one is not translated yet.
  ///
  /// - Parameter original: what is translated, or `nil` if there is nothing.
  fileprivate mutating func text(
    _ node: Node?, _ key: String, of original: String?, as form: TextForm, limit: Int, in place: Node.Place
  ) -> String? {
    var isEmpty = true
    if let content = node?.content {
      switch content {
      case .null: break
      case .string(let text): isEmpty = text.isEmpty
      default: isEmpty = false
      }
    }
    guard let node, !isEmpty else {
      if original != nil { warn(.untranslated("`\(key)`", remedy: "add the text"), at: node?.place ?? place) }
      return nil
    }
    guard let text = text(node, key, as: form, limit: limit) else { return nil }
    guard let original else {
      warn(.translatesNothing(key), at: node.place)
      return nil
    }
    let (wanted, found) = (Self.placeholders(in: original), Self.placeholders(in: text))
    for lost in wanted where !found.contains(lost) {
      warn(.lostPlaceholder(lost, of: key), at: node.place)
    }
    for added in found where !wanted.contains(added) {
      warn(.addedPlaceholder(added, of: key), at: node.place)
    }
    return text
  }

  /// Names in braces, like `{name}`: whoever fills a text in looks for them.
  private static func placeholders(in text: String) -> [String] {
    var (names, name) = ([String](), String?.none)
    for scalar in text.unicodeScalars {
      if scalar == "{" {
        name = "{"
      } else if let begun = name {
        let isName = scalar.isASCII && (ASCII.isLetter(UInt8(scalar.value)) || ASCII.isDigit(UInt8(scalar.value)))
        name = isName || scalar == "_" ? begun + String(scalar) : nil
        if scalar == "}", begun != "{" { names.append(begun + "}") }
      }
    }
    return names
  }
}

extension Translation {
  /// Reads a translation and reports every fault; also warns of what it leaves out and of what it translates in vain.
  package init?(_ node: Node, of prompt: Prompt, _ reading: inout Reading) {
    guard
      let map = reading.texts(
        node, as: "a translation", keys: ["title", "message", "ok", "cancel", "buttons", "fields"], others: Prompt.keys)
    else { return nil }
    self.init(
      title: reading.text(map["title"], "title", of: prompt.title, as: .title, limit: 200, in: map.place),
      message: reading.text(map["message"], "message", of: prompt.message, as: .lines, limit: 10_000, in: map.place),
      buttons: Self.buttons(map, of: prompt, &reading), fields: Self.fields(map, of: prompt, &reading))
  }

  private static func buttons(_ map: Mapping, of prompt: Prompt, _ reading: inout Reading) -> [String: String] {
    var given = map.entries.filter { $0.key == "ok" || $0.key == "cancel" }
    if let node = map["buttons"] {
      let keys = prompt.buttons.map(\.key)
      guard case .mapping(let entries) = node.content else {
        reading.report(
          .notAMap(
            "`buttons` of a translation", node.kindInWords,
            remedy: "write each title under its role or name, like `buttons: {\(keys.first ?? "ok"): ...}`"),
          at: node.place)
        return [:]
      }
      given += entries
    }
    var titles: [String: String] = [:]
    var seen: [String] = []
    for entry in given {
      if seen.contains(entry.key) {
        reading.report(.translatedTwice("the button `\(entry.key)`"), at: entry.keyPlace)
      }
      seen.append(entry.key)
      guard let button = prompt.buttons.first(where: { isSame($0.key, entry.key) }) else {
        reading.warn(
          .notInDefinition("the definition has no button", entry.key, among: prompt.buttons.map(\.key)),
          at: entry.keyPlace)
        continue
      }
      titles[button.key] = reading.text(
        entry.value, entry.key, of: button.title, as: .title, limit: Prompt.Button.titleLimit, in: map.place)
    }
    for button in prompt.buttons where button.hasOwnTitle && !seen.contains(button.key) {
      reading.warn(.untranslated("the button `\(button.key)`", remedy: "add it to `buttons`"), at: map.place)
    }
    return titles
  }

  private static func fields(_ map: Mapping, of prompt: Prompt, _ reading: inout Reading) -> [String: Field] {
    var fields: [String: Field] = [:]
    var given: [Node.Entry] = []
    if let node = map["fields"] {
      guard case .mapping(let entries) = node.content else {
        reading.report(
          .notAMap(
            "`fields` of a translation", node.kindInWords,
            remedy:
              "write each field's texts under its name, like `fields: {\(prompt.fields.first?.name ?? "email"): {label: ...}}`"
          ), at: node.place)
        return [:]
      }
      given = entries
    }
    for entry in given {
      guard let field = prompt.field(entry.key) else {
        reading.warn(
          .notInDefinition("the definition has no field", entry.key, among: prompt.fields.map(\.name)),
          at: entry.keyPlace)
        continue
      }
      if fields[field.name] != nil {
        reading.report(.translatedTwice("the field `\(field.name)`"), at: entry.keyPlace)
      }
      fields[field.name] = Field(entry.value, of: field, &reading)
    }
    for field in prompt.fields where !given.contains(where: { isSame($0.key, field.name) }) {
      reading.warn(
        .untranslated("the field `\(field.name)`", remedy: "add it to `fields`"), at: map["fields"]?.place ?? map.place)
    }
    return fields
  }
}

extension Translation.Field {
  fileprivate init?(_ node: Node, of field: Prompts.Field, _ reading: inout Reading) {
    guard
      let map = reading.texts(
        node, as: "the translation of a field",
        keys: FieldKey.all.filter(\.isTranslated).map(\.name) + ["messages", "section"], others: FieldKey.names)
    else { return nil }
    self.init(
      label: reading.text(map["label"], "label", of: field.label, as: .title, limit: 200, in: map.place),
      placeholder: reading.text(
        map["placeholder"], "placeholder", of: field.placeholder, as: .line, limit: 200, in: map.place),
      help: reading.text(map["help"], "help", of: field.help, as: .lines, limit: 1_000, in: map.place),
      options: Self.options(map, of: field, &reading), messages: Self.messages(map, of: field, &reading),
      when: Self.conditions(map, of: field, &reading),
      section: reading.text(map["section"], "section", of: field.section, as: .title, limit: 200, in: map.place))
  }

  /// What conditions say, in their order.
  private static func conditions(_ map: Mapping, of field: Prompts.Field, _ reading: inout Reading) -> [String?] {
    guard let elements = reading.list(map["when"], "when") else {
      for when in field.when where when.message != nil {
        reading.warn(
          .untranslated("the message of the condition on `\(when.field)`", remedy: "add it to `when`"), at: map.place)
      }
      return []
    }
    if elements.count > field.when.count {
      reading.warn(
        .tooManyMessages(elements.count, for: "\(field.when.count) conditions", each: "each"),
        at: elements[field.when.count].place)
    }
    return zip(field.when, elements).map { when, element in
      reading.text(
        element, "when", of: when.message ?? (element.scalarText?.isEmpty == false ? "" : nil), as: .lines,
        limit: 1_000,
        in: element.place)
    }
  }

  private static func options(
    _ map: Mapping, of field: Prompts.Field, _ reading: inout Reading
  ) -> [String: String] {
    var titles: [String: String] = [:]
    var given: [Node.Entry] = []
    if let node = map["options"] {
      guard case .mapping(let entries) = node.content else {
        reading.report(
          .notAMap(
            "`options` of a translation", node.kindInWords,
            remedy: "write each title under its value, like `options: {small: ...}`"), at: node.place)
        return [:]
      }
      given = entries
    }
    for entry in given {
      guard let option = field.options.first(where: { isSame($0.value, entry.key) }) else {
        reading.warn(
          .notInDefinition(
            "the field `\(field.name)` has no option", entry.key, among: field.options.prefix(20).map(\.value)),
          at: entry.keyPlace)
        continue
      }
      titles[option.value] = reading.text(
        entry.value, entry.key, of: option.title, as: .title, limit: 200, in: map.place)
    }
    for option in field.options
    where option.title.unicodeScalars.contains(where: \.properties.isAlphabetic)
      && !given.contains(where: { isSame($0.key, option.value) })
    {
      reading.warn(
        .untranslated("the option `\(option.value)`", remedy: "add it to `options`"),
        at: map["options"]?.place ?? map.place)
    }
    return titles
  }

  private static func messages(
    _ map: Mapping, of field: Prompts.Field, _ reading: inout Reading
  ) -> [Translation.Message?] {
    messages(map["messages"], of: field.writtenRules + field.allow, in: map.place, &reading)
  }

  private static func messages(
    _ node: Node?, of rules: [Rule], in place: Node.Place, _ reading: inout Reading
  ) -> [Translation.Message?] {
    guard let node else {
      for rule in rules where rule.hasMessages {
        reading.warn(.untranslated("the message of the rule `\(rule.name)`", remedy: "add it to `messages`"), at: place)
      }
      return []
    }
    guard let elements = reading.list(node, "messages") else { return [] }
    if elements.count > rules.count {
      reading.warn(
        .tooManyMessages(elements.count, for: "\(rules.count) rules", each: "each rule"),
        at: elements[rules.count].place)
    }
    return zip(rules, elements.map(Optional.some) + Array(repeating: nil, count: max(0, rules.count - elements.count)))
      .map { rule, element in
        if let element, case .sequence = element.content, !rule.condition.inner.isEmpty {
          return .inner(messages(element, of: rule.condition.inner, in: element.place, &reading))
        }
        // A rule without a message of its own may well have one in a translation.
        let original = rule.message ?? (rule.hasMessages || element?.scalarText?.isEmpty == false ? "" : nil)
        return reading.text(
          element, "message", of: original, as: .lines, limit: 16_384,
          in: element?.place ?? node.place
        ).map(Translation.Message.text)
      }
  }
}

extension Rule {
  /// Whether it, or one of the rules inside it, has a message of its author's.
  fileprivate var hasMessages: Bool { flattened.contains { $0.message != nil } }
}
