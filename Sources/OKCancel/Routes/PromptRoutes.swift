internal import Asks
internal import MicroHTTP
internal import Pages
internal import Prompts

/// `/prompts/{name}`: the dialog, its rules, and what becomes of an answer.
struct PromptRoutes: Sendable {
  let service: PromptService
  let askService: AskService

  /// `GET /prompts/{name}`: the page, or the definition as JSON.
  func get(_ request: Request) throws(Problem) -> Route.Reply {
    let published = try service.prompt(in: request)
    return .now((request.wantsPage ? published.page : published.definition).response(to: request))
  }

  /// `GET /prompts/{name}/rules`
  func rules(_ request: Request) throws(Problem) -> Route.Reply {
    .now(try service.prompt(in: request).rules.response(to: request))
  }

  /// `GET /prompts/{name}/schema`
  func schema(_ request: Request) throws(Problem) -> Route.Reply {
    .now(try service.prompt(in: request).schema.response(to: request))
  }

  /// `GET /prompts/{name}/done`: where a browser lands after an outcome.
  func done(_ request: Request) throws(Problem) -> Route.Reply {
    let published = try service.prompt(in: request)
    guard let ending = try request.ending else {
      throw Problem(
        status: .notFound,
        detail: "This page follows an answer; open \(Pages.Address(prompt: published.name).page) to give one.")
    }
    return .now(
      Response(
        .ok, type: "text/html; charset=utf-8",
        bytes: service.pages.done(published.prompt, ending, again: Pages.Address(prompt: published.name).page)))
  }

  /// `POST /prompts/{name}`: judges and answers; `cancel` is never judged.
  func submit(_ request: Request) throws(Problem) -> Route.Reply {
    let published = try service.prompt(in: request)
    do throws(Problem) { return try submit(request, to: published) } catch {
      guard error.status == .badRequest, request.wantsPage else { throw error }
      return .later { () throws(Problem) in
        throw try await service.judging.inBackground(for: request) { _ in
          service.returning(
            error, to: request, published.prompt, at: Pages.Address(prompt: published.name),
            rules: published.rulesJSON)
        }
      }
    }
  }

  private func submit(_ request: Request, to published: PublishedPrompt) throws(Problem) -> Route.Reply {
    let submission = try Submission(request, to: published.prompt)
    // What was not judged is not kept, so there is nothing to have a receipt for.
    guard let inputs = submission.inputs else { return .now(ended(submission.outcome(nil), nil, published, request)) }
    let start = try service.judging.begin(inputs, of: published.subject, for: request)
    // A wrong answer needs neither the database nor another thread, if every rule can decide at once.
    if case .decided(let verdicts) = start, !verdicts.isValid {
      guard request.wantsPage, published.subject.prompt.pageWork > WorkBudget.eventLoop.left else {
        return .now(refused(inputs, verdicts, published, request))
      }
      return .later { () throws(Problem) in
        try await service.judging.inBackground(for: request) { _ in refused(inputs, verdicts, published, request) }
      }
    }
    return .later { () throws(Problem) in
      let verdicts = try await start.verdicts
      guard verdicts.isValid else { return refused(inputs, verdicts, published, request) }
      service.verdicts.count(true, at: .submit)
      let outcome = submission.outcome(service.judging.judge.values(of: inputs, for: published.prompt))
      let receipt = submission.wantsReceipt ? Receipt() : nil
      try await askService.keep(outcome, to: published, receipt: receipt)
      return ended(outcome, receipt, published, request)
    }
  }

  private func ended(
    _ outcome: Outcome, _ receipt: Receipt?, _ published: PublishedPrompt, _ request: Request
  ) -> Response {
    if request.wantsPage {
      let done = Pages.Address(prompt: published.name).done + "?outcome=" + outcome.word
      return Response(.seeOther, headers: [("Location", done)])
    }
    let member = receipt.map { ("receipt", $0.description) }
    return Response(.ok, type: "application/json", bytes: outcome.json(adding: member))
  }

  private func refused(_ inputs: Inputs, _ verdicts: Verdicts, _ published: PublishedPrompt, _ request: Request)
    -> Response
  {
    service.refused(
      inputs, verdicts, to: published.prompt, at: Pages.Address(prompt: published.name), rules: published.rulesJSON,
      request)
  }
}

extension Prompt {
  /// At most what it costs to write its page; see `WorkBudget`.
  fileprivate var pageWork: Int {
    fields.reduce(200_000) { $0 + 100_000 + 15_000 * $1.options.count }
  }
}

extension PromptService {
  func prompt(in request: Request) throws(Problem) -> PublishedPrompt {
    try registry.prompt(in: request)
  }
}
