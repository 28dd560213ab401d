/// A dialog's definition: what it asks and which buttons end it.
public struct Prompt: Sendable {
  /// What OK does while the input is invalid.
  public enum OKWhenInvalid: String, Sendable, CaseIterable {
    /// It can be focused and says why it refuses (`aria-disabled`).
    case explains
    /// It is natively disabled.
    case disabled
  }

  /// What the dialog asks; plain text, never empty.
  public var title: String
  /// More words under the title; plain text. nil: none.
  public var message: String?
  /// The inputs, from top to bottom; 0 to 50.
  public var fields: [Field]
  /// The buttons in order; at least one is of role `ok`.
  public var buttons: [Button]
  public var okWhenInvalid: OKWhenInvalid

  /// A dialog with an OK and a Cancel button.
  ///
  /// - Parameters:
  ///   - ok: the OK button's title.
  ///   - cancel: the Cancel button's title; nil: no Cancel button.
  public init(
    title: String, message: String? = nil, ok: String = "OK", cancel: String? = "Cancel",
    okWhenInvalid: OKWhenInvalid = .explains, fields: [Field] = []
  ) {
    self.init(
      title: title, message: message,
      buttons: (cancel.map { [Button($0, role: .cancel)] } ?? []) + [Button(ok, role: .ok)],
      okWhenInvalid: okWhenInvalid, fields: fields)
  }

  /// A dialog with buttons of your own, in order.
  public init(
    title: String, message: String? = nil, buttons: [Button],
    okWhenInvalid: OKWhenInvalid = .explains, fields: [Field] = []
  ) {
    self.title = title
    self.message = message
    self.fields = fields
    self.buttons = buttons
    self.okWhenInvalid = okWhenInvalid
  }

  /// The field of that name, compared byte by byte.
  public func field(_ name: String) -> Field? { fields.named(name) }

  /// The action button of that name.
  public func action(_ name: String) -> Button? {
    buttons.first { $0.role == .action && $0.name == name }
  }

  /// Whether the dialog has a Cancel button. A prompt without one can still be left, by its page.
  public var canCancel: Bool { buttons.contains { $0.role == .cancel } }

  /// Names of the predicates that its rules ask.
  package var predicates: [String] {
    fields.flatMap { ($0.rules + $0.allow).flatMap(\.predicates) }
  }

  /// This prompt under a name, so that a server can offer it at `/prompts/{name}`.
  public func named(_ name: String) -> NamedPrompt { NamedPrompt(name: name, prompt: self) }
}

/// A prompt and the name it is served under.
public struct NamedPrompt: Sendable {
  /// `[a-z0-9][a-z0-9-]{0,63}`
  public let name: String
  public let prompt: Prompt
  /// True for a prompt that was just read from its definition, and has no fault that reading it again would find.
  package let wasRead: Bool

  public init(name: String, prompt: Prompt) { self.init(name: name, prompt: prompt, wasRead: false) }

  package init(name: String, prompt: Prompt, wasRead: Bool) {
    self.name = name
    self.prompt = prompt
    self.wasRead = wasRead
  }

  /// Whether a text can name a prompt: `[a-z0-9][a-z0-9-]{0,63}`.
  package static func isName(_ text: String) -> Bool {
    let utf8 = text.utf8
    guard (1...64).contains(utf8.count), utf8.first != UInt8(ascii: "-") else { return false }
    return utf8.allSatisfy { ASCII.isLower($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") }
  }
}

extension [Field] {
  /// The field of that name; nil: there is none.
  func named(_ name: String) -> Field? { first { isSame($0.name, name) } }
}
