internal import Asks
internal import MicroHTTP
internal import Prompts

/// The question that a link leads to, open or not. Only POST answers it.
struct LinkedAsk: ShownAnswerable {
  private let asks: AskService
  private let ask: Ask
  /// The definition it was made with, in the language that the person wants.
  let published: PublishedPrompt
  let by: Ended.By

  /// - Parameters:
  ///   - edition: the ask's prompt in the language that the person wants.
  ///   - token: the link's, as text.
  ///   - by: who would answer it.
  init(_ ask: Ask, _ edition: Edition, linkedBy token: String, by: Ended.By, _ asks: AskService) {
    self.asks = asks
    self.ask = ask
    self.by = by
    let pages = asks.registry.pages
    var address = pages.address(page: "/a/\(token)", validate: "/a/\(token)/validate", in: edition)
    // A second later, the time is over by every clock.
    // A browser's timers have 31 bits of milliseconds.
    address.secondsLeft = min((ask.expiresAt.milliseconds - asks.store.clock.now.milliseconds) / 1000 + 1, 2_000_000)
    address.askedBy = ask.terms.askedBy
    address.requestedBy = ask.terms.requestedBy
    address.isForSome = !ask.terms.answerers.only.isEmpty
    published = PublishedPrompt(
      edition, at: address, on: pages, named: ask.prompt ?? "", version: ask.id.description)
  }

  var initial: Inputs {
    get throws(Problem) {
      let given = try given
      return Inputs(prompt.fields.map { ($0.name, given[$0.name] ?? $0.value) })
    }
  }

  var proposed: Inputs? { get throws(Problem) { proposed(try given, isOwn: ask.prompt == nil) } }

  private var given: Inputs {
    get throws(Problem) {
      let values = try asks.reading { try JSON(parsing: try asks.store.secrets.open(ask.values), limits: .file) }
      return try Problem.reading { Inputs(Node(values), of: prompt.fields, isInitial: true, &$0) }
    }
  }

  func response(with document: Document, to visit: Visit) throws(Problem) -> Eventual<Response> {
    let values = document == .page || document == .definition ? try initial : nil
    return try response(making: document, holding: values, for: visit, asks.judging)
  }

  var obstacle: Problem? { ask.closed.map(hasEnded) }

  private func hasEnded(_ closed: ClosedAsk) -> Problem {
    var problem =
      switch closed.outcome {
      case .expired: Problem("ended.expired")
      case .withdrawn: Problem("ended.withdrawn")
      case .ok, .cancel, .action: Problem("ended")
      }
    // The page that says so is in the language of the question.
    (problem.outcome, problem.language) = (closed.outcome.rawValue, edition.language)
    problem.by = try? asks.store.secrets.author(of: closed)
    problem.afterwards = afterwards(closed)
    return problem
  }

  /// What came of the answer, or `nil` if there was none.
  private func afterwards(_ closed: ClosedAsk) -> Pages.Afterwards? {
    guard closed.wasAnswered else { return nil }
    let result = try? asks.store.secrets.result(of: closed, at: asks.store.clock.now)
    let afterwards = Pages.Afterwards(result, isAwaited: closed.resultWithin != nil)
    // A server of one question waits until its page has shown the result.
    asks.storage.pendingRedirects.follow(isOver: !afterwards.isOpen || closed.resultWithin == nil)
    return afterwards
  }

  func keep(_ ended: Ended, _ terms: AnswerTerms) -> Eventual<Ended> {
    .later { () throws(Problem) in
      // The redirect is announced first: a server that only waits for this answer stops once it is kept.
      var isClosed = false
      if terms.followsRedirect { asks.storage.pendingRedirects.promise() }
      defer { if terms.followsRedirect, !isClosed { asks.storage.pendingRedirects.keep(isFetched: false) } }
      switch try await asks.withStore({ try await $0.close(ask, as: ended, idempotency: terms.key) }) {
      case .closed:
        isClosed = true
        var ended = ended
        ended.id = ask.id.description
        return ended
      case .alreadyClosed(let closed):
        guard let first = try self.ended(closed, keptWith: terms.key) else { throw hasEnded(closed) }
        return first
      case .notAllowed: throw Problem("not-for-you")
      case .stillOpen, .unknown: throw Problem("unknown-link")
      }
    }
  }

  func ended(keptWith key: IdempotencyKey) -> Eventual<Ended?> {
    .later { () throws(Problem) in
      try ask.closed.flatMap { (closed) throws(Problem) in try ended(closed, keptWith: key) }
    }
  }

  private func ended(_ closed: ClosedAsk, keptWith key: IdempotencyKey?) throws(Problem) -> Ended? {
    try key.flatMap { (key) throws(Problem) in try asks.reading { try asks.store.secrets.ended(closed, by: key) } }
  }

  func lastPage(after ending: Outcome.Kind?) throws(Problem) -> LastPage {
    guard let closed = ask.closed else { throw Problem("not-found.no-answer", ["page": published.address.submit]) }
    guard let ending, closed.outcome == ending else { throw hasEnded(closed) }
    asks.storage.pendingRedirects.keep(isFetched: true)
    return LastPage(ending: ending, afterwards: afterwards(closed))
  }
}
