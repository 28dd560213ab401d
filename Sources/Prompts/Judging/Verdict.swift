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
