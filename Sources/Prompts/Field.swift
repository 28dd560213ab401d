/// One input of a dialog: its kind, its looks and the rules its text must meet.
///
/// ```swift
/// Field("start", kind: .dateTime, optional: true) { $0.timeZone = .named("Europe/Berlin") }
/// ```
public struct Field: Sendable {
  /// The moments at which messages may appear under a field, apart from a refused OK.
  public enum Moment: String, Sendable, CaseIterable {
    /// When a person edits a text that was not empty before.
    case whileEditing
    /// When a person leaves a field after editing it; from then on with every edit until the text is right.
    case afterEditing
  }

  /// One of the options that a `choice` or `choices` field offers.
  public struct Option: Sendable, ExpressibleByStringLiteral {
    /// The value that a program gets.
    public let value: String
    /// The title that a person reads.
    public let title: String
    /// A hint that helps to choose it, or `nil` for none.
    public let help: String?

    /// - Parameters:
    ///   - value: what a program gets.
    ///   - title: what a person reads, or `nil` if that is the value.
    ///   - help: a hint under the title.
    public init(_ value: String, title: String? = nil, help: String? = nil) {
      self.value = value
      self.title = title ?? value
      self.help = help
    }

    /// An option whose title is its value.
    public init(stringLiteral value: String) { self.init(value) }
  }

  /// The name of the choice in which a coding agent's hook offers to allow more than one call, and of the member of its
  /// event with what the agent suggests.
  package static let suggestions = "permission_suggestions"

  /// `[A-Za-z][A-Za-z0-9_]{0,63}`, unique in the prompt; its value has this name.
  public let name: String
  /// The sort of value that it asks for.
  public let kind: Kind
  /// Where its value stands in an answer: a JSON pointer of member names (RFC 6901), like `/address/city`. Unless it is
  /// set, the value is a member of the answer itself, with the field's name.
  public var at: String { didSet { path = ValuePath.members(of: at) ?? [name] } }
  /// The members that lead to its value in an answer.
  package private(set) var path: [String]
  /// The label above the field.
  public var label: String
  /// The text that an empty field shows, or `nil` for none.
  public var placeholder: String?
  /// A hint under the field, or `nil` for none.
  public var help: String?
  /// The unit of a `number`, `integer` or `slider` field, such as “kg”. It is shown beside the number and is not
  /// part of the value. At most 16 characters.
  public var unit: String?
  /// The initial value: one text, the chosen values of `choices`, or the items of a `list`.
  public var value: Input
  /// True if the empty text is valid, and its value null.
  public var optional: Bool
  /// True if a value must be given. `notBlank`, or `nonEmpty` if nothing is typed, is then the first of its rules,
  /// unless they have one of these; a `boolean` must be on.
  public var required = false { didSet { setRules(writtenRules) } }
  /// True if a text of only spaces meets `required`, as it did when the ask of this field was stored.
  var requiredTakesBlanks = false
  /// The options of a `choice` or `choices` field.
  public var options: [Option] { didSet { setRules(writtenRules) } }
  /// The rules in the order in which they judge, the kind's own among them.
  public private(set) var rules: [Rule] = [] {
    didSet { readsNumbers = !kind.offersOptions && kind != .boolean && (kind == .list ? items : rules).areOfNumbers }
  }
  /// True if its text, or each item, is a number, which people write in their own ways; see `Numeral`.
  private(set) var readsNumbers = false
  /// The rules as their author has written them, without the kind's own.
  private(set) var writtenRules: [Rule] = []
  /// The conditions under which the field applies; all must hold. If there are none, it always applies.
  public var when: [When]
  /// True if white space at both ends is dropped before judging: depends on the kind, unless it is set.
  public var trim: Bool
  /// True if an `email` field also accepts domains outside ASCII.
  public var international = false { didSet { setRules(writtenRules) } }
  /// The moments at which messages may appear.
  public var validate: Set<Moment> = [.afterEditing]
  /// The editing filter: what the whole text must meet after every edit.
  public var allow: [Rule] = []
  /// The settings for typing into the field; `nil` ones are taken from the kind.
  public var typing: Typing { didSet { typing = typing.completed(for: kind) } }
  /// The heading of the section that begins with this field and ends before the next that has one; or `nil`.
  public var section: String?
  /// A hint under that heading, or `nil` for none.
  public var sectionHelp: String?
  /// The form of its value in an answer.
  package var answer = AnswerForm()
  /// The time zone of a `dateTime` field, whose value then has the offset from UTC. For a `date` field, the zone that
  /// decides which day is `today`. `nil` for local dates and times, wherever that is.
  public var timeZone: TimeZone? { didSet { setRules(writtenRules) } }

  /// - Parameters:
  ///   - name: `[A-Za-z][A-Za-z0-9_]{0,63}`, unique in the prompt; a server refuses any other.
  ///   - label: what a person reads above the field, or `nil` for the name in words: `firstName` as “First name”.
  ///   - help: a hint under the field.
  ///   - value: what the field holds at first, or `nil` for the empty text and no choice.
  ///   - required: whether a value must be given.
  ///   - optional: whether the field may be left empty; its value is then null.
  ///   - enterKey: the label of the Enter key, or `nil` for that of the kind.
  ///   - validate: when messages may appear.
  ///   - allow: what the whole text must meet after every edit.
  ///   - rules: what the text must meet. The kind's own rule joins them unless it is among them.
  ///   - options: what a `choice` or `choices` field offers.
  ///   - when: what must hold for the field to apply, all of it; it always applies if there is nothing.
  ///   - change: sets what else the field has.
  public init(
    _ name: String, label: String? = nil, kind: Kind = .text, placeholder: String? = nil, help: String? = nil,
    value: (any ValueConvertible)? = nil, required: Bool = false, optional: Bool = false,
    enterKey: Typing.EnterKey? = nil, validate: Set<Moment> = [.afterEditing], allow: [Rule] = [], rules: [Rule] = [],
    options: [Option] = [], when: [When] = [], _ change: (inout Field) -> Void = { _ in }
  ) {
    self.name = name
    self.kind = kind
    at = JSONPointer.text([name])
    path = [name]
    self.placeholder = placeholder
    self.help = help
    self.optional = optional
    self.options = options
    self.when = when
    trim = kind.trims
    self.label = label ?? Self.words(of: name)
    self.value = value.map(Input.init) ?? kind.emptyInput
    typing = Typing(enterKey: enterKey).completed(for: kind)
    (self.required, self.validate, self.allow) = (required, validate, allow)
    setRules(rules)
    change(&self)
  }

  /// The same with one rule.
  public init(
    _ name: String, label: String? = nil, kind: Kind = .text, placeholder: String? = nil, help: String? = nil,
    value: (any ValueConvertible)? = nil, required: Bool = false, optional: Bool = false,
    enterKey: Typing.EnterKey? = nil, validate: Set<Moment> = [.afterEditing], allow: [Rule] = [], rules: Rule,
    options: [Option] = [], when: [When] = [], _ change: (inout Field) -> Void = { _ in }
  ) {
    self.init(
      name, label: label, kind: kind, placeholder: placeholder, help: help, value: value, required: required,
      optional: optional, enterKey: enterKey, validate: validate, allow: allow, rules: [rules], options: options,
      when: when, change)
  }

  /// The same with options whose titles are their values.
  @_disfavoredOverload
  public init(
    _ name: String, label: String? = nil, kind: Kind = .text, placeholder: String? = nil, help: String? = nil,
    value: (any ValueConvertible)? = nil, required: Bool = false, optional: Bool = false,
    enterKey: Typing.EnterKey? = nil, validate: Set<Moment> = [.afterEditing], allow: [Rule] = [], rules: [Rule] = [],
    options: [String], when: [When] = [], _ change: (inout Field) -> Void = { _ in }
  ) {
    self.init(
      name, label: label, kind: kind, placeholder: placeholder, help: help, value: value, required: required,
      optional: optional, enterKey: enterKey, validate: validate, allow: allow, rules: rules,
      options: options.map { Option($0) }, when: when, change)
  }

  /// The same with one rule, and options whose titles are their values.
  @_disfavoredOverload
  public init(
    _ name: String, label: String? = nil, kind: Kind = .text, placeholder: String? = nil, help: String? = nil,
    value: (any ValueConvertible)? = nil, required: Bool = false, optional: Bool = false,
    enterKey: Typing.EnterKey? = nil, validate: Set<Moment> = [.afterEditing], allow: [Rule] = [], rules: Rule,
    options: [String], when: [When] = [], _ change: (inout Field) -> Void = { _ in }
  ) {
    self.init(
      name, label: label, kind: kind, placeholder: placeholder, help: help, value: value, required: required,
      optional: optional, enterKey: enterKey, validate: validate, allow: allow, rules: [rules],
      options: options.map { Option($0) }, when: when, change)
  }

  /// Sets the rules. If the field has no time zone, it takes the first one that a rule names.
  mutating func setRules(_ written: [Rule]) {
    if timeZone == nil, let named = written.lazy.flatMap(\.flattened).compactMap(\.timeZone).first {
      timeZone = named
    }
    writtenRules = written.map { rule in
      let rule = international ? rule.international : rule
      return timeZone.map(rule.inTimeZone) ?? rule
    }
    rules = writtenRules
    let typed = requiredTakesBlanks ? Rule.nonEmpty : Rule(NotBlank(isRequired: true))
    let first = kind == .boolean ? Rule.oneOf(["true"]) : kind.isTyped && kind != .list ? typed : .nonEmpty
    let same = kind == .boolean ? [first.name] : [NonEmpty.name, NotBlank.name]
    if required, !rules.contains(where: { same.contains($0.name) }) { rules.insert(first, at: 0) }
    defer { if !answer.types.isEmpty { rules += answer.limits(among: rules, of: kind) } }
    guard let implied = kind.impliedRule(options: options, international: international) else { return }
    // The kind's own rule comes after the leading `nonEmpty` and `notBlank`.
    let place = rules.firstIndex { $0.name != NonEmpty.name && $0.name != NotBlank.name } ?? rules.endIndex
    // No rule may look at more items than a list can have.
    let counts = rules[place...].prefix { $0.condition.limits.counts.max <= Self.itemLimit }
    if (kind == .list ? counts : rules[...]).contains(where: { $0.name == implied.name }) { return }
    rules.insert(timeZone.map(implied.inTimeZone) ?? implied, at: place)
  }

  /// Every rule that can say why an input is not valid, those inside others too.
  package var allRules: [Rule] { (rules + allow).flatMap(\.flattened) }

  /// The slider's scale: smallest, largest, step and where steps are counted from, as written; or `nil` for each that no
  /// rule says, or that depends on the time.
  package var scale: (min: String?, max: String?, step: String?, from: String?) {
    let ranges = rules.compactMap(\.condition.limits.range)
    let range = ranges.first { $0.min != nil && $0.max != nil } ?? ranges.first
    let step = rules.lazy.compactMap(\.condition.limits.step).first
    let end = { (bound: Quantity?) in bound.flatMap { $0.relative == nil && !$0.hasOffset ? $0.text : nil } }
    return (end(range?.min), end(range?.max), step?.of.text, step?.from?.text)
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

  /// True if a text can name a field: `[A-Za-z][A-Za-z0-9_]{0,63}`.
  static func isName(_ text: String) -> Bool {
    let utf8 = text.utf8
    guard (1...64).contains(utf8.count), let first = utf8.first, ASCII.isLetter(first) else { return false }
    return utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "_") }
  }
}

package extension [Field] {
  /// The field of that name, or `nil` if there is none.
  func named(_ name: String) -> Field? { index(of: name).map { self[$0] } }

  /// The index of the field of that name, or `nil` if there is none.
  func index(of name: String) -> Int? { indices.first { isSame(self[$0].name, name) } }
}

// MARK: Kinds

extension Field {
  /// The sort of value that a field asks for.
  public enum Kind: String, Sendable, CaseIterable {
    case text, multiline, email, url, tel, password, search
    case number, integer
    case date, time
    /// A local date and time.
    case dateTime
    case boolean
    /// One of the field's options.
    case choice
    /// Any of the field's options.
    case choices
    /// A number on a scale.
    case slider
    /// Texts or numbers, one a line.
    case list

    /// For sentences: a `text`, an `email`.
    var withArticle: String { "\(self == .email || self == .integer ? "an" : "a") `\(rawValue)`" }

    /// The form in which values of this kind are compared, or `nil` if they have no order.
    package var quantity: Quantity.Form? {
      switch self {
      case .number, .integer, .slider: .number
      case .date: .date
      case .time: .time
      case .dateTime: .dateTime
      default: nil
      }
    }

    /// A text as a value that can be compared, or `nil` if it is not of this kind or the kind has no order.
    func quantity(_ text: String) -> Quantity? {
      if self == .integer, !IntegerRule().isMet(by: text) { return nil }
      return quantity.flatMap { Quantity(text, form: $0) }
    }

    /// True if the text may have line feeds.
    package var isMultiline: Bool { self == .multiline || self == .list }

    /// True if its value is a list.
    package var isList: Bool { self == .choices || self == .list }

    /// True if white space at both ends is dropped unless the field says otherwise: a keyboard adds it, and no value of
    /// this kind has it.
    var trims: Bool { [.email, .url, .tel, .number, .integer, .date, .time, .dateTime, .list].contains(self) }

    /// True if the field offers `options`.
    package var offersOptions: Bool { self == .choice || self == .choices }

    /// The input of a field of this kind until a person fills it in.
    package var emptyInput: Input {
      switch self {
      case .choices, .list: .choices([])
      case .boolean: .text("false")
      default: .text("")
      }
    }

    /// The rule that every field of this kind has, whether it is written or not; or `nil` if there is none.
    func impliedRule(options: [Option], international: Bool) -> Rule? {
      switch self {
      case .email: international ? .internationalEmail : .email
      case .url: .url
      case .integer: .integer
      case .number, .slider: .number
      case .date: .date
      case .time: .time
      case .dateTime: .dateTime
      case .choice, .choices: .oneOf(options.map(\.value))
      case .list: .count(max: Field.itemLimit)
      case .text, .multiline, .tel, .password, .search, .boolean: nil
      }
    }
  }
}
