extension Field {
  /// Settings for typing into a text field: on-screen keyboard, capitals, autofill, the Enter key.
  ///
  /// What is `nil` here is taken from the field's kind.
  public struct Typing: Sendable {
    /// The on-screen keyboard (HTML, `inputmode`).
    public enum Keyboard: String, Sendable, CaseIterable {
      case text, email, numeric, decimal, tel, url, search
    }
    /// The capitals of an on-screen keyboard (HTML, `autocapitalize`).
    public enum Capitals: String, Sendable, CaseIterable {
      case none, sentences, words, characters
    }
    /// The label of the Enter key (HTML, `enterkeyhint`). `next` moves on to the next field.
    public enum EnterKey: String, Sendable, CaseIterable {
      case next, done, go, send, search
    }

    /// The on-screen keyboard.
    public var keyboard: Keyboard?
    /// The capitals of an on-screen keyboard.
    public var capitalize: Capitals?
    /// A token of HTML’s `autocomplete`, such as `email` or `one-time-code`.
    public var autocomplete: String?
    /// The label of the Enter key.
    public var enterKey: EnterKey?
    /// True if browsers check the spelling.
    public var spellcheck: Bool?

    /// - Parameter autocomplete: a token of HTML’s `autocomplete`, such as `email` or `one-time-code`.
    public init(
      keyboard: Keyboard? = nil, capitalize: Capitals? = nil, autocomplete: String? = nil,
      enterKey: EnterKey? = nil, spellcheck: Bool? = nil
    ) {
      self.keyboard = keyboard
      self.capitalize = capitalize
      self.autocomplete = autocomplete
      self.enterKey = enterKey
      self.spellcheck = spellcheck
    }

    /// The same with what is missing as fields of a kind have it.
    func completed(for kind: Kind) -> Typing {
      let defaults: Typing =
        switch kind {
        case .email: Typing(keyboard: .email, capitalize: Capitals.none, autocomplete: "email", spellcheck: false)
        case .url: Typing(keyboard: .url, capitalize: Capitals.none, autocomplete: "url", spellcheck: false)
        case .tel: Typing(keyboard: .tel, autocomplete: "tel", spellcheck: false)
        case .password: Typing(capitalize: Capitals.none, autocomplete: "current-password", spellcheck: false)
        case .search: Typing(keyboard: .search, autocomplete: "off", enterKey: .search)
        case .number, .integer: Typing(autocomplete: "off", spellcheck: false)
        default: Typing()
        }
      return Typing(
        keyboard: keyboard ?? defaults.keyboard, capitalize: capitalize ?? defaults.capitalize,
        autocomplete: autocomplete ?? defaults.autocomplete, enterKey: enterKey ?? defaults.enterKey,
        spellcheck: spellcheck ?? defaults.spellcheck)
    }
  }
}
