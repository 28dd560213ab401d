internal import Asks
internal import MicroHTTP
internal import Pages
internal import Prompts
internal import StrictJSON

/// What the handlers share: the prompts on offer, their pages and their judge.
struct PromptService: Sendable {
  let registry: PromptRegistry
  var pages: Pages { registry.pages }
  let judging: Judging
  /// For pages that belong to no prompt.
  let own: OwnSentences
  let predicateFailures: PredicateFailures
  /// `nil` if no other server shares the database.
  let agreement: PromptAgreement?
  let verdicts = VerdictCounts()

  /// The prompt that the path names.
  ///
  /// - Throws: `Problem` 404 that suggests the nearest name.
  func prompt(in request: Request) throws(Problem) -> PublishedPrompt {
    try registry.prompt(request.parameters["name"] ?? "")
  }

  /// Judges without submitting.
  ///
  /// - Parameter only: names of the fields to judge, or `nil` for all.
  func verdicts(
    on inputs: Inputs, of target: any Answerable, only: [String]? = nil, for request: Request
  ) throws(Problem) -> Eventual<Response> {
    try judging.begin(inputs, of: target.judged, only: only, for: request).then { verdicts in
      self.verdicts.count(verdicts.isValid, at: .validate, for: request)
      return .now(target.inLanguage(verdicts.response))
    }
  }

  /// `GET /`: the prompts on offer.
  func index(_ request: Request) throws(Problem) -> Reply {
    let offered = registry.current.sorted
    if request.wantsPage {
      let shown = offered.map { ($0.name, $0.inLanguage(of: request).edition, $0.address.page) }
      return .now(.page(pages.index(shown, in: own.sentences(for: request))))
    }
    var json = JSONWriter()
    json.array(offered) { json, published in
      json.object { json in
        json.member("name", published.name)
        json.member("title", published.inLanguage(of: request).edition.prompt.title)
        json.member("href", published.address.page)
      }
    }
    return .now(.json(json.bytes))
  }
}

/// A prompt on offer. Everybody can answer it again and again.
struct OfferedPrompt: Answerable {
  let published: PublishedPrompt
  let asks: AskService

  var judged: JudgedPrompt { published.judged }
  var address: Pages.Address { published.address }
  var rulesJSON: [UInt8] { published.rulesJSON }
  var languageHeaders: [(name: String, value: String)] { published.languageHeaders }

  func response(with document: Document, to request: Request) -> Eventual<Response> {
    // To draw a page takes longer than an event loop has time for.
    guard document != .page || published.hasPage else {
      return .later {
        await Task.yield()
        return published[document].response(to: request)
      }
    }
    return .now(published[document].response(to: request))
  }

  func obstacle(to request: Request) -> Problem? { nil }

  func keep(
    _ outcome: Outcome, of submission: Submission, _ key: IdempotencyKey?, for request: Request
  ) -> Eventual<Ending> {
    // What was not judged is not kept, so there is nothing to have a receipt for.
    guard submission.hasValues else { return .now(Ending(outcome: outcome)) }
    return .later { () throws(Problem) in
      let receipt = submission.wantsReceipt ? Receipt() : nil
      let result = try await asks.withStore {
        try await $0.append(
          outcome, to: published.name, about: submission.subject, holdsPasswords: prompt.hasPasswordField,
          receipt: receipt, idempotency: key)
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
    guard let ending else { throw Problem(.noAnswerYet(page: address.submit)) }
    return (ending, address.submit)
  }
}
