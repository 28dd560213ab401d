internal import Asks
internal import Prompts

/// A target that a person can answer: a prompt on offer, or the question behind a link.
protocol Answerable: Sendable {
  /// In the language that the person wants.
  var dialog: Dialog { get }
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
  var edition: Edition { dialog.edition }
  var prompt: Prompt { edition.prompt }
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
  /// True if the person's browser goes on to the last page once the answer is kept.
  var goesOn = false
}

/// Finds what a visitor may see and answer. No handler gets a prompt or a question in another way.
struct Targets: Sendable {
  let prompts: PromptService
  let asks: AskService
  let admission: Admission

  /// The prompt on offer of this name, in the language that the visitor wants.
  ///
  /// - Throws: `Problem` 404 that suggests the nearest name, 401 or 403 if the visitor may not answer it.
  func prompt(_ name: String, for visit: Visit) throws(Problem) -> OfferedPrompt {
    let published = try prompts.registry.prompt(name).inLanguage(of: visit.request)
    let by = try admission.admit(visit.visitor.by, to: published.edition.authored.answerers)
    return OfferedPrompt(published, asks, by: by)
  }

  /// The prompts on offer that the visitor may answer, by name.
  func prompts(for visit: Visit) -> [PublishedPrompt] {
    prompts.registry.current.sorted.filter { published in
      (try? admission.admit(visit.visitor.by, to: published.edition.authored.answerers)) != nil
    }
  }

  /// The question that the visitor's link leads to.
  ///
  /// - Throws: `Problem` 404 for an unknown link, 401 or 403 if the visitor may not answer it.
  func ask(for visit: Visit) async throws(Problem) -> LinkedAsk {
    let text = visit.request.segment("token") ?? ""
    guard let token = LinkToken(text), let ask = try await asks.withStore({ try await $0.ask(linkedBy: token) })
    else { throw Problem(.unknownLink) }
    let edition = try await asks.edition(of: ask, for: visit)
    let by = try admission.admit(visit.visitor.by, to: edition.authored.answerers, of: ask)
    // Decided again when it is answered.
    guard try await asks.withStore({ try await $0.mayBeAnswered(ask, by: by.person) }) else {
      throw Problem(.notForYou)
    }
    return LinkedAsk(ask, edition, linkedBy: text, by: by, asks, prompts.registry.current)
  }
}
