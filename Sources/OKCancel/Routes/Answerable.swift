internal import Asks
internal import MicroHTTP
internal import Pages
internal import Prompts
internal import StrictJSON

/// What a person can answer: a prompt on offer, or the question behind a link. If people had to identify themselves,
/// this would be the place to check it.
protocol Answerable: Sendable {
  /// In the language that the person wants.
  var dialog: Dialog { get }
  /// What a response says of its language.
  var languageHeaders: [(name: String, value: String)] { get }

  func response(with document: Document, to request: Request) throws(Problem) -> Eventual<Response>
  func response(with verdicts: Verdicts) -> Response
  /// Why it can no longer be answered, or `nil` while it can.
  func obstacle(to request: Request) -> Problem?
  /// Keeps how the dialog has ended. What is kept is on the disk when this returns.
  func keep(_ outcome: Outcome, _ terms: AnswerTerms, for request: Request) -> Eventual<Ending>
  /// The ending that an earlier request with this key has kept, or `nil` if there is none.
  func ending(keptWith key: IdempotencyKey) -> Eventual<Ending?>
  /// What the last page says, and where it leads to next, if anywhere.
  ///
  /// - Parameter ending: how the dialog ended, as the browser's request says.
  /// - Throws: `Problem` 404 if it did not end like that.
  func lastPage(after ending: Outcome.Kind?) throws(Problem) -> (ending: Outcome.Kind, again: String?)
}

/// How a dialog has ended, and what proves it to a backend: a member of the response.
struct Ending: Sendable {
  let outcome: Outcome
  var proof: (key: String, value: String)?
}

extension Answerable {
  var edition: Edition { dialog.judged.edition }
  var prompt: Prompt { edition.prompt }

  func inLanguage(_ response: Response) -> Response {
    var response = response
    response.headers += languageHeaders
    return response
  }

  func response(with verdicts: Verdicts) -> Response { inLanguage(verdicts.response) }
}

/// A prompt on offer. Everybody can answer it again and again.
struct OfferedPrompt: Answerable {
  let published: PublishedPrompt
  let asks: AskService

  var dialog: Dialog { published.dialog }
  var languageHeaders: [(name: String, value: String)] { published.languageHeaders }

  func response(with document: Document, to request: Request) throws(Problem) -> Eventual<Response> {
    // To make and compress a document takes longer than an event loop has time for.
    guard published.has(document) else {
      if dialog.isLarge { try asks.judging.limiting.admit(request, as: .work) }
      return .later { () throws(Problem) in
        try await asks.judging.inBackground(for: request) { _ in published[document].response(to: request) }
      }
    }
    return .now(published[document].response(to: request))
  }

  func response(with verdicts: Verdicts) -> Response { published.response(with: verdicts) }

  func obstacle(to request: Request) -> Problem? { nil }

  func keep(_ outcome: Outcome, _ terms: AnswerTerms, for request: Request) -> Eventual<Ending> {
    switch outcome {
    case .ok, .action(_, _?): break
    // What was not judged is not kept, so there is nothing to have a receipt for.
    case .action(_, nil), .cancel, .expired, .withdrawn: return .now(Ending(outcome: outcome))
    }
    return .later { () throws(Problem) in
      let receipt = terms.wantsReceipt ? Receipt() : nil
      let result = try await asks.withStore {
        try await $0.append(
          outcome, to: published.name, about: terms.subject, holdsPasswords: prompt.hasPasswordField,
          receipt: receipt, idempotency: terms.key)
      }
      return try ending(result) ?? ending(outcome, receipt)
    }
  }

  func ending(keptWith key: IdempotencyKey) -> Eventual<Ending?> {
    .later { () throws(Problem) in
      let result = try await asks.withStore { try await $0.answer(keptWith: key, to: published.name) }
      return try result.flatMap { (result) throws(Problem) in try ending(result) }
    }
  }

  private func ending(_ result: AppendResult) throws(Problem) -> Ending? {
    switch result {
    case .kept: return nil
    case .existing(let answer, let receipt):
      return ending(try asks.reading { try answer.outcome(openedWith: asks.store.secrets) }, receipt)
    case .conflict: throw Problem(.keyReused)
    }
  }

  private func ending(_ outcome: Outcome, _ receipt: Receipt?) -> Ending {
    Ending(outcome: outcome, proof: receipt.map { ("receipt", $0.description) })
  }

  func lastPage(after ending: Outcome.Kind?) throws(Problem) -> (ending: Outcome.Kind, again: String?) {
    guard let ending else { throw Problem(.noAnswerYet(page: dialog.address.submit)) }
    return (ending, dialog.address.submit)
  }
}

/// The question that a link leads to, open or not. Only POST answers it.
struct LinkedAsk: Answerable {
  private let asks: AskService
  private let offers: PromptRegistry.Generation
  private let ask: Ask
  /// The definition it was made with, in the language that the person wants.
  let dialog: Dialog

  /// - Throws: `Problem` 404 for an unknown link.
  init(in request: Request, among asks: AskService, _ offers: PromptRegistry.Generation) async throws(Problem) {
    let text = request.segment("token") ?? ""
    guard let token = LinkToken(text), let ask = try await asks.withStore({ try await $0.ask(linkedBy: token) })
    else { throw Problem(.unknownLink) }
    (self.asks, self.offers, self.ask) = (asks, offers, ask)
    let judged = try await asks.judgedPrompt(of: ask, for: request)
    var address = offers.pages.address(page: "/a/\(text)", validate: "/a/\(text)/validate", in: judged.edition)
    // A second later, the time is over by every clock.
    // A browser's timers have 31 bits of milliseconds.
    address.secondsLeft = min((ask.expiresAt.milliseconds - asks.store.clock.now.milliseconds) / 1000 + 1, 2_000_000)
    dialog = Dialog(judged, at: address, named: ask.prompt, version: ask.id.description)
  }

  var languageHeaders: [(name: String, value: String)] { [("Content-Language", edition.language.tag)] }

  /// What every field holds at first.
  private var initial: Inputs {
    get throws(Problem) {
      let values = try asks.reading { try JSON(parsing: try asks.store.secrets.open(ask.values), limits: .file) }
      let given = try Inputs(Node(values), of: prompt.fields)
      return Inputs(prompt.fields.map { ($0.name, given[$0.name] ?? $0.value) })
    }
  }

  func response(with document: Document, to request: Request) throws(Problem) -> Eventual<Response> {
    let respond = { @Sendable (bytes: [UInt8]) in inLanguage(document == .page ? .page(bytes) : .json(bytes)) }
    let values = document == .page || document == .definition ? try initial : nil
    let draw = { @Sendable [offers, dialog] in dialog.bytes(of: document, on: offers.pages, holding: values) }
    guard dialog.isLarge else { return .now(respond(draw())) }
    try asks.judging.limiting.admit(request, as: .work)
    return .later { () throws(Problem) in
      respond(try await asks.judging.inBackground(for: request) { _ in draw() })
    }
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

  func keep(_ outcome: Outcome, _ terms: AnswerTerms, for request: Request) -> Eventual<Ending> {
    .later { () throws(Problem) in
      // A page that sends the answer with a script also goes on to the last page; programs and frames do not. The
      // redirect is announced first: a server that only waits for this answer stops once it is kept.
      let goesOn = request.wantsPage || request.header("origin") != nil && !terms.wantsReceipt
      var isClosed = false
      if goesOn { asks.storage.pendingRedirects.promise() }
      defer { if goesOn, !isClosed { asks.storage.pendingRedirects.keep(isFetched: false) } }
      switch try await asks.withStore({ try await $0.close(ask, as: outcome, idempotency: terms.key) }) {
      case .closed:
        isClosed = true
        return ending(outcome)
      case .alreadyClosed(let closed):
        guard let first = try self.outcome(of: closed, keptWith: terms.key) else { throw ended(closed, request) }
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
    asks.storage.pendingRedirects.keep(isFetched: true)
    return (ending, nil)
  }
}

extension LinkedAsk {
  /// Where a link leads that is followed by a character of the text around it, such as `)` or `.`; relative to its own
  /// address, or `nil` for any other path.
  static func mended(_ head: Request) -> String? {
    guard head.method == .get || head.method == .head, head.path.hasPrefix("/a/") else { return nil }
    let rest = head.path.dropFirst("/a/".count), tail = rest.drop { !".,;:!?)]}>'\"*/".contains($0) }
    let token = rest.dropLast(tail.count)
    guard !tail.isEmpty, LinkToken(String(token)) != nil, tail.allSatisfy({ !$0.isLetter && !$0.isNumber }) else {
      return nil
    }
    return tail.filter { $0 == "/" }.map { _ in "../" }.joined() + token
  }
}
