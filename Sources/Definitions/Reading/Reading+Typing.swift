internal import Prompts

extension Reading {
  /// How a field is typed into.
  ///
  /// - Parameter kind: nil: not known, so anything may be right.
  mutating func typing(_ map: Mapping, for kind: Field.Kind?) -> Field.Typing {
    for entry in map.entries {
      guard let kind, let fits = Self.kinds(for: entry.key), !fits(kind) else { continue }
      report("\(kind.withArticle) field has no `\(entry.key)`", "remove it", at: entry.keyPlace)
    }
    return Field.Typing(
      keyboard: word(map["keyboard"], "keyboard"), capitalize: word(map["capitalize"], "capitalize"),
      autocomplete: autocomplete(map["autocomplete"]), enterKey: word(map["enterKey"], "enterKey"),
      spellcheck: bool(map["spellcheck"], "spellcheck"))
  }

  /// Which kinds a typing key is for; nil: it is another key.
  private static func kinds(for key: String) -> ((Field.Kind) -> Bool)? {
    switch key {
    case "keyboard", "capitalize", "spellcheck": { $0.isTyped }
    // Dates and times are edited by key too, and a browser can fill in a birthday.
    case "autocomplete", "enterKey": { $0.isTyped || [.date, .time, .dateTime].contains($0) }
    default: nil
    }
  }

  private mutating func autocomplete(_ node: Node?) -> String? {
    guard let node, let text = string(node, "autocomplete") else { return nil }
    if Autofill.isValid(text) { return text }
    let last = text.split(separator: " ").last.map(String.init) ?? ""
    report(
      "`autocomplete` cannot be `\(text)`",
      Nearest.nearest(to: last, among: Autofill.words).map { "did you mean `\($0)`?" }
        ?? "use `off`, `on` or a name of HTML's autofill fields, like `email` or `one-time-code`",
      at: node.place)
    return nil
  }
}

/// What HTML's `autocomplete` may say (HTML, 4.10.18.7.1).
enum Autofill {
  /// `on`, `off`, or in this order: `section-…`, `shipping` or `billing`, for contacts perhaps
  /// `home` and the like, a field's name, `webauthn`.
  static func isValid(_ text: String) -> Bool {
    if text == "on" || text == "off" { return true }
    var words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)[...]
    if words.last == "webauthn" { words.removeLast() }
    if let first = words.first, first.hasPrefix("section-"), first.utf8.count > 8 { words.removeFirst() }
    if words.first == "shipping" || words.first == "billing" { words.removeFirst() }
    if words.count == 2, ["home", "work", "mobile", "fax", "pager"].contains(words[words.startIndex]) {
      return contacts.contains(words[words.startIndex + 1])
    }
    return words.count == 1 && words.allSatisfy { fields.contains($0) || contacts.contains($0) }
  }

  static let words = ["on", "off"] + fields + contacts

  private static let fields = [
    "name", "honorific-prefix", "given-name", "additional-name", "family-name", "honorific-suffix", "nickname",
    "username", "new-password", "current-password", "one-time-code", "organization-title", "organization",
    "street-address", "address-line1", "address-line2", "address-line3", "address-level4", "address-level3",
    "address-level2", "address-level1", "country", "country-name", "postal-code", "cc-name", "cc-given-name",
    "cc-additional-name", "cc-family-name", "cc-number", "cc-exp", "cc-exp-month", "cc-exp-year", "cc-csc",
    "cc-type", "transaction-currency", "transaction-amount", "language", "bday", "bday-day", "bday-month",
    "bday-year", "sex", "url", "photo",
  ]

  private static let contacts = [
    "tel", "tel-country-code", "tel-national", "tel-area-code", "tel-local", "tel-local-prefix",
    "tel-local-suffix", "tel-extension", "email", "impp",
  ]
}
