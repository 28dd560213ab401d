internal import StrictJSON

/// What one kind of rule does: reads its arguments, judges an input, writes itself as JSON.
///
/// Each kind is a type in a file of its own and stands once in `Rule.catalogue`.
protocol Condition: Sendable {
  /// The rule's name in definitions, JSON and verdicts.
  static var name: String { get }
  /// The keys of its arguments.
  static var keys: [String] { get }
  /// The argument that may stand alone, as the text in `pattern: '…'`; nil: the arguments are a map.
  static var shorthand: String? { get }
  /// Whether it makes no sense without arguments; false: the rule may be a bare word, or have `true` as its value.
  static var needsArguments: Bool { get }
  /// Whether it can judge the list of a `choices` field.
  static var judgesChoices: Bool { get }

  /// Reads the arguments; nil where a fault was reported.
  init?(_ arguments: Mapping, _ reading: inout Reading)

  func judge(_ input: Input, in context: Context) -> Finding

  /// At most what `judge` costs; see `WorkBudget`.
  func work(on size: InputSize) -> Int

  /// Writes the arguments as members of the rule's object.
  func write(to json: inout JSONWriter, for reader: Audience)

  /// What to say when it fails and the definition has no message of its own.
  func sentence(for reader: Audience) -> Sentence

  /// Whether its sentence also depends on the field it stands in, or on others; false: on its arguments alone.
  var addressesReader: Bool { get }

  /// Who decides it; `.server` if a browser could not, or not in bounded time.
  func decidedBy(on premise: Premise) -> DecidedBy

  /// Adds what is known of a text that meets it.
  func narrow(_ premise: inout Premise)

  /// The rules inside this one.
  var inner: [Rule] { get }

  /// The name of another field that it looks at; nil: it looks at the text alone.
  var reference: String? { get }

  /// The same as JSON Schema, saying it for every text; nil: JSON Schema cannot.
  func schema(of texts: SentTexts) -> JSON?

  /// What is wrong with it in this place of a definition, where `reference` is a field; nil: nothing.
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
  var addressesReader: Bool { false }
  func decidedBy(on premise: Premise) -> DecidedBy { .everywhere }
  func narrow(_ premise: inout Premise) {}
  var inner: [Rule] { [] }
  var reference: String? { nil }
  func schema(of texts: SentTexts) -> JSON? { nil }
  func fault(in field: Field, of fields: [Field]) -> (what: String, remedy: String)? { nil }
}

/// A condition on the text alone.
protocol TextCondition: Condition {
  func isMet(by text: String) -> Bool
}

extension JSONWriter {
  /// Rules that judge in this order, each only if those before it are met.
  mutating func rules(_ rules: [Rule], for reader: Audience) {
    var reader = reader
    array(rules) { json, rule in
      rule.write(to: &json, for: reader)
      rule.condition.narrow(&reader.premise)
    }
  }
}

extension TextCondition {
  func judge(_ input: Input, in context: Context) -> Finding {
    if case .text(let text) = input, isMet(by: text) { .met } else { .unmet(nil) }
  }
}

/// Whom a rule is written for: in which language, for which field, behind which other rules.
struct Audience: Sendable {
  let sentences: Sentences
  var field: Field?
  let fields: [Field]
  var premise = Premise()

  /// What a person calls the field of that name.
  func label(of name: String) -> String { fields.named(name)?.label ?? name }
}
