internal import Asks
internal import MicroHTTP
internal import Pages
internal import Prompts
internal import StrictJSON

/// The question that a link leads to, open or not. Only POST answers it.
struct LinkedAsk: Answerable {
  private let asks: AskService
  private let pages: Pages
  private let ask: Ask
  /// The definition it was made with, in the language that the person wants.
  let judged: JudgedPrompt
  let address: Pages.Address

  /// - Throws: `Problem` 404 for a link that nobody made.
  init(in request: Request, among asks: AskService, _ pages: Pages) async throws(Problem) {
    let text = request.parameters["token"] ?? ""
    guard let token = LinkToken(text), let ask = try await asks.withStore({ try await $0.ask(linkedBy: token) })
    else { throw Problem(.unknownLink) }
    (self.asks, self.pages, self.ask) = (asks, pages, ask)
    judged = try await asks.judgedPrompt(of: ask, for: request)
    address = Pages.Address(page: "/a/\(text)", validate: "/a/\(text)/validate", in: judged.edition)
  }

  var rulesJSON: [UInt8] {
    var json = JSONWriter(reserving: 1024)
    edition.writeRules(to: &json, name: ask.prompt, version: ask.id.description)
    return json.bytes
  }

  var languageHeaders: [(name: String, value: String)] { [("Content-Language", edition.language.tag)] }

  /// What every field holds at first.
  private var initial: Inputs {
    get throws(Problem) {
      let values = try asks.reading { try JSON(parsing: try asks.store.secrets.values(of: ask), limits: .file) }
      let given = try Inputs(Node(values), of: prompt)
      return Inputs(prompt.fields.map { ($0.name, given[$0.name] ?? $0.value) })
    }
  }

  func response(with document: Document, to request: Request) throws(Problem) -> Eventual<Response> {
    var json = JSONWriter()
    switch document {
    case .page:
      let page = pages.dialog(edition, at: address, rules: rulesJSON, inputs: try initial)
      return .now(inLanguage(.page(page)))
    case .definition: edition.writeDefinition(to: &json, holding: try initial)
    case .rules: json.literal(rulesJSON)
    case .schema: prompt.writeSchema(to: &json, id: address.page + "/schema", sentences: edition.sentences)
    }
    return .now(inLanguage(.json(json.bytes)))
  }

  /// 410 for clients that look at an ask that has ended and, in JSON, 409 for those that answer it.
  func obstacle(to request: Request) -> Problem? { ask.closed.map { ended($0, request) } }

  private func ended(_ closed: ClosedAsk, _ request: Request) -> Problem {
    var problem = Problem(.ended(closed.outcome))
    // The page that says so is in the language of the question.
    (problem.outcome, problem.language) = (closed.outcome.rawValue, edition.language)
    if request.method == .post, !request.wantsPage { problem.status = .conflict }
    return problem
  }

  func keep(
    _ outcome: Outcome, of submission: Submission, _ key: IdempotencyKey?, for request: Request
  ) -> Eventual<Ending> {
    .later { () throws(Problem) in
      // A page that has sent the answer by itself goes on to the last page too; programs and frames do not. It is
      // promised first: a server that only waits for this answer stops as soon as it is kept.
      let goesOn = request.wantsPage || request.header("origin") != nil && !submission.wantsReceipt
      var isClosed = false
      if goesOn { asks.pendingRedirects.promise() }
      defer { if goesOn, !isClosed { asks.pendingRedirects.keep(isFetched: false) } }
      switch try await asks.withStore({ try await $0.close(ask, as: outcome, idempotency: key) }) {
      case .closed:
        isClosed = true
        return ending(outcome)
      case .alreadyClosed(let closed):
        guard let first = try self.outcome(of: closed, keptWith: key) else { throw ended(closed, request) }
        return ending(first)
      case .stillOpen, .unknown: throw Problem(.unknownLink)
      }
    }
  }

  func ending(keptWith key: IdempotencyKey) -> Eventual<Ending?> {
    .later { () throws(Problem) in
      try ask.closed.flatMap { (closed) throws(Problem) in try outcome(of: closed, keptWith: key) }.map(ending)
    }
  }

  private func ending(_ outcome: Outcome) -> Ending { Ending(outcome: outcome, proof: ("id", ask.id.description)) }

  private func outcome(of closed: ClosedAsk, keptWith key: IdempotencyKey?) throws(Problem) -> Outcome? {
    guard let key, asks.store.secrets.hasEnded(closed, key) else { return nil }
    return try asks.reading { try asks.store.secrets.outcome(of: closed) }
  }

  func lastPage(after ending: Outcome.Kind?) throws(Problem) -> (ending: Outcome.Kind, again: String?) {
    guard let ending, ask.closed?.outcome == ending else { throw Problem(.unknownLink) }
    asks.pendingRedirects.keep(isFetched: true)
    return (ending, nil)
  }
}
