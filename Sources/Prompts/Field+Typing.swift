extension Field {
  /// How a text field is typed into: on-screen keyboard, capitals, autofill, the Enter key.
  ///
  /// What is nil here is taken from the field's kind.
  public struct Typing: Sendable {
    public enum Keyboard: String, Sendable, CaseIterable {
      case text, email, numeric, decimal, tel, url, search
    }
    public enum Capitals: String, Sendable, CaseIterable {
      case none, sentences, words, characters
    }
    /// What the Enter key promises (HTML, `enterkeyhint`). `next` moves on to the next field.
    public enum EnterKey: String, Sendable, CaseIterable {
      case next, done, go, send, search
    }

    public var keyboard: Keyboard?
    public var capitalize: Capitals?
    /// A token of HTML’s `autocomplete`, such as `email` or `one-time-code`.
    public var autocomplete: String?
    public var enterKey: EnterKey?
    public var spellcheck: Bool?

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

    func completed(for kind: Kind) -> Typing {
      let defaults: Typing =
        switch kind {
        case .email: Typing(keyboard: .email, capitalize: Capitals.none, autocomplete: "email", spellcheck: false)
        case .url: Typing(keyboard: .url, capitalize: Capitals.none, autocomplete: "url", spellcheck: false)
        case .tel: Typing(keyboard: .tel, autocomplete: "tel", spellcheck: false)
        case .password: Typing(capitalize: Capitals.none, autocomplete: "current-password", spellcheck: false)
        case .search: Typing(keyboard: .search, autocomplete: "off", enterKey: .search)
        case .number: Typing(keyboard: .decimal, autocomplete: "off", spellcheck: false)
        case .integer: Typing(keyboard: .numeric, autocomplete: "off", spellcheck: false)
        default: Typing()
        }
      return Typing(
        keyboard: keyboard ?? defaults.keyboard, capitalize: capitalize ?? defaults.capitalize,
        autocomplete: autocomplete ?? defaults.autocomplete, enterKey: enterKey ?? defaults.enterKey,
        spellcheck: spellcheck ?? defaults.spellcheck)
    }
  }
}
