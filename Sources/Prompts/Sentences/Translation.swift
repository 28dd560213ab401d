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
    /// The texts of the field, or `nil` to keep those of the prompt.
    public let label, placeholder, help, unit: String?
    /// By the options' values.
    public let options: [String: Option]
    /// In the order of `rules`, then of `allow`.
    let messages: [Message?]
    /// The texts of the conditions, in their order.
    let when: [String?]
    /// The heading above the field, and the hint under that.
    public let section, sectionHelp: String?
  }

  /// The texts of an option: a title, or also what helps to choose it.
  public struct Option: Sendable, ExpressibleByStringLiteral {
    /// The texts that a person reads, or `nil` to keep those of the prompt.
    public let title, help: String?

    /// - Parameters:
    ///   - title: what a person reads, or `nil` to keep that of the prompt.
    ///   - help: what helps to choose it, or `nil` to keep that of the prompt.
    public init(_ title: String? = nil, help: String? = nil) {
      self.title = title
      self.help = help
    }

    /// A title.
    public init(stringLiteral title: String) { self.init(title) }
  }

  /// The message of a rule.
  indirect enum Message: Sendable {
    case text(String)
    /// The messages of the rules inside this one, in their order.
    case inner([Message?])
  }

  /// The title and the message, or `nil` to keep those of the prompt.
  public let title, message: String?
  /// Titles by `ok`, `cancel` or an action's name.
  public let buttons: [String: String]
  /// By the fields' names.
  public let fields: [String: Field]

  /// - Parameters:
  ///   - buttons: titles by `ok`, `cancel` or an action's name.
  ///   - fields: texts by the fields' names.
  public init(
    title: String? = nil, message: String? = nil, buttons: [String: String] = [:], fields: [String: Field] = [:]
  ) {
    self.title = title
    self.message = message
    self.buttons = buttons
    self.fields = fields
  }

  /// The same for a prompt with the usual two buttons, by their titles.
  public init(
    title: String? = nil, message: String? = nil, ok: String?, cancel: String? = nil, fields: [String: Field] = [:]
  ) {
    let buttons = ["ok": ok, "cancel": cancel].compactMapValues(\.self)
    self.init(title: title, message: message, buttons: buttons, fields: fields)
  }
}

extension Translation.Field {
  /// - Parameters:
  ///   - options: titles, or titles and helps, by the options' values.
  ///   - messages: those of the field's own `rules` in their order, and then those of `allow`; `nil` for each that has
  ///     none of its own.
  ///   - when: the messages of the field's conditions, in their order.
  ///   - section: the heading above the field.
  ///   - sectionHelp: the hint under that heading.
  public init(
    label: String? = nil, placeholder: String? = nil, help: String? = nil, unit: String? = nil,
    options: [String: Translation.Option] = [:], messages: [String?] = [], when: [String?] = [], section: String? = nil,
    sectionHelp: String? = nil
  ) {
    self.init(
      label: label, placeholder: placeholder, help: help, unit: unit, options: options,
      messages: messages.map { $0.map(Translation.Message.text) }, when: when, section: section,
      sectionHelp: sectionHelp)
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
    let texts = translation?.texts
    var prompt = self
    prompt.language = sentences.language
    (prompt.translations, prompt.requestedLanguage) = ([], nil)
    prompt.title = texts?.title ?? title
    prompt.message = texts?.message ?? message
    prompt.buttons = buttons.map { $0.titled(texts?.buttons[$0.key], sentences) }
    if let texts { prompt.fields = fields.map { $0.translated(by: texts.fields[$0.name]) } }
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
  fileprivate func translated(by texts: Translation.Field?) -> Field {
    guard let texts else { return self }
    var messages = texts.messages[...]
    let translated = { (rules: [Rule]) in rules.map { $0.translated(by: messages.popFirst() ?? nil) } }
    var field = self
    field.label = texts.label ?? label
    field.placeholder = texts.placeholder ?? placeholder
    field.help = texts.help ?? help
    field.unit = texts.unit ?? unit
    field.options = options.map { option in
      let texts = texts.options[option.value]
      return Option(option.value, title: texts?.title ?? option.title, help: texts?.help ?? option.help)
    }
    field.setRules(translated(writtenRules))
    field.allow = translated(allow)
    field.when = when.enumerated().map { $1.saying(texts.when.indices.contains($0) ? texts.when[$0] : nil) }
    field.section = texts.section ?? section
    field.sectionHelp = texts.sectionHelp ?? sectionHelp
    return field
  }
}

extension Rule {
  fileprivate func translated(by message: Translation.Message?) -> Rule {
    switch (message, condition) {
    case (nil, _): return self
    case (.text(let text)?, var all as AllRule):
      // Rules that said the list's message go on doing so.
      all.rules = all.rules.map { self.message != nil && $0.message == self.message ? $0.translated(by: message) : $0 }
      return Rule(all, message: text)
    case (.text(let text)?, _): return saying(text)
    case (.inner(let messages)?, let list):
      var rest = messages[...]
      return Rule(list.mapInner { $0.translated(by: rest.popFirst() ?? nil) }, message: self.message)
    }
  }
}
