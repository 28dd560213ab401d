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
    guard let ending = try request.ending else {
      throw Problem(
        status: .notFound,
        detail: "This page follows an answer; open \(Pages.Address(prompt: offer.name).page) to give one.")
    }
    return .now(
      Response(
        .ok, type: "text/html; charset=utf-8",
        bytes: site.pages.done(offer.prompt, ending, again: Pages.Address(prompt: offer.name).page)))
  }

  /// `POST /prompts/{name}`: judges and answers; `cancel` is never judged.
  func submit(_ request: Request) throws(Problem) -> Route.Reply {
    let offer = try site.offer(in: request)
    let submission = try Submission(request, to: offer.prompt)
    // What was not judged is not kept, so there is nothing to have a receipt for.
    guard let inputs = submission.inputs else { return .now(ended(submission.outcome(nil), nil, offer, request)) }
    let start = try site.judging.begin(inputs, of: offer.subject, for: request)
    // A wrong answer needs neither the database nor another thread, if every rule can decide at once.
    if case .decided(let verdicts) = start, !verdicts.isValid {
      guard request.wantsPage, offer.subject.prompt.pageWork > WorkBudget.eventLoop.left else {
        return .now(refused(inputs, verdicts, offer, request))
      }
      return .later { () throws(Problem) in
        try await site.judging.inBackground(for: request) { _ in refused(inputs, verdicts, offer, request) }
      }
    }
    return .later { () throws(Problem) in
      let verdicts = try await start.verdicts
      guard verdicts.isValid else { return refused(inputs, verdicts, offer, request) }
      site.verdicts.count(true, at: .submit)
      let outcome = submission.outcome(site.judging.judge.values(of: inputs, for: offer.prompt))
      let receipt = submission.wantsReceipt ? Receipt() : nil
      try await desk.keep(outcome, to: offer, receipt: receipt)
      return ended(outcome, receipt, offer, request)
    }
  }

  private func ended(
    _ outcome: Outcome, _ receipt: Receipt?, _ offer: Offer, _ request: Request
  ) -> Response {
    if request.wantsPage {
      let done = Pages.Address(prompt: offer.name).done + "?outcome=" + outcome.word
      return Response(.seeOther, headers: [("Location", done)])
    }
    let member = receipt.map { ("receipt", $0.description) }
    return Response(.ok, type: "application/json", bytes: outcome.json(adding: member))
  }

  private func refused(_ inputs: Inputs, _ verdicts: Verdicts, _ offer: Offer, _ request: Request) -> Response {
    site.refused(
      inputs, verdicts, to: offer.prompt, at: Pages.Address(prompt: offer.name), rules: offer.rulesJSON, request)
  }
}

extension Prompt {
  /// At most what it costs to write its page; see `WorkBudget`.
  fileprivate var pageWork: Int {
    fields.reduce(200_000) { $0 + 100_000 + 15_000 * $1.options.count }
  }
}

extension Site {
  func offer(in request: Request) throws(Problem) -> Offer {
    try catalogue.offer(in: request)
  }
}
