internal import Asks
internal import MicroHTTP
internal import Pages
internal import Prompts

/// `/prompts/{name}`: the dialog, its rules, and what becomes of an answer.
struct PromptRoutes: Sendable {
  let site: Site
  let desk: AskDesk

  /// `GET /prompts/{name}`: the page, or the definition as JSON.
  func get(_ request: Request) throws(Problem) -> Route.Reply {
    let offer = try site.offer(in: request)
    return .now((request.wantsPage ? offer.page : offer.definition).response(to: request))
  }

  /// `GET /prompts/{name}/rules`
  func rules(_ request: Request) throws(Problem) -> Route.Reply {
    .now(try site.offer(in: request).rules.response(to: request))
  }

  /// `GET /prompts/{name}/schema`
  func schema(_ request: Request) throws(Problem) -> Route.Reply {
    .now(try site.offer(in: request).schema.response(to: request))
  }

  /// `GET /prompts/{name}/done`: where a browser lands after an outcome.
  func done(_ request: Request) throws(Problem) -> Route.Reply {
    let offer = try site.offer(in: request)
    guard let outcome = Pages.Ending(rawValue: try request.parameter("outcome") ?? "") else {
      throw Problem(
        status: .notFound,
        detail: "This page follows an answer; open \(Pages.Address(prompt: offer.name).page) to give one.")
    }
    return .now(
      Response(
        .ok, type: "text/html; charset=utf-8",
        bytes: site.pages.done(offer.prompt, outcome, again: Pages.Address(prompt: offer.name).page)))
  }

  /// `POST /prompts/{name}`: judges and answers; `cancel` is never judged.
  func submit(_ request: Request) throws(Problem) -> Route.Reply {
    let offer = try site.offer(in: request)
    let receipt = try request.wantsReceipt ? Receipt() : nil
    switch try Submission(try Body(request), to: offer.prompt) {
    // Neither is kept, so there is nothing to have a receipt for.
    case .cancel: return .now(ended(.cancel, nil, offer, request))
    case .action(let button, _) where !button.validates:
      return .now(ended(.action(button.name ?? "", nil), nil, offer, request))
    case .action(let button, let inputs):
      return try judged(inputs, receipt, offer, request) { .action(button.name ?? "", $0) }
    case .ok(let inputs):
      return try judged(inputs, receipt, offer, request) { .ok($0) }
    }
  }

  private func judged(
    _ inputs: Inputs, _ receipt: Receipt?, _ offer: Offer, _ request: Request,
    _ outcome: @escaping @Sendable (Values) -> AskOutcome
  ) throws(Problem) -> Route.Reply {
    let start = try site.judging.begin(inputs, of: offer.subject, for: request)
    // A wrong answer needs neither the database nor another thread, if every rule can decide at once.
    if case .decided(let verdicts) = start, !verdicts.isValid {
      site.verdicts.count(false, at: .submit)
      return .now(refused(inputs, verdicts, offer, request))
    }
    return .later { () throws(Problem) in
      let verdicts = try await start.verdicts
      site.verdicts.count(verdicts.isValid, at: .submit)
      guard verdicts.isValid else { return refused(inputs, verdicts, offer, request) }
      let outcome = outcome(site.judging.judge.values(of: inputs, for: offer.prompt))
      try await desk.keep(outcome, to: offer, receipt: receipt)
      return ended(outcome, receipt, offer, request)
    }
  }

  private func ended(
    _ outcome: AskOutcome, _ receipt: Receipt?, _ offer: Offer, _ request: Request
  ) -> Response {
    if request.wantsPage {
      let done = Pages.Address(prompt: offer.name).done + "?outcome=" + outcome.word
      return Response(.seeOther, headers: [("Location", done)])
    }
    let member = receipt.map { ("receipt", $0.description) }
    return Response(.ok, type: "application/json", bytes: outcome.json(adding: member))
  }

  private func refused(_ inputs: Inputs, _ verdicts: Verdicts, _ offer: Offer, _ request: Request) -> Response {
    guard request.wantsPage else { return Problem.invalid(verdicts).response }
    let page = site.pages.dialog(
      offer.prompt, at: Pages.Address(prompt: offer.name), rules: offer.rulesJSON, inputs: inputs, verdicts: verdicts)
    return Response(.unprocessableContent, type: "text/html; charset=utf-8", bytes: page)
  }
}

extension Site {
  func offer(in request: Request) throws(Problem) -> Offer {
    try catalogue.offer(in: request)
  }
}
