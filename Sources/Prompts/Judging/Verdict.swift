/// Whether an input is valid, and if not, which rule failed and what to say.
///
/// A wrong answer by a person is a value, never an error.
public enum Verdict: Sendable {
  case valid
  /// The failed rule's name, and a sentence that says what to do.
  case invalid(rule: String, message: String)

  public var isValid: Bool { if case .valid = self { true } else { false } }

  /// What to say; nil for a valid input.
  public var message: String? {
    if case .invalid(_, let message) = self { message } else { nil }
  }
}

/// The verdicts on a dialog's fields, in the fields' order.
public struct Verdicts: Sendable {
  public let entries: [(field: String, verdict: Verdict)]

  public var isValid: Bool { entries.allSatisfy { $0.verdict.isValid } }

  /// What the first invalid field says; nil if all are valid.
  public var message: String? {
    for entry in entries { if let message = entry.verdict.message { return message } }
    return nil
  }

  public subscript(field: String) -> Verdict? { entries.first { isSame($0.field, field) }?.verdict }
}

/// What judging comes to: verdicts, or questions that must be answered first.
public enum Judgement: Sendable {
  case decided(Verdicts)
  case needs([PredicateQuestion])
}
