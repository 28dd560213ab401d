internal import Asks
internal import Prompts

/// A target that a person can answer: a standing prompt, or the question behind a link.
protocol Answerable: Sendable {
  /// In the language that the person wants.
  var edition: Edition { get }
  /// The initial value of every field.
  var initial: Inputs { get throws(Problem) }
  /// The values that the program proposes, or `nil` if it proposes none.
  var proposed: Inputs? { get throws(Problem) }
  /// Who would answer it, and how that is known.
  var by: Ended.By { get }
  /// The problem of answering it now, or `nil` while it can be answered.
  var obstacle: Problem? { get }
  /// Keeps how the dialog has ended, and returns that with what proves it to a backend. What is kept is on the disk when
  /// this returns.
  func keep(_ ended: Ended, _ terms: AnswerTerms) -> Eventual<Ended>
  /// Finds the end that an earlier answer with this key has kept, or `nil` if there is none.
  func ended(keptWith key: IdempotencyKey) -> Eventual<Ended?>
}

extension Answerable {
  var prompt: Prompt { edition.prompt }
  var proposed: Inputs? { nil }

  /// The values that an ask proposes: those given beside its prompt, and those of a definition of its own.
  func proposed(_ given: Inputs, isOwn: Bool) -> Inputs? {
    let own = prompt.fields.filter { $0.value.shown != $0.kind.emptyInput.shown && given[$0.name] == nil }
    let all = given.entries + (isOwn ? own.map { ($0.name, $0.value) } : [])
    return all.isEmpty ? nil : Inputs(all)
  }
  var initial: Inputs { get throws(Problem) { Inputs(prompt.fields.map { ($0.name, $0.value) }) } }
}

/// The terms of an answer, beside its values.
struct AnswerTerms: Sendable {
  /// True if the answer is to have a receipt: a proof that a backend can check.
  var wantsReceipt = false
  /// The subject of the answer, given by the page that asks, or `nil` if it gives none.
  var subject: String?
  /// The idempotency key, by which a retry of the same answer is recognized, or `nil` if it has none. With another
  /// subject, or with a receipt instead of without one, it is another answer.
  var key: IdempotencyKey?
  /// True if the person's browser follows a redirect to the last page once the answer is kept.
  var followsRedirect = false
}
