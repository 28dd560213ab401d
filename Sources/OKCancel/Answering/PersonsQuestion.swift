package import Prompts

/// A question as the person who answers it sees it.
package protocol PersonsQuestion: Sendable {
  /// The dialog, in the person's language.
  ///
  /// - Throws: like the others, `AskFault` or `HasEnded`.
  func prompt() async throws -> Prompt

  /// Judges each field that applies.
  func verdicts(on inputs: Inputs, of fields: [Field]) async throws -> [String: Verdict]

  /// Answers it.
  ///
  /// - Parameters:
  ///   - action: of an action's button, or `nil`.
  ///   - inputs: of the fields or, for Cancel, the reason if one is asked for.
  func answer(
    _ outcome: Outcome.Kind, action: String?, _ inputs: Inputs, of fields: [Field]
  ) async throws -> AnswerReply
}

/// What a person gets for an answer.
package enum AnswerReply: Sendable {
  case ended(Ended)
  /// The verdicts on the fields.
  case refused([String: Verdict])
}

/// Somebody has answered already, or time was up.
package struct HasEnded: Error {
  package let outcome: Outcome.Kind
}
