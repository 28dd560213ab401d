/// The verdict on an input: valid, or the rule that failed and its message.
///
/// A wrong answer is a value, never an error. As JSON it is what `POST /validate` returns:
/// `{"isValid":false,"rule":"nonEmpty","message":"…"}`.
public enum Verdict: Sendable, Hashable {
  /// Every rule is met.
  case valid
  /// The failed rule's name, and a sentence that says what to do.
  case invalid(rule: String, message: String)

  /// True if every rule is met.
  public var isValid: Bool { if case .valid = self { true } else { false } }

  /// The message, or `nil` for a valid input.
  public var message: String? {
    if case .invalid(_, let message) = self { message } else { nil }
  }
}

extension Verdict: Codable {
  private struct Members: Codable {
    let isValid: Bool
    var rule, message: String?
  }

  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let members = try Members(from: decoder)
    self = members.isValid ? .valid : .invalid(rule: members.rule ?? "", message: members.message ?? "")
  }

  /// - Throws: `EncodingError`.
  public func encode(to encoder: any Encoder) throws {
    var members = Members(isValid: isValid)
    if case .invalid(let rule, let message) = self { (members.rule, members.message) = (rule, message) }
    try members.encode(to: encoder)
  }
}

/// The result of judging a dialog.
package enum Judgement: Sendable {
  case decided(Verdicts)
  /// Asynchronous predicates have to be asked first.
  case needs([PredicateQuestion])
}

/// The result of judging an input by a rule. The message is composed only for the rule that decides.
enum Finding: Sendable {
  case met
  /// The rule that failed, which may be nested inside the rule that was judged, and its predicate's message, if any.
  case unmet(Rule, saying: String? = nil)
  /// The same of a list's item on this line.
  indirect case unmetOnLine(Int, Finding)
  /// The message of the rule `text`.
  indirect case malformed(Sentence)
  /// A predicate could not be checked: neither met nor unmet, and never valid.
  case unchecked
  /// Undecided until an asynchronous predicate is asked.
  indirect case pending(PredicateQuestion)

  /// The verdict on the input. A finding that is still pending means that the input could not be checked.
  ///
  /// - Parameter message: what a rule says that failed.
  func verdict(in sentences: Sentences, _ message: (Rule) -> String) -> Verdict {
    switch self {
    case .met: .valid
    case .unmet(let rule, let own): .invalid(rule: rule.name, message: own ?? message(rule))
    case .unmetOnLine(let line, let finding):
      switch finding.verdict(in: sentences, message) {
      case .valid: .valid
      case .invalid(let rule, let message): .invalid(rule: rule, message: sentences.onLine(line, message))
      }
    case .malformed(let fault): .invalid(rule: TextRule.name, message: sentences(fault))
    case .unchecked, .pending: .invalid(rule: PredicateRule.name, message: sentences(.unchecked))
    }
  }
}

/// The verdicts on a dialog's fields, in the fields' order.
public struct Verdicts: Sendable {
  /// Every judged field's name and verdict. A field that does not apply was not judged.
  public let entries: [(field: String, verdict: Verdict)]
  /// The dialog's fields.
  private let fields: [Field]
  /// The paths of the objects that every answer has; see `Prompt.objects`.
  private let objects: [[String]]
  /// True if the chosen action does not apply to these inputs, so that nothing was judged.
  package let refusesAction: Bool
  /// The values of inputs that `Prompt.verdicts` found valid, as a program gets them; `nil` if one is not.
  public internal(set) var values: Values?

  /// - Parameter prompt: the dialog, with all its fields. The entries are in the same order.
  init(_ entries: [(field: String, verdict: Verdict)], of prompt: Prompt, refusesAction: Bool = false) {
    self.entries = entries
    (fields, objects) = (prompt.fields, prompt.objects)
    self.refusesAction = refusesAction
  }

  /// True if every judged field is valid.
  public var isValid: Bool { entries.allSatisfy(\.verdict.isValid) }

  /// The message of the first invalid field, or `nil` if all are valid.
  public var message: String? { entries.lazy.compactMap(\.verdict.message).first }

  /// The place of a field's value in an answer, as a JSON pointer.
  package func pointer(to field: String) -> String { JSONPointer.text(fields.named(field)?.path ?? [field]) }

  /// Calls `body` for each invalid field, with the failed rule's name and what to say.
  package func forEachInvalid(_ body: (_ field: String, _ rule: String, _ message: String) -> Void) {
    for case (let field, .invalid(let rule, let message)) in entries { body(field, rule, message) }
  }

  /// The values of the inputs that were judged, if all are valid.
  package func values(of inputs: Inputs) -> Values {
    Values(
      placing: entries.compactMap { entry in
        guard let field = fields.named(entry.field), let value = Value(inputs.normalized(for: field), of: field)
        else { return nil }
        return (field.path, value)
      }, keeping: objects)
  }

  /// The places of values that are not those that were proposed, as JSON pointers. A value is not what was proposed either
  /// if its field does not apply. Of several fields in one place, that which applies holds it, then and now.
  package func changed(_ inputs: Inputs, from proposed: Inputs) -> [String] {
    func value(_ input: Input, of field: Field) -> Value? {
      // A form sends what is chosen in the order of the options.
      if field.kind == .choices { return .choices(input.texts.sorted()) }
      return Value(input, of: field)
    }
    func chosen(in tag: Field) -> String { (proposed[tag.name] ?? tag.value).normalized(for: tag).text ?? "" }
    let isShared = fields.sharePlaces
    return fields.filter { field in
      let sharing = isShared ? fields.filter { $0.at == field.at } : [field]
      let holder = sharing.first { one in entries.contains { isSame($0.field, one.name) } }
      let first = sharing.first { one in fields.mayApply(one) { chosen(in: fields[$0]) } } ?? holder ?? sharing[0]
      guard sharing.count == 1 || isSame(first.name, field.name), let before = proposed[field.name] else {
        return false
      }
      guard let holder else { return true }
      return value(inputs.normalized(for: holder), of: holder) != value(before.normalized(for: field), of: field)
    }.map { JSONPointer.text($0.path) }
  }

  /// The verdict on a field, or `nil` if no such field was judged.
  public subscript(field: String) -> Verdict? { entries.first { isSame($0.field, field) }?.verdict }
}
