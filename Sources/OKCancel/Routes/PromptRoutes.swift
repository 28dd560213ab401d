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

  /// The same in the language that the person wants.
  func shownPrompt(in request: Request) throws(Problem) -> PublishedPrompt {
    try prompt(in: request).inLanguage(of: request)
  }

  /// What an invalid answer gets: the errors or, in a browser, the dialog with what was typed.
  func refused(
    _ inputs: Inputs, _ verdicts: Verdicts, to edition: Edition, at address: Pages.Address,
    rules: @autoclosure () -> [UInt8], problem: @autoclosure () -> Response, _ request: Request
  ) -> Response {
    self.verdicts.count(false, at: .submit, for: request)
    guard request.wantsPage else { return problem() }
    return .page(
      pages.dialog(edition, at: address, rules: rules(), inputs: inputs, verdicts: verdicts), .unprocessableContent)
  }

  /// The same problem; a browser's form comes back with it as the dialog, so that nobody has to type it again.
  func returning(
    _ problem: Problem, to request: Request, _ edition: Edition, at address: Pages.Address, rules: [UInt8]
  ) -> Problem {
    guard problem.status == .badRequest, request.wantsPage,
      let body = try? Body(request, limits: .values), case .form(let form) = body
    else { return problem }
    let typed = edition.prompt.fields.compactMap { field -> (String, Input)? in
      let values = form.values(field.name)
      return values.first.map { (field.name, field.kind == .choices ? .choices(values) : .text($0)) }
    }
    var problem = problem
    // The detail is written for programmers, in English.
    let why = edition.sentences.isEnglish ? problem.detail : edition.sentences[.failed]
    problem.page = pages.dialog(edition, at: address, rules: rules, inputs: Inputs(typed), problem: why)
    return problem
  }
}

/// `/` and `/prompts/{name}`: the dialog, its rules, and what becomes of an answer.
struct PromptRoutes: Sendable {
  let prompts: PromptService
  let asks: AskService

  /// `GET /`: the prompts on offer.
  func index(_ request: Request) throws(Problem) -> Reply {
    let offered = prompts.registry.current.sorted
    if request.wantsPage {
      let shown = offered.map { ($0.name, $0.inLanguage(of: request).edition, $0.address.page) }
      return .now(.page(prompts.pages.index(shown, in: prompts.own.sentences(for: request))))
    }
    var json = JSONWriter()
    json.array(offered) { json, published in
      json.object { json in
        json.member("name", published.name)
        json.member("title", published.inLanguage(of: request).prompt.title)
        json.member("href", published.address.page)
      }
    }
    return .now(.json(json.bytes))
  }

  /// `GET /prompts/{name}`: the page, or the definition as JSON.
  func get(_ request: Request) throws(Problem) -> Reply {
    let published = try prompts.shownPrompt(in: request)
    guard request.wantsPage else { return .now(published.definition.response(to: request)) }
    guard published.isPageCostly else { return .now(published.page.response(to: request)) }
    return .later { () throws(Problem) in
      try await prompts.judging.inBackground(for: request) { _ in published.page }.response(to: request)
    }
  }

  /// `GET /prompts/{name}/rules`
  func rules(_ request: Request) throws(Problem) -> Reply {
    .now(try prompts.shownPrompt(in: request).rules.response(to: request))
  }

  /// `GET /prompts/{name}/schema`
  func schema(_ request: Request) throws(Problem) -> Reply {
    .now(try prompts.shownPrompt(in: request).schema.response(to: request))
  }

  /// `GET /prompts/{name}/done`: where a browser lands after an outcome.
  func done(_ request: Request) throws(Problem) -> Reply {
    let published = try prompts.shownPrompt(in: request)
    let page = published.address.submit
    guard let ending = try request.ending else {
      throw Problem(.noAnswerYet(page: page))
    }
    return .now(published.inLanguage(.page(prompts.pages.done(published.edition, ending, again: page))))
  }

  /// `POST /prompts/{name}`: judges the answer; `cancel` is never judged.
  func submit(_ request: Request) throws(Problem) -> Reply {
    let published = try prompts.shownPrompt(in: request)
    do throws(Problem) { return try submit(request, to: published) } catch {
      guard error.status == .badRequest, request.wantsPage else { throw error }
      return .later { () throws(Problem) in
        throw try await prompts.judging.inBackground(for: request) { _ in
          prompts.returning(error, to: request, published.edition, at: published.address, rules: published.rulesJSON)
        }
      }
    }
  }

  private func submit(_ request: Request, to published: PublishedPrompt) throws(Problem) -> Reply {
    let submission = try Submission(request, to: published.prompt)
    // What was not judged is not kept, so there is nothing to have a receipt for.
    guard let inputs = submission.inputs else { return .now(ended(submission.outcome(nil), nil, published, request)) }
    let start = try submission.judged(by: prompts.judging, of: published.judged, for: request)
    // An invalid answer needs neither the database nor another thread, if every rule can decide at once.
    if case .decided(let verdicts) = start, !verdicts.isValid, submission.key == nil {
      guard request.wantsPage, published.prompt.pageWork > WorkBudget.eventLoop.left else {
        return .now(refused(inputs, verdicts, published, request))
      }
      return .later { () throws(Problem) in
        try await prompts.judging.inBackground(for: request) { _ in refused(inputs, verdicts, published, request) }
      }
    }
    return .later { () throws(Problem) in
      let verdicts = try await start.verdicts
      guard verdicts.isValid else {
        // It may have been valid the first time: a predicate can say no to what it has since heard of.
        if let key = submission.key, let kept = try await asks.kept(by: key, to: published) {
          return ended(kept.outcome, kept.receipt, published, request)
        }
        return refused(inputs, verdicts, published, request)
      }
      try submission.check(verdicts)
      let outcome = submission.outcome(verdicts)
      guard submission.hasValues else { return ended(outcome, nil, published, request) }
      prompts.verdicts.count(true, at: .submit, for: request)
      let receipt = submission.wantsReceipt ? Receipt() : nil
      let kept = try await asks.keep(
        outcome, to: published, about: submission.subject, receipt: receipt, submission.key)
      return ended(kept.outcome, kept.receipt, published, request)
    }
  }

  private func ended(
    _ outcome: Outcome, _ receipt: Receipt?, _ published: PublishedPrompt, _ request: Request
  ) -> Response {
    if request.wantsPage { return Response(.seeOther, headers: [("Location", published.address.done(outcome))]) }
    return .json(outcome.json(adding: receipt.map { ("receipt", $0.description) }))
  }

  private func refused(
    _ inputs: Inputs, _ verdicts: Verdicts, _ published: PublishedPrompt, _ request: Request
  ) -> Response {
    published.inLanguage(
      prompts.refused(
        inputs, verdicts, to: published.edition, at: published.address, rules: published.rulesJSON,
        problem: Problem.invalid(verdicts).response, request))
  }
}

extension Prompt {
  /// At most what it costs to write its page; see `WorkBudget`.
  var pageWork: Int {
    fields.reduce(200_000) { $0 + 100_000 + 15_000 * $1.options.count }
  }
}
