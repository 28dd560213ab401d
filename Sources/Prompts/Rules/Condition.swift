internal import StrictJSON

/// What one kind of rule does: reads its arguments, judges an input, writes itself as JSON.
///
/// Each kind is a type in this folder, and is listed once in `Rule.catalogue`.
protocol Condition: Sendable {
  /// The rule's name in definitions, JSON and verdicts.
  static var name: String { get }
  /// The keys of its arguments.
  static var keys: [String] { get }
  /// The argument that may be given without its key, as in `pattern: '…'`; or `nil` if the arguments are always a map.
  static var shorthand: String? { get }
  /// Whether it makes no sense without arguments. If it does, the rule may be a bare word, or have `true` as its value.
  static var needsArguments: Bool { get }
  /// Whether it can judge the list of a `choices` field.
  static var judgesChoices: Bool { get }

  /// Reads the arguments; `nil` if a fault was reported.
  init?(_ arguments: Mapping, _ reading: inout Reading)

  /// - Parameter rule: the rule that has this condition, and that fails if it is not met.
  func judge(_ input: Input, of rule: Rule, in context: Context) -> Finding

  /// At most what `judge` costs; see `WorkBudget`.
  func work(on size: InputSize) -> Int

  /// Writes the arguments as members of the rule's object.
  func write(to json: inout JSONWriter, for reader: Audience)

  /// What to say when it fails and the definition has no message of its own.
  func sentence(for reader: Audience) -> Sentence

  /// Whether its sentence depends on more than its arguments: on its field, or on others.
  var dependsOnField: Bool { get }

  /// Whether what it says depends on when it judges, so that the finding brings its sentence.
  var messageDependsOnTime: Bool { get }

  /// Who decides it; `.server` if a browser could not, or not in bounded time.
  func decidedBy(on premise: Premise) -> DecidedBy

  /// Adds what is known of a text that meets it.
  func narrow(_ premise: inout Premise)

  /// The same as JSON Schema, if that says it for every text; otherwise `nil`.
  func schema(of texts: SentTexts) -> JSON?

  /// What is wrong with it in this place of a definition, where the field that it looks at is there; or `nil`.
  func fault(in field: Field, of fields: [Field]) -> (what: String, remedy: String)?
}

extension Condition {
  static var keys: [String] { [] }
  static var shorthand: String? { nil }
  static var needsArguments: Bool { !keys.isEmpty }
  static var judgesChoices: Bool { false }
  /// Most rules look at each byte once or twice; the rest is the message of one that fails.
  func work(on size: InputSize) -> Int { 2_000 + 5 * size.bytes }
  func write(to json: inout JSONWriter, for reader: Audience) {}
  var dependsOnField: Bool { false }
  var messageDependsOnTime: Bool { false }
  func decidedBy(on premise: Premise) -> DecidedBy { .everywhere }
  func narrow(_ premise: inout Premise) {}
  func schema(of texts: SentTexts) -> JSON? { nil }
  func fault(in field: Field, of fields: [Field]) -> (what: String, remedy: String)? { nil }
}

/// A condition that only looks at the text.
protocol TextCondition: Condition {
  func isMet(by text: String) -> Bool
}

extension TextCondition {
  func judge(_ input: Input, of rule: Rule, in context: Context) -> Finding {
    if case .text(let text) = input, isMet(by: text) { .met } else { .unmet(rule) }
  }
}

/// A condition that looks at another field, of this name.
protocol FieldCondition: Condition {
  var field: String { get }
}

/// A condition without arguments.
protocol PlainCondition: Condition {
  init()
}

extension PlainCondition {
  init?(_ arguments: Mapping, _ reading: inout Reading) { self.init() }
}

/// Whom a rule is written for: in which language, for which field, after which other rules.
struct Audience: Sendable {
  let sentences: Sentences
  var field: Field?
  var fields: [Field] = []
  var premise = Premise()
  /// Whether rules are written with what they say when they are not met.
  var includesMessages = true
  /// Whether it is written for its author, who gets messages back only where they are the author's own.
  var isAuthor = false

  /// What a person calls the field of that name.
  func label(of name: String) -> String { fields.named(name)?.label ?? name }
}
