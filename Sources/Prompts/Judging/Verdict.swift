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
    /// It does not meet this one of its own rules, whose message is put together only if somebody wants it.
    case own(Int)
    /// The same of a rule that is inside another, or filters what is typed.
    case rule(Rule)
    /// It does not meet a rule of this name, and this is to be said.
    indirect case told(rule: String, message: String)
  }

  /// The fields that are not valid, in the fields' order, at most one reason for each.
  ///
  /// Nearly all fail one of their own rules. Two numbers say so, and the first few have room here: no memory is allocated,
  /// and no reference counted, as it would be in an array of reasons.
  struct Failures: Sendable {
    private struct Place {
      var field: Int32 = 0
      /// Which of the field's own rules, or, below zero, which of the other reasons, from -1 on.
      var rule: Int32 = 0
    }

    private(set) var count = 0
    private var first = InlineArray<4, Place>(repeating: Place())
    /// The places after the first, and the reasons that are not a field's own rules; `nil` if there are neither.
    private var more: (places: [Place], reasons: [Reason])?

    mutating func append(_ field: Int, _ reason: Reason) {
      var place = Place(field: Int32(field))
      if case .own(let rule) = reason {
        place.rule = Int32(rule)
      } else {
        more = more ?? ([], [])
        more?.reasons.append(reason)
        place.rule = -Int32(more?.reasons.count ?? 0)
      }
      if count < first.count {
        first[count] = place
      } else {
        more = more ?? ([], [])
        more?.places.append(place)
      }
      count += 1
    }

    /// - Parameter index: less than `count`.
    subscript(index: Int) -> (field: Int, reason: Reason) {
      let place = index < first.count ? first[index] : more?.places[index - first.count] ?? Place()
      let reason = place.rule < 0 ? more?.reasons[-Int(place.rule) - 1] : nil
      return (Int(place.field), reason ?? .own(Int(place.rule)))
    }
  }

  private let fields: [Field]
  /// Which fields were judged, or `nil` for all.
  private let judged: [Int]?
  private let failures: Failures
  private let sentences: Sentences
  /// Whether the action that was chosen does not apply to what was entered, so that nothing was judged.
  package private(set) var refusesAction = false

  init(on fields: [Field], only judged: [Int]?, failures: Failures, in sentences: Sentences = .english) {
    (self.fields, self.judged, self.failures, self.sentences) = (fields, judged, failures, sentences)
  }

  /// Nothing was judged, because the action does not apply.
  static func refusingAction(of fields: [Field]) -> Verdicts {
    var verdicts = Verdicts(on: fields, only: [], failures: Failures())
    verdicts.refusesAction = true
    return verdicts
  }

  /// Every judged field's name and verdict. A field that does not apply was not judged.
  public var entries: [(field: String, verdict: Verdict)] {
    let failed = (0..<failures.count).map { failures[$0] }
    return (judged ?? Array(fields.indices)).map { index in
      guard let failure = failed.first(where: { $0.field == index }) else { return (fields[index].name, .valid) }
      return told(failure) { field, rule, message in (field, .invalid(rule: rule, message: message)) }
    }
  }

  /// What `body` makes of a failure: the field's name, the failed rule's name, and what to say.
  private func told<Result>(
    _ failure: (field: Int, reason: Reason), _ body: (_ field: String, _ rule: String, _ message: String) -> Result
  ) -> Result {
    func told(_ field: Field, _ rule: Rule) -> Result {
      if let message = rule.message(in: sentences) { return body(field.name, rule.name, message) }
      return body(
        field.name, rule.name, rule.message(for: Audience(sentences: sentences, field: field, fields: fields)))
    }
    return fields.borrow(failure.field) { field in
      switch failure.reason {
      case .own(let index):
        return field.rules.borrow(index) { told(field, $0) }
      case .rule(let rule): return told(field, rule)
      case .told(let rule, let message): return body(field.name, rule, message)
      }
    }
  }

  /// Whether every judged field is valid.
  public var isValid: Bool { failures.count == 0 }

  /// What the first invalid field says, or `nil` if all are valid.
  package var message: String? { isValid ? nil : told(failures[0]) { $2 } }

  /// If a single field is invalid, its place among the prompt's fields and the rule that it fails. What is said of it then
  /// depends on nothing else. `nil` for any others, and if what is said is not the rule's own message.
  package var onlyFailure: (field: Int, rule: Rule)? {
    guard failures.count == 1 else { return nil }
    let failure = failures[0]
    switch failure.reason {
    case .own(let rule): return (failure.field, fields[failure.field].rules[rule])
    case .rule(let rule): return (failure.field, rule)
    case .told: return nil
    }
  }

  /// Calls `body` for each invalid field, with the failed rule's name and what to say.
  package func forEachInvalid(_ body: (_ field: String, _ rule: String, _ message: String) -> Void) {
    for index in 0..<failures.count { told(failures[index], body) }
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
  indirect case unusable(Sentence)
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
    case .unusable(let fault): .told(rule: TextRule.name, message: sentences(fault))
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
