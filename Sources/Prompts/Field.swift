/// One input of a dialog: its kind, its looks and the rules its text must meet.
///
/// It never changes. As a class it is handed on by one reference, whatever it holds.
public final class Field: Sendable {
  /// When messages may appear under a field, besides a refused OK.
  public enum Moment: String, Sendable, CaseIterable {
    /// On an edit of a text that had not been empty before it.
    case whileEditing
    /// On leaving a field that was edited; from then on it follows every edit until the text is right.
    case afterEditing
  }

  /// One of the answers a `choice` or `choices` field offers.
  public struct Option: Sendable {
    /// What a program gets.
    public let value: String
    /// What a person reads.
    public let title: String

    public init(_ value: String, title: String? = nil) {
      self.value = value
      self.title = title ?? value
    }
  }

  /// `[A-Za-z][A-Za-z0-9_]{0,63}`, unique in the prompt.
  public let name: String
  public let label: String
  public let kind: Kind
  public let placeholder: String?
  /// A hint under the field.
  public let help: String?
  /// What the field holds at first: one text, or the chosen values of `choices`.
  public let value: Input
  /// The empty text is valid and answers null.
  public let optional: Bool
  /// White space at both ends is dropped before judging.
  public let trim: Bool
  /// An `email` field also takes domains outside ASCII.
  public let international: Bool
  public let validate: Set<Moment>
  /// The editing filter: what the whole text must meet after every edit.
  public let allow: [Rule]
  /// The rules in the order they judge, the kind's own among them.
  public let rules: [Rule]
  public let options: [Option]
  public let typing: Typing

  /// - Parameters:
  ///   - name: `[A-Za-z][A-Za-z0-9_]{0,63}`; a server refuses a prompt with another.
  ///   - label: nil: the name in words, `firstName` as “First name”.
  ///   - rules: as written; the kind's own rule joins them unless it is among them.
  ///   - value: nil: the empty text, or none chosen.
  ///   - trim: nil: true for `email`, `url`, `tel`, `number`, `integer`, dates and times.
  ///   - international: for `email` only.
  public init(
    _ name: String, label: String? = nil, kind: Kind = .text, placeholder: String? = nil,
    help: String? = nil, value: Input? = nil, optional: Bool = false, trim: Bool? = nil,
    international: Bool = false,
    validate: Set<Moment> = [.afterEditing], allow: [Rule] = [], rules: [Rule] = [],
    options: [Option] = [], typing: Typing = Typing()
  ) {
    self.name = name
    self.label = label ?? Self.words(of: name)
    self.kind = kind
    self.placeholder = placeholder
    self.help = help
    self.value = value ?? kind.emptyInput
    self.optional = optional
    self.trim = trim ?? kind.trims
    self.international = international
    self.validate = validate
    self.allow = allow
    self.options = options
    let written = international ? rules.map(\.international) : rules
    self.rules = Self.rules(
      written, impliedBy: kind.impliedRule(options: options, international: international))
    self.typing = typing.completed(for: kind)
  }

  /// A rule of the given condition among `rules`; sliders take their `range` and `step` from here.
  func condition<C: Condition>(_ type: C.Type) -> C? {
    for rule in rules { if let found = rule.condition as? C { return found } }
    return nil
  }

  /// The slider's scale: smallest, largest, step and where steps are counted from, as written; nil where no rule says it.
  package var scale: (min: String?, max: String?, step: String?, from: String?) {
    let (range, step) = (condition(RangeRule.self), condition(StepRule.self))
    return (range?.min?.text, range?.max?.text, step?.of.text, step?.from?.text)
  }

  /// Puts the kind's own rule after the leading `nonEmpty` and `notBlank`, unless it is written out.
  private static func rules(_ written: [Rule], impliedBy implied: Rule?) -> [Rule] {
    guard let implied, !written.contains(where: { $0.name == implied.name }) else { return written }
    let place = written.firstIndex { $0.name != NonEmpty.name && $0.name != NotBlank.name }
    var rules = written
    rules.insert(implied, at: place ?? written.endIndex)
    return rules
  }

  /// `firstName`, `first_name` → “First name”; `userID` → “User ID”.
  static func words(of name: String) -> String {
    let characters = Array(name)
    var words = ""
    for (index, character) in characters.enumerated() {
      let previous = index > 0 ? characters[index - 1] : "_"
      let next = index + 1 < characters.count ? characters[index + 1] : "_"
      if character == "_" {
        words += " "
      } else if words.isEmpty {
        words += character.uppercased()
      } else if character.isUppercase, previous != "_", !previous.isUppercase || next.isLowercase {
        // The first letter of a word, unless it begins an abbreviation, which keeps its capitals.
        words += " " + (next.isUppercase ? String(character) : character.lowercased())
      } else {
        words.append(character)
      }
    }
    return words
  }

  /// Whether a text can name a field: `[A-Za-z][A-Za-z0-9_]{0,63}`.
  package static func isName(_ text: String) -> Bool {
    let utf8 = text.utf8
    guard (1...64).contains(utf8.count), let first = utf8.first, ASCII.isLetter(first) else { return false }
    return utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "_") }
  }
}
