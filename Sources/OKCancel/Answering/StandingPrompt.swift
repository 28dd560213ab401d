internal import Asks
internal import MicroHTTP
internal import Prompts

/// A standing prompt. Whoever may answer it can do so again and again.
struct StandingPrompt: ShownAnswerable {
  /// In the language that the person wants.
  let published: PublishedPrompt
  let asks: AskService
  /// Who would answer it.
  let by: Ended.By

  func response(with document: Document, to visit: Visit) throws(Problem) -> Eventual<Response> {
    guard prompt.answerers.isEmpty else {
      return try response(making: document, for: visit, asks.judging).then { response in
        var response = response
        response.headers.append(("Cache-Control", "private, no-store"))
        return .now(response)
      }
    }
    // To make and compress a document takes longer than an event loop has time for.
    guard let kept = published.kept(document) else {
      if published.isLarge { try asks.judging.limiting.admit(visit.payer, as: .work) }
      return .later { () throws(Problem) in
        try await asks.judging.inBackground(for: visit.payer) { _ in published[document].response(to: visit.request) }
      }
    }
    return .now(kept.response(to: visit.request))
  }

  var obstacle: Problem? { nil }

  func keep(_ ended: Ended, _ terms: AnswerTerms) -> Eventual<Ended> {
    switch ended.outcome {
    case .ok, .action(_, _?), .cancelled(_?): break
    // What was not judged is not kept, so there is nothing to have a receipt for.
    case .action(_, nil), .cancelled(nil), .expired, .withdrawn: return .now(ended)
    }
    return .later { () throws(Problem) in
      var ended = ended
      ended.subject = terms.subject
      let receipt = terms.wantsReceipt ? Receipt() : nil
      let result = try await asks.withStore { [ended] store in
        try await store.append(
          ended, to: published.name, holdsPasswords: prompt.hasPasswordField, receipt: receipt,
          idempotency: terms.key)
      }
      if let earlier = try self.ended(result) { return earlier }
      ended.receipt = receipt?.description
      return ended
    }
  }

  func ended(keptWith key: IdempotencyKey) -> Eventual<Ended?> {
    .later { () throws(Problem) in
      let result = try await asks.withStore { try await $0.answer(keptWith: key, to: published.name) }
      return try result.flatMap { (result) throws(Problem) in try ended(result) }
    }
  }

  /// The answer that was kept before, or `nil` if this is the first.
  private func ended(_ result: AppendResult) throws(Problem) -> Ended? {
    switch result {
    case .kept: return nil
    case .existing(let answer, let receipt):
      var ended = try asks.reading { try answer.ended(openedWith: asks.store.secrets) }
      ended.receipt = receipt?.description
      return ended
    case .conflict: throw Problem("key-reused")
    }
  }

  func lastPage(after ending: Outcome.Kind?) throws(Problem) -> LastPage {
    guard let ending else { throw Problem("not-found.no-answer", ["page": published.address.submit]) }
    return LastPage(ending: ending, again: published.address.submit)
  }
}
