internal import Asks
internal import Prompts

/// What a person can answer: a prompt on offer, or the question behind a link.
protocol Answerable: Sendable {
  /// In the language that the person wants.
  var dialog: Dialog { get }
  /// Who would answer it, and how that is known.
  var by: Ended.By { get }
  /// Why it can no longer be answered, or `nil` while it can.
  var obstacle: Problem? { get }
  /// Keeps how the dialog has ended, and returns that with what proves it to a backend. What is kept is on the disk when
  /// this returns.
  func keep(_ ended: Ended, _ terms: AnswerTerms) -> Eventual<Ended>
  /// What an earlier answer with this key has kept, or `nil` if there is none.
  func ended(keptWith key: IdempotencyKey) -> Eventual<Ended?>
}

extension Answerable {
  var edition: Edition { dialog.edition }
  var prompt: Prompt { edition.prompt }
}

/// What comes with an answer, beside the values.
struct AnswerTerms: Sendable {
  /// Whether the answer is to have a receipt: a proof that a backend can check.
  var wantsReceipt = false
  /// What the page that asks says that the answer is about, or `nil` if that says nothing.
  var subject: String?
  /// The idempotency key, by which a retry of the same answer is recognized, or `nil` if it has none. With another
  /// subject, or with a receipt instead of without one, it is another answer.
  var key: IdempotencyKey?
  /// Whether the person's browser goes on to the last page once the answer is kept.
  var goesOn = false
}
