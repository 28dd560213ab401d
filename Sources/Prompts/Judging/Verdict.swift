/// Whether an input is valid; if not, which rule failed and what to say.
///
/// A wrong answer is a value, never an error.
public enum Verdict: Sendable {
  case valid
  /// The failed rule's name, and a sentence that says what to do.
  case invalid(rule: String, message: String)

  /// Whether every rule is met.
  public var isValid: Bool { if case .valid = self { true } else { false } }

  /// What to say, or `nil` for a valid input.
  public var message: String? {
    if case .invalid(_, let message) = self { message } else { nil }
  }
}

/// The verdicts on a dialog's fields, in the fields' order.
public struct Verdicts: Sendable {
  /// Why a field is not valid.
  enum Reason: Sendable {
    /// It does not meet this rule, whose message is put together only if somebody wants it.
    case rule(Rule)
    /// It does not meet a rule of this name, and this is to be said.
    case told(rule: String, message: String)
  }

  private let fields: [Field]
  /// Which fields were judged, or `nil` for all.
  private let judged: [Int]?
  /// The fields that are not valid, in the fields' order.
  private let failures: [(field: Int, reason: Reason)]
  private let sentences: Sentences
  /// Whether the action that was chosen does not apply to what was entered, so that nothing was judged.
  package let refusesAction: Bool

  init(
    on fields: [Field], only judged: [Int]?, failures: [(field: Int, reason: Reason)], refusesAction: Bool = false,
    in sentences: Sentences = .english
  ) {
    (self.fields, self.judged, self.failures, self.sentences) = (fields, judged, failures, sentences)
    self.refusesAction = refusesAction
  }

  /// Every judged field's name and verdict. A field that does not apply was not judged.
  public var entries: [(field: String, verdict: Verdict)] {
    (judged ?? Array(fields.indices)).map { index in
      guard let failure = failures.first(where: { $0.field == index }) else { return (fields[index].name, .valid) }
      return told(failure) { field, rule, message in (field, .invalid(rule: rule, message: message)) }
    }
  }

  /// What `body` makes of a failure: the field's name, the failed rule's name, and what to say.
  private func told<Result>(
    _ failure: (field: Int, reason: Reason), _ body: (_ field: String, _ rule: String, _ message: String) -> Result
  ) -> Result {
    let field = fields[failure.field]
    switch failure.reason {
    case .rule(let rule):
      let message =
        rule.message(in: sentences)
        ?? rule.message(for: Audience(sentences: sentences, field: field, fields: fields))
      return body(field.name, rule.name, message)
    case .told(let rule, let message): return body(field.name, rule, message)
    }
  }

  /// Whether every judged field is valid.
  public var isValid: Bool { failures.isEmpty }

  /// What the first invalid field says, or `nil` if all are valid.
  package var message: String? { isValid ? nil : told(failures[0]) { $2 } }

  /// If a single field is invalid, its place among the prompt's fields and the rule that it fails. What is said of it then
  /// depends on nothing else. `nil` for any others, and if what is said is not the rule's own message.
  package var onlyFailure: (field: Int, rule: Rule)? {
    guard failures.count == 1, case .rule(let rule) = failures[0].reason else { return nil }
    return (failures[0].field, rule)
  }

  /// Calls `body` for each invalid field, with the failed rule's name and what to say.
  package func forEachInvalid(_ body: (_ field: String, _ rule: String, _ message: String) -> Void) {
    for failure in failures { told(failure, body) }
  }

  /// The values of the inputs that were judged, if all are valid.
  package func values(of inputs: Inputs) -> Values {
    Values(
      (judged ?? Array(fields.indices)).map { fields[$0] }.compactMap { field in
        Value(inputs.normalized(for: field), of: field).map { (field.name, $0) }
      })
  }

  /// The verdict on a field, or `nil` if no such field was judged.
  public subscript(field: String) -> Verdict? { entries.first { isSame($0.field, field) }?.verdict }
}

/// What judging a dialog comes to.
package enum Judgement: Sendable {
  case decided(Verdicts)
  /// Asynchronous predicates have to be asked first.
  case needs([PredicateQuestion])
}

/// What a rule finds of an input. The message is put together only for the rule that decides.
enum Finding: Sendable {
  case met
  /// The rule that failed, which may be one inside the rule that was judged, and what its predicate says, if it does.
  case unmet(Rule, saying: String? = nil)
  /// What the rule `text` says of it.
  indirect case malformed(Sentence)
  /// A predicate could not be checked: neither met nor unmet, and never valid.
  case unchecked
  /// Undecided until an asynchronous predicate is asked.
  indirect case pending(PredicateQuestion)

  /// Why the input is not valid, or `nil` if it is. What is still undecided was not checked.
  func reason(in sentences: Sentences) -> Verdicts.Reason? {
    switch self {
    case .met: nil
    case .unmet(let rule, saying: nil): .rule(rule)
    case .unmet(let rule, let said?): .told(rule: rule.name, message: said)
    case .malformed(let fault): .told(rule: TextRule.name, message: sentences(fault))
    case .unchecked, .pending: .told(rule: PredicateRule.name, message: sentences(.unchecked))
    }
  }
}

/// What a rule may look at besides the text: the other fields, the predicates, the language.
struct Context: Sendable {
  let sentences: Sentences
  /// When it is judged; read once for all fields.
  let now: Timestamp
  let predicates: Predicates
  /// All fields of the dialog; none if a text is judged by itself.
  var fields: [Field] = []
  /// Which of the fields is judged, or `nil` if a text is judged by itself.
  var index: Int?
  /// The inputs as they were sent, by name; a field that is not among them is empty.
  var inputs = Inputs()
  /// What asynchronous predicates said.
  var known: [PredicateQuestion: PredicateResult] = [:]
  /// The field with which all texts together are too long, or `nil` if they are not.
  var overflow: TextRule.Overflow?
  /// Whether the rules say if a field applies. `oneOf` then means that one of its values is chosen.
  var isCondition = false
  /// Asked before each rule whether nobody waits for the verdict any more; or `nil` if that is not to be asked.
  var isCancelled: (@Sendable () -> Bool)?

  /// The field that is judged, or `nil` if a text is judged by itself.
  var field: Field? { index.map { fields[$0] } }

  /// Whom a message is written for.
  var audience: Audience { Audience(sentences: sentences, field: field, fields: fields) }

  /// Another field's input, normalised as that field wants it; or `nil` if there is no such field.
  func input(of name: String) -> Input? { fields.named(name).map(inputs.normalized) }
}
