/// A dialog's definition: what it asks, and the buttons that end it.
public struct Prompt: Sendable {
  /// The behaviour of OK while the input is invalid.
  public enum OKWhenInvalid: String, Sendable, CaseIterable {
    /// It can be focused, and says why it refuses (`aria-disabled`).
    case explains
    /// It is natively disabled.
    case disabled
  }

  /// The title of the dialog: plain text, never empty.
  public var title: String
  /// Text under the title, as plain text; or `nil` if there is none.
  public var message: String?
  /// The material for the decision, above the fields; empty for most prompts.
  public var context: [Context] = []
  /// The inputs from top to bottom, at most 50.
  public var fields: [Field]
  /// The paths of objects that an answer has even if no value stands in them, outer ones first.
  package var objects: [[String]] = []
  /// The buttons in order. A prompt with fields needs one of the role `ok`; without fields, it needs any button.
  public var buttons: [Button]
  /// The behaviour of OK while the input is invalid.
  public var okWhenInvalid: OKWhenInvalid
  /// Who may answer, and who may not.
  package var answerers = Answerers()
  /// Who may answer: ids of people, and `group:NAME`; empty for everybody. The server must know who its visitors are.
  public var `for`: [String] {
    get { answerers.only.map(\.text) }
    set { answerers.only = newValue.map { Answerers.Entry($0) } }
  }
  /// Who may not answer, in the same words; and `ask:ID` for whoever answers that ask.
  public var notBy: [String] {
    get { answerers.never.map(\.text) }
    set { answerers.never = newValue.map { Answerers.Entry($0) } }
  }
  /// Who is told of an ask of it, and when again.
  package var noticePlan = NoticePlan()
  /// The names of the server's channels that tell people of an ask of it, and `for` to mail everybody in `for`.
  public var notify: [String] {
    get { noticePlan.channels }
    set { noticePlan.channels = newValue }
  }
  /// The time before its end at which they are told again, or `nil` for never.
  public var remindBefore: Duration? {
    get { noticePlan.remindBefore }
    set { noticePlan.remindBefore = newValue }
  }
  /// The time after an answer in which the program says what came of it, or `nil` if nobody waits for that.
  public var resultWithin: Duration?
  /// The language of its texts, or `nil` for that of the server, which is English by default.
  package var language: Language?
  /// Its texts in other languages.
  package var translations: [(language: Language, texts: Translation)]
  /// The language in which the person wants an ask; or `nil` to follow the person's browser.
  package var requestedLanguage: Language?
  /// Of an ask as a person reads it, the name of the program that asks, or `nil` if it has none.
  package internal(set) var askedBy: String?
  /// The person for whom it asks, or `nil`.
  package internal(set) var requestedBy: Person?

  /// A dialog with an OK and a Cancel button.
  ///
  /// - Parameters:
  ///   - ok: the OK button's title, or `nil` for the usual one of the language.
  ///   - cancel: the Cancel button's title, or `nil` for a dialog without one. If it is left out, the button has the
  ///     usual title of the language.
  ///   - reason: whether Cancel asks why, or `nil` if it does not.
  ///   - language: the language of these texts as a tag, like `de` or `pt-BR` (BCP 47), or `nil` for the server's.
  ///   - translations: the texts in other languages, by their tags.
  public init(
    title: String, message: String? = nil, ok: String? = nil, cancel: String?, reason: Button.Reason? = nil,
    okWhenInvalid: OKWhenInvalid = .explains, language: String? = nil, translations: [String: Translation] = [:],
    fields: [Field] = []
  ) {
    self.init(
      title: title, message: message,
      buttons: (cancel.map { [Button($0, role: .cancel, reason: reason)] } ?? []) + [Button(ok, role: .ok)],
      okWhenInvalid: okWhenInvalid, language: language, translations: translations, fields: fields)
  }

  /// The same with the usual Cancel button of the language.
  public init(
    title: String, message: String? = nil, ok: String? = nil,
    okWhenInvalid: OKWhenInvalid = .explains, language: String? = nil, translations: [String: Translation] = [:],
    fields: [Field] = []
  ) {
    self.init(
      title: title, message: message, buttons: [Button(nil, role: .cancel), Button(ok, role: .ok)],
      okWhenInvalid: okWhenInvalid, language: language, translations: translations, fields: fields)
  }

  /// A dialog with buttons of your own, in order.
  public init(
    title: String, message: String? = nil, buttons: [Button],
    okWhenInvalid: OKWhenInvalid = .explains, language: String? = nil, translations: [String: Translation] = [:],
    fields: [Field] = []
  ) {
    self.title = title
    self.message = message
    self.fields = fields
    self.buttons = buttons
    self.okWhenInvalid = okWhenInvalid
    self.language = language.map(Language.init(unchecked:))
    self.translations = translations.map { (Language(unchecked: $0), $1) }.sorted { $0.0.tag < $1.0.tag }
  }

  /// True if some of its fields or buttons apply only under conditions.
  package var hasConditions: Bool { fields.contains { !$0.when.isEmpty } || buttons.contains { !$0.when.isEmpty } }

  /// The field of that name, compared byte by byte.
  func field(_ name: String) -> Field? { fields.named(name) }

  /// The action button of that name.
  package func action(_ name: String) -> Button? {
    buttons.first { $0.role == .action && $0.name == name }
  }

  /// The button that ends the dialog like this, or `nil` if none does. Of several with the role `ok`, it is the first.
  package func button(of outcome: Outcome) -> Button? {
    switch outcome {
    case .action(let name, _): action(name)
    default: buttons.first { $0.role.rawValue == outcome.word }
    }
  }

  /// The demand for a reason when Cancel is pressed, or `nil` if none is asked for.
  package var reason: Button.Reason? {
    let reasons = buttons.compactMap(\.reason)
    return reasons.contains(.required) ? .required : reasons.first
  }

  /// The role of the button that has the focus first in a dialog without fields, or `nil` if the dialog itself has it:
  /// then nobody presses a button without having chosen one. That is so if much depends on the answer: something cannot
  /// be undone, there is material to read, Cancel asks why, or only some people may answer. A coding agent's question
  /// always has material.
  ///
  /// - Parameter isForSome: whether only some people may answer for another reason than the prompt's `for`.
  package func firstRole(isForSome: Bool = false) -> Button.Role? {
    let isPlain = context.isEmpty && reason == nil && answerers.only.isEmpty && !isForSome
    guard fields.isEmpty, isPlain, !buttons.contains(where: \.isDestructive) else { return nil }
    let roles = buttons.map(\.role)
    return roles.contains(.ok) ? .ok : roles.contains(.cancel) ? .cancel : nil
  }

  /// True if its only field is a coding agent's offer to be allowed more than one call. Then the dialog itself has the
  /// focus first, and a key pressed in the field presses no button.
  package var onlyOffersMore: Bool {
    fields.count == 1 && fields[0].kind == .choice && fields[0].name == Field.suggestions
  }

  /// True if any of its rules brings its own closure, which no definition holds.
  package var hasOwnPredicates: Bool {
    fields.contains { ($0.rules + $0.allow).contains(where: \.hasOwnPredicates) }
  }

  /// This prompt under a name, so that a server can offer it at `/prompts/{name}`.
  ///
  /// - Parameter name: `[a-z0-9][a-z0-9-]{0,63}`; a server refuses a prompt with any other.
  public func named(_ name: String) -> NamedPrompt { NamedPrompt(name: name, prompt: self) }
}

extension Prompt {
  /// A button of the dialog. Each of them ends it.
  public struct Button: Sendable {
    /// The effect of pressing the button.
    public enum Role: String, Sendable, CaseIterable {
      /// Ends with `ok` and the values, if they are valid.
      case ok
      /// Ends with `cancel`; nothing is judged.
      case cancel
      /// Ends with `action` and the button's name.
      case action
    }

    /// The demand for a reason when Cancel is pressed.
    public enum Reason: String, Sendable, CaseIterable {
      /// They may.
      case optional
      /// They must.
      case required
    }

    /// Plain text on the button.
    public let title: String
    /// True if its author has given it that title. If not, it follows the language.
    let hasOwnTitle: Bool
    /// The effect of pressing it.
    public let role: Role
    /// The action's name, as a program sees it; or `nil` for `ok` and `cancel`.
    public let name: String?
    /// True if an action needs valid input and returns its values. OK always does, Cancel never.
    public let validates: Bool
    /// True if it is coloured as something that cannot be undone.
    public let isDestructive: Bool
    /// The demand for a reason, a text of up to 2,000 characters; `nil` if Cancel asks for none, and for other roles.
    public let reason: Reason?
    /// The conditions for an action to be on offer; all of them must hold.
    public let when: [When]
    /// Called with the values when `Asker.ask` gets the outcome of this button; `nil` for nothing.
    public let handler: (@Sendable (Values) async throws -> Void)?

    /// - Parameters:
    ///   - title: plain text on the button, or `nil` for the usual one of OK and Cancel.
    ///   - name: the action's name, as `Outcome.action` has it; only for the role `action`, which needs one.
    ///   - validates: whether an action needs valid input and returns its values; `nil` means that it does.
    ///   - isDestructive: whether it is coloured as something that cannot be undone.
    ///   - reason: whether Cancel asks why, or `nil` if it does not; only for the role `cancel`.
    ///   - when: what must hold for an action to be on offer, all of it; only for the role `action`.
    ///   - handler: called with the values when `Asker.ask` gets the outcome of this button, and before it returns that.
    ///     What it throws, `ask` throws.
    public init(
      _ title: String?, role: Role, name: String? = nil, validates: Bool? = nil,
      isDestructive: Bool = false, reason: Reason? = nil, when: [When] = [],
      handler: (@Sendable (Values) async throws -> Void)? = nil
    ) {
      self.title = title ?? Sentences.english[role == .cancel ? .cancel : .ok]
      hasOwnTitle = title != nil
      self.role = role
      self.name = name
      self.validates = role == .ok || (role == .action && validates ?? true)
      self.isDestructive = isDestructive
      self.reason = role == .cancel ? reason : nil
      self.when = when
      self.handler = handler
    }
  }
}
