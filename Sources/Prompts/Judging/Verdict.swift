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
///
/// Most are valid: it holds the failures alone, and which fields were judged.
public struct Verdicts: Sendable {
  struct Failure: Sendable {
    /// Which of the dialog's fields.
    let index: Int
    let rule: String
    let message: String
  }

  private let fields: [Field]
  /// Which fields were judged; nil: all.
  private let judged: [Int]?
  /// In the fields' order, at most one of each.
  private let failures: [Failure]

  init(on fields: [Field], only judged: [Int]?, failures: [Failure]) {
    (self.fields, self.judged, self.failures) = (fields, judged, failures)
  }

  public var entries: [(field: String, verdict: Verdict)] {
    (judged ?? Array(fields.indices)).map { (fields[$0].name, verdict(at: $0)) }
  }

  public var isValid: Bool { failures.isEmpty }

  /// What the first invalid field says; nil if all are valid.
  public var message: String? { failures.first?.message }

  /// nil: no such field was judged.
  public subscript(field: String) -> Verdict? { entries.first { isSame($0.field, field) }?.verdict }

  private func verdict(at index: Int) -> Verdict {
    failures.first { $0.index == index }.map { .invalid(rule: $0.rule, message: $0.message) } ?? .valid
  }
}

/// What judging comes to: verdicts, or questions that must be answered first.
package enum Judgement: Sendable {
  case decided(Verdicts)
  case needs([PredicateQuestion])
}
