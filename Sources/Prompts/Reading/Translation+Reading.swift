extension Reading {
  /// A language tag, or `nil` if there is none or a fault was reported.
  package mutating func language(_ node: Node?, _ key: String) -> Language? {
    guard let node, let tag = string(node, key, remedy: FaultRow("language-tag", ["key": key, "tag": ""]))
    else { return nil }
    return Language(tag) ?? refuse("language-tag", ["key": key, "tag": tag], at: node.place)
  }

  /// The translations that a definition holds itself, by their languages.
  mutating func translations(_ node: Node?, of prompt: Prompt) -> [(language: Language, texts: Translation)] {
    guard let node,
      let entries = entries(
        node, as: "`translations`", remedy: FaultRow("write-translations"))
    else { return [] }
    let limit = 100
    if entries.count > limit {
      report(
        "too-many", ["key": "translations", "count": entries.count, "unit": "languages", "limit": limit],
        at: entries[limit].keyPlace)
    }
    var translations: [(language: Language, texts: Translation)] = []
    for entry in entries.prefix(limit) {
      guard let language = Language(entry.key) else {
        report("no-language", ["tag": entry.key], at: entry.keyPlace)
        continue
      }
      if language == prompt.language ?? self.language {
        report("own-language", ["language": language], at: entry.keyPlace)
      } else if translations.contains(where: { $0.language == language }) {
        report("repeated-translation", ["language": language], at: entry.keyPlace)
      }
      if let texts = Translation(entry.value, of: prompt, &self) { translations.append((language, texts)) }
    }
    return translations.sorted { $0.language.tag < $1.language.tag }
  }

  // MARK: Texts

  /// The translation of a text; an empty one is not translated yet.
  ///
  /// - Parameter original: what is translated, or `nil` if there is nothing.
  fileprivate mutating func text(
    _ node: Node?, _ key: String, of original: String?, as form: TextForm, limit: Int, in place: Node.Place
  ) -> JSON? {
    guard let node, !node.isNull, node.scalarText?.isEmpty != true else {
      if original != nil { warn("untranslated.text", ["key": key], at: node?.place ?? place) }
      return nil
    }
    guard let text = text(node, key, as: form, limit: limit) else { return nil }
    guard let original else {
      warn("translates-nothing", ["key": key], at: node.place)
      return nil
    }
    let (wanted, found) = (Self.placeholders(in: original), Self.placeholders(in: text))
    for lost in wanted where !found.contains(lost) {
      warn("lost-placeholder", ["key": key, "name": lost], at: node.place)
    }
    for added in found where !wanted.contains(added) {
      warn("added-placeholder", ["key": key, "name": added], at: node.place)
    }
    return .string(text)
  }

  /// The translation of the text of a key.
  fileprivate mutating func text(
    _ map: Mapping, _ key: String, of original: String?, as form: TextForm, limit: Int = 200
  ) -> JSON? {
    text(map[key], key, of: original, as: form, limit: limit, in: map.place)
  }

  /// The translations of those of these keys that are texts.
  fileprivate mutating func texts(_ keys: [FieldKey], of field: Field, in map: Mapping) -> JSON {
    .object(
      keys.compactMap { key in
        // Most units are the same in every language.
        guard let words = key.words, map[key.name] != nil || key.name != "unit" else { return nil }
        return text(map, key.name, of: field[keyPath: words.path], as: words.form, limit: words.limit)
          .map { JSON.Member(key.name, $0) }
      })
  }

  /// Names in braces, like `{name}`, which programs replace.
  private static func placeholders(in text: String) -> [String] {
    text.unicodeScalars.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { piece in
      var reader = TextReader(Substring(piece))
      guard let name = reader.take(some: "A-Za-z0-9_"), reader.take("}") else { return nil }
      return "{\(name)}"
    }
  }
}

extension Reading {
  /// Reads translations by the keys of what they translate, and warns of those that are missing.
  ///
  /// - Parameters:
  ///   - thing: what each entry translates, such as `button`. With an `s`, it is the key of the map with the entries.
  ///   - remedy: how the map is written, with this key in it.
  ///   - more: entries that stand outside that map; `nil` if none can.
  ///   - originals: what can be translated, by its key.
  ///   - owner: who has the originals, in words.
  fileprivate mutating func translations<Original>(
    of thing: String, in map: Mapping, remedy: (String) -> FaultRow, and more: [Node.Entry]? = nil,
    to originals: [(key: String, value: Original)], of owner: String, needed isNeeded: (Original) -> Bool,
    _ read: (Node.Entry, Original, inout Reading) -> JSON?
  ) -> JSON? {
    let (key, node) = (thing + "s", map[thing + "s"])
    var written: [Node.Entry]? = []
    if let node {
      written = entries(
        node, as: "`\(key)` of a translation", remedy: remedy(originals.first?.key ?? "name"))
    }
    guard let written else { return nil }
    var (texts, seen) = ([String: JSON](), [String]())
    for entry in (more ?? []) + written {
      guard let original = originals.first(where: { isSame($0.key, entry.key) }) else {
        let known = originals.prefix(Prompt.fieldLimit).map(\.key)
        warn(
          "not-in-definition",
          ["owner": owner, "thing": thing, "name": entry.key, "nearest": Nearest(to: entry.key, among: known)],
          at: entry.keyPlace)
        continue
      }
      if seen.contains(where: { isSame($0, entry.key) }) {
        report("translated-twice", ["what": "the \(thing) `\(entry.key)`"], at: entry.keyPlace)
      }
      seen.append(entry.key)
      texts[entry.key] = read(entry, original.value, &self)
    }
    for (name, original) in originals where isNeeded(original) && !seen.contains(where: { isSame($0, name) }) {
      let place = more == nil ? node?.place ?? map.place : map.place
      warn("untranslated", ["what": "the \(thing) `\(name)`", "key": key], at: place)
    }
    return JSON(sorting: texts)
  }

  private static func messageCount(_ count: Int, of speakers: Int, _ kind: String) -> FaultRow {
    switch (count, speakers) {
    case (1, _): FaultRow("message-count.one", ["speakers": speakers, "kind": kind])
    case (_, 1): FaultRow("message-count.for-one", ["count": count, "kind": kind])
    default: FaultRow("message-count", ["count": count, "speakers": speakers, "kind": kind])
    }
  }

  /// A rule or a condition, whose message can be translated.
  fileprivate struct Speaker {
    /// In words: `the rule `length``.
    let name: String
    let message: String?
    var inner: [Rule] = []

    var hasMessages: Bool { message != nil || inner.contains { $0.flattened.contains { $0.message != nil } } }
  }

  /// Reads the messages of rules or conditions, in their order.
  ///
  /// - Parameter kind: what says it: `rule`.
  /// - Returns: an array of texts, of arrays for the rules inside a rule, and of nulls; `nil` if it would be empty.
  fileprivate mutating func messages(
    _ node: Node?, _ key: String, of speakers: [Speaker], _ kind: String, limit: Int, in place: Node.Place
  ) -> JSON? {
    guard let node else {
      for speaker in speakers where speaker.hasMessages {
        warn("untranslated", ["what": "the message of \(speaker.name)", "key": key], at: place)
      }
      return nil
    }
    guard let elements = list(node, key) else { return nil }
    let count = Self.messageCount(elements.count, of: speakers.count, kind)
    // One that is missing may be missing in the middle, and then all after it are of other rules.
    if elements.count <= speakers.lastIndex(where: \.hasMessages) ?? -1 { report(count, at: node.place) }
    if elements.count > speakers.count { warn(count, at: elements[speakers.count].place) }
    let texts = speakers.enumerated().map { index, speaker -> JSON in
      let element = index < elements.count ? elements[index] : nil
      if let element, case .sequence = element.content, !speaker.inner.isEmpty {
        return messages(element, key, of: speaker.inner.map(Speaker.init), kind, limit: limit, in: place) ?? []
      }
      // One without a message of its own may well have one in a translation.
      let isWritten = speaker.hasMessages || element?.scalarText?.isEmpty == false
      let original = speaker.message ?? (isWritten ? "" : nil)
      return text(element, "message", of: original, as: .lines, limit: limit, in: element?.place ?? node.place) ?? .null
    }
    return texts.isEmpty ? nil : .array(texts)
  }
}

extension Reading.Speaker {
  fileprivate init(_ rule: Rule) {
    self.init(name: "the rule `\(rule.name)`", message: rule.message, inner: rule.inner)
  }
}

extension Translation {
  /// Reads a translation and reports every fault. It also warns about missing texts and texts that translate nothing.
  init?(_ node: Node, of prompt: Prompt, _ reading: inout Reading) {
    let keys = ["title", "message", "ok", "cancel", "buttons", "fields"]
    guard
      let map = reading.mapping(
        node, as: "a translation", keys: keys, untranslatable: Prompt.keys, remedy: FaultRow("write-translation"))
    else { return nil }
    json = [
      "title": reading.text(map, "title", of: prompt.title, as: .title),
      "message": reading.text(map, "message", of: prompt.message, as: .lines, limit: 10_000),
      "buttons": reading.translations(
        of: "button", in: map, remedy: { FaultRow("write-button-titles", ["name": $0]) },
        and: map.entries.filter { ["ok", "cancel"].contains($0.key) },
        to: prompt.buttons.map { ($0.key, $0) }, of: "the definition", needed: \.hasOwnTitle
      ) { entry, button, reading in
        reading.text(
          entry.value, entry.key, of: button.title, as: .title, limit: Prompt.Button.titleLimit, in: map.place)
      },
      "fields": reading.translations(
        of: "field", in: map, remedy: { FaultRow("write-field-texts", ["name": $0]) },
        to: prompt.fields.map { ($0.name, $0) }, of: "the definition", needed: { _ in true }
      ) { entry, field, reading in field.translation(entry.value, &reading) },
    ]
  }
}

extension Field {
  fileprivate func translation(_ node: Node, _ reading: inout Reading) -> JSON? {
    let keys = FieldKey.all.filter(\.isTranslated).map(\.name) + ["messages"] + FieldKey.ofSection.map(\.name)
    guard
      let map = reading.mapping(
        node, as: "the translation of a field", keys: keys, untranslatable: FieldKey.names,
        remedy: FaultRow("write-field-texts", ["name": name]))
    else { return nil }
    let conditions = when.map { Reading.Speaker(name: "the condition on `\($0.field)`", message: $0.message) }
    return reading.texts(FieldKey.all, of: self, in: map)
      + [
        "options": reading.translations(
          of: "option", in: map, remedy: { FaultRow("write-option-titles", ["name": $0]) },
          to: options.map { ($0.value, $0) },
          of: "the field `\(name)`", needed: { $0.hasWords || $0.help != nil }
        ) { entry, option, reading in option.translation(entry, in: map.place, &reading) },
        "messages": reading.messages(
          map["messages"], "messages", of: (writtenRules + allow).map(Reading.Speaker.init), "rule", limit: 16_384,
          in: map.place),
        "when": reading.messages(map["when"], "when", of: conditions, "condition", limit: 1_000, in: map.place),
      ] + reading.texts(FieldKey.ofSection, of: self, in: map)
  }
}

extension Field.Option {
  /// Reads a title, or a map with the title and the help.
  fileprivate func translation(_ entry: Node.Entry, in place: Node.Place, _ reading: inout Reading) -> JSON? {
    if case .mapping = entry.value.content {
      let keys = ["title", "help"], what = "the translation of an option"
      let remedy = FaultRow("write-option-titles", ["name": entry.key])
      guard
        let map = reading.mapping(entry.value, as: what, keys: keys, untranslatable: ["value"], remedy: remedy)
      else { return nil }
      let title = reading.text(map, "title", of: hasWords || map["title"] != nil ? self.title : nil, as: .title)
      guard let help = reading.text(map, "help", of: help, as: .lines, limit: Field.helpLimit) else { return title }
      return ["title": title, "help": help]
    }
    defer {
      if help != nil {
        reading.warn("untranslated.help", ["key": entry.key], at: entry.value.place)
      }
    }
    return reading.text(entry.value, entry.key, of: title, as: .title, limit: 200, in: place)
  }

  /// True if its title may be different in another language.
  fileprivate var hasWords: Bool { title.unicodeScalars.contains(where: \.properties.isAlphabetic) }
}
