internal import StrictJSON
internal import Synchronization

/// A condition on what a person enters, and what to say when it is not met.
///
/// ```swift
/// let rules = [Rule.nonEmpty.saying("Enter your email address"), try .pattern(#".+@.+\..+"#)]
/// rules[1].isValid("bob@gmail")  // false
/// ```
///
/// It never changes. As a class it is handed on by one reference, whatever the condition holds.
public final class Rule: Sendable {
  let condition: any Condition
  /// What to say when it fails; nil: a sentence of our own that says what to do.
  public let message: String?
  /// The sentence of our own in the language that asked first, where it is the same for every reader of that language.
  private let spoken = AtomicLazyReference<Spoken>()

  init(any condition: any Condition, message: String?) {
    self.condition = if let message, let all = condition as? AllRule { all.inheriting(message) } else { condition }
    self.message = message
  }

  convenience init(_ condition: some Condition, message: String? = nil) {
    self.init(any: condition, message: message)
  }

  /// The rule's name, as in `nonEmpty`.
  public var name: String { type(of: condition).name }

  /// The same rule with a message of its own.
  public func saying(_ message: String) -> Rule { Rule(any: condition, message: message) }

  /// Whether a text meets this rule, by itself: no field, no server. Predicates other than the
  /// built-in ones cannot be checked here and count as not met.
  public func isValid(_ text: String) -> Bool { [self].verdict(on: .text(text)).isValid }

  /// Who decides this rule if it stands by itself: a browser too, or only the server.
  package var decidedBy: DecidedBy { decidedBy(on: Premise()) }

  /// Whether browsers decide it too if no text is longer than so many code points.
  package func isDecidedByBrowsers(upTo longestText: Int) -> Bool {
    var premise = Premise()
    premise.limit(to: longestText)
    return decidedBy(on: premise) == .everywhere
  }

  func decidedBy(on premise: Premise) -> DecidedBy { condition.decidedBy(on: premise) }

  func judge(_ input: Input, in context: Context) -> Finding {
    if let isCancelled = context.isCancelled, isCancelled() { return .unchecked }
    let finding = condition.judge(input, in: context)
    guard case .unmet(nil) = finding else { return finding }
    return .unmet(Finding.Failure(rule: name, message: message(in: context.sentences, for: context.audience)))
  }

  func message(for reader: Audience) -> String { message(in: reader.sentences, for: reader) }

  /// - Parameter reader: who reads these sentences; asked for only where the words are not known yet.
  func message(in sentences: Sentences, for reader: @autoclosure () -> Audience) -> String {
    if let message { return message }
    if let spoken = spoken.load(), spoken.sentences.isSame(as: sentences) { return spoken.text }
    let text = sentences(condition.sentence(for: reader()))
    if !condition.addressesReader { _ = spoken.storeIfNil(Spoken(sentences: sentences, text: text)) }
    return text
  }

  private final class Spoken: Sendable {
    let sentences: Sentences
    let text: String

    init(sentences: Sentences, text: String) { (self.sentences, self.text) = (sentences, text) }
  }

  /// Who decides each of these rules, which judge in this order, each only if those before it are met.
  package static func decidedBy(_ rules: [Rule]) -> [DecidedBy] { decidedBy(rules, on: Premise()) }

  static func decidedBy(_ rules: [Rule], on premise: Premise) -> [DecidedBy] {
    var premise = premise
    return rules.map { rule in
      defer { rule.condition.narrow(&premise) }
      return rule.decidedBy(on: premise)
    }
  }

  /// Every rule in this one, itself first.
  var flattened: [Rule] { [self] + condition.inner.flatMap(\.flattened) }

  /// What is wrong with this rule in this place of a definition.
  ///
  /// - Parameter isKindKnown: false: the field's kind could not be read, so nothing is said of it.
  package func faults(
    in field: Field, of fields: [Field], isKindKnown: Bool = true
  ) -> [(what: String, remedy: String)] {
    flattened.compactMap { rule in
      let condition = rule.condition
      if let name = condition.reference, let fault = rule.missingField(name, besides: field, of: fields) {
        return fault
      }
      if !isKindKnown { return nil }
      if field.kind == .choices, !type(of: condition).judgesChoices {
        return ("`\(rule.name)` judges a text, but a `choices` field answers a list", "use `nonEmpty` or `count` here")
      }
      return condition.fault(in: field, of: fields)
    }
  }

  /// A fault if no other field of the prompt has this name.
  private func missingField(
    _ name: String, besides field: Field, of fields: [Field]
  ) -> (what: String, remedy: String)? {
    let others = fields.map(\.name).filter { !isSame($0, field.name) }
    if others.contains(where: { isSame($0, name) }) { return nil }
    if isSame(name, field.name) { return ("`\(self.name)` names its own field `\(name)`", "name another field") }
    return (
      "`\(self.name)` names no field of this prompt: `\(name)`",
      others.isEmpty ? "add the field, or remove the rule" : Nearest.remedy(for: name, among: others)
    )
  }

  /// What keeps this rule from judging a text by itself: it looks at another field, or asks a
  /// predicate that only a server with that prompt knows.
  package var standaloneFaults: [String] {
    flattened.compactMap { rule in
      switch rule.condition {
      case is SameAs, is Compare:
        "The rule `\(rule.name)` looks at another field; send {\"prompt\": ..., \"values\": {...}} instead."
      case let rule as PredicateRule where Predicates.builtInOnly[rule.predicate] == nil:
        "No predicate `\(rule.predicate)` is built in; only prompts of this server can ask its own."
      default: nil
      }
    }
  }

  /// Names of the predicates that this rule asks.
  package var predicates: [String] {
    flattened.compactMap { ($0.condition as? PredicateRule)?.predicate }
  }

  /// Writes the rule as served: flat, with `rule` as its name and its message resolved.
  func write(to json: inout JSONWriter, for reader: Audience) {
    json.object { json in
      json.member("rule", name)
      condition.write(to: &json, for: reader)
      if condition is AllRule {
        json.member("message", ifPresent: message)
      } else {
        json.member("message", message(for: reader))
      }
      if condition.inner.isEmpty, condition.decidedBy(on: reader.premise) == .server {
        json.member("decidedBy", DecidedBy.server.rawValue)
      }
    }
  }
}
