/// A prompt's texts in another language.
///
/// ```swift
/// Prompt(
///   title: "Your Email", language: "en",
///   translations: ["de": Translation(title: "Ihre E-Mail", fields: ["email": .init(label: "E-Mail")])],
///   fields: [Field("email", kind: .email)])
/// ```
///
/// What it leaves out stays in the prompt's own language; built-in messages and buttons follow by themselves.
public struct Translation: Sendable {
  /// The texts of one field.
  public struct Field: Sendable {
    fileprivate let json: JSON

    /// - Parameters:
    ///   - options: titles, or titles and helps, by the options' values.
    ///   - messages: those of the field's own `rules` in their order, and then those of `allow`; `nil` for each that has
    ///     none of its own.
    ///   - when: the messages of the field's conditions, in their order.
    ///   - section: the heading above the field.
    ///   - sectionHelp: the hint under that heading.
    public init(
      label: String? = nil, placeholder: String? = nil, help: String? = nil, unit: String? = nil,
      options: [String: Option] = [:], messages: [String?] = [], when: [String?] = [], section: String? = nil,
      sectionHelp: String? = nil
    ) {
      json = [
        "label": label.map(JSON.string), "placeholder": placeholder.map(JSON.string), "help": help.map(JSON.string),
        "unit": unit.map(JSON.string), "options": JSON(sorting: options.mapValues(\.json)),
        "messages": messages.isEmpty ? nil : .array(messages.map { $0.map(JSON.string) ?? .null }),
        "when": when.isEmpty ? nil : .array(when.map { $0.map(JSON.string) ?? .null }),
        "section": section.map(JSON.string), "sectionHelp": sectionHelp.map(JSON.string),
      ]
    }
  }

  /// The texts of an option: a title, or also what helps to choose it.
  public struct Option: Sendable, ExpressibleByStringLiteral {
    let json: JSON

    /// - Parameters:
    ///   - title: what a person reads, or `nil` to keep that of the prompt.
    ///   - help: what helps to choose it, or `nil` to keep that of the prompt.
    public init(_ title: String? = nil, help: String? = nil) {
      let title = title.map(JSON.string)
      json = help == nil ? title ?? [:] : ["title": title, "help": help.map(JSON.string)]
    }

    /// A title.
    public init(stringLiteral title: String) { self.init(title) }
  }

  /// The texts as a definition holds them, by the keys of what they translate.
  let json: JSON

  /// - Parameters:
  ///   - buttons: titles by `ok`, `cancel` or an action's name.
  ///   - fields: texts by the fields' names.
  public init(
    title: String? = nil, message: String? = nil, buttons: [String: String] = [:], fields: [String: Field] = [:]
  ) {
    json = [
      "title": title.map(JSON.string), "message": message.map(JSON.string),
      "buttons": JSON(sorting: buttons.mapValues(JSON.string)), "fields": JSON(sorting: fields.mapValues(\.json)),
    ]
  }

  /// The same for a prompt with the usual two buttons, by their titles.
  public init(
    title: String? = nil, message: String? = nil, ok: String?, cancel: String? = nil, fields: [String: Field] = [:]
  ) {
    let buttons = ["ok": ok, "cancel": cancel].compactMapValues(\.self)
    self.init(title: title, message: message, buttons: buttons, fields: fields)
  }
}

extension JSON {
  /// An object, always in the same order, so that the same definition is the same text; `nil` if it is empty.
  init?(sorting members: [String: JSON]) {
    if members.isEmpty { return nil }
    self = .object(members.sorted { $0.key < $1.key }.map(Member.init))
  }
}

// MARK: In its language

extension Prompt {
  /// The languages it can be shown in, its own first.
  package var languages: [Language] { [ownLanguage] + translations.map(\.language) }

  /// The tags of the languages that it can be shown in (BCP 47), its own first; English if it names none.
  public var languageTags: [String] { languages.map(\.tag) }

  private var ownLanguage: Language { language ?? .english }

  /// The prompt in one of its `languages`, or in its own if this is none of them.
  package func edition(in language: Language? = nil) -> Edition {
    let translation = translations.first { $0.language == language }
    let sentences = Sentences(in: translation?.language ?? ownLanguage)
    let texts = translation?.texts.json
    var prompt = self
    prompt.language = sentences.language
    (prompt.translations, prompt.requestedLanguage) = ([], nil)
    prompt.title = texts?.text("title") ?? title
    prompt.message = texts?.text("message") ?? message
    prompt.buttons = buttons.map { $0.titled(texts?["buttons"]?.text($0.key), sentences) }
    if let fields = texts?["fields"] { prompt.fields = self.fields.map { $0.translated(by: fields[$0.name]) } }
    for index in fields.indices where fields[index].answer.type == .boolean && fields[index].kind == .choice {
      prompt.fields[index].options = prompt.fields[index].options.map { option in
        // What a schema that has no title for it is read with.
        let isTrue = option.value == "true"
        guard option.title == (isTrue ? "Yes" : "No") else { return option }
        return .init(option.value, title: sentences(isTrue ? .yes : .no), help: option.help)
      }
    }
    return Edition(of: self, as: prompt, in: sentences)
  }
}

extension Prompt.Button {
  /// Its key in translations.
  var key: String { name ?? role.rawValue }

  fileprivate func titled(_ title: String?, _ sentences: Sentences) -> Self {
    let builtIn = hasOwnTitle ? nil : sentences[role == .cancel ? .cancel : .ok]
    guard let title = title ?? builtIn else { return self }
    return Self(
      title, role: role, name: name, validates: validates, isDestructive: isDestructive, reason: reason, when: when)
  }
}

extension Field {
  fileprivate func translated(by texts: JSON?) -> Field {
    guard let texts else { return self }
    var field = self
    for key in FieldKey.all + FieldKey.ofSection {
      if let words = key.words, let text = texts.text(key.name) { field[keyPath: words.path] = text }
    }
    let members = texts["options"]?.members ?? []
    let titles = Dictionary(members.map { ($0.key, $0.value) }) { $1 }
    field.options = options.map { option in
      guard let texts = titles[option.value] else { return option }
      let title = if case .string(let text) = texts { text } else { texts.text("title") }
      return Option(option.value, title: title ?? option.title, help: texts.text("help") ?? option.help)
    }
    var messages = texts.elements("messages"), conditions = texts.elements("when")
    field.setRules(writtenRules.map { $0.translated(by: messages.popFirst()) })
    field.allow = allow.map { $0.translated(by: messages.popFirst()) }
    field.when = when.map { if case .string(let text)? = conditions.popFirst() { $0.saying(text) } else { $0 } }
    return field
  }
}

extension Rule {
  fileprivate func translated(by message: JSON?) -> Rule {
    switch message {
    case .string(let text)?:
      guard saysInnerMessages else { return saying(text) }
      // Rules that said the list's message go on doing so.
      return mapInner(saying: text) {
        self.message != nil && $0.message == self.message ? $0.translated(by: message) : $0
      }
    case .array(let messages)?:
      var rest = messages[...]
      return mapInner { $0.translated(by: rest.popFirst()) }
    default: return self
    }
  }
}

extension JSON {
  fileprivate func elements(_ key: String) -> ArraySlice<JSON> {
    if case .array(let elements)? = self[key] { elements[...] } else { [] }
  }
}
