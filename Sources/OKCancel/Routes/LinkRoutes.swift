internal import Asks
internal import MicroHTTP
internal import Pages
internal import Prompts
internal import StrictJSON

/// `/a/{token}`: what the person with the link does. Only POST answers.
struct LinkRoutes: Sendable {
  let prompts: PromptService
  let asks: AskService

  /// `GET /a/{token}`: the dialog, or its definition as JSON.
  func get(_ request: Request) throws(Problem) -> Reply {
    later(request) { token, open throws(Problem) in
      if request.wantsPage {
        return .page(
          prompts.pages.dialog(
            open.edition, at: Self.address(token, open.edition), rules: Self.rules(open), inputs: open.initial))
      }
      var json = JSONWriter()
      open.edition.writeDefinition(to: &json, holding: open.initial)
      return .json(json.bytes)
    }
  }

  /// `GET /a/{token}/rules`
  func rules(_ request: Request) throws(Problem) -> Reply {
    later(request) { _, open throws(Problem) in .json(Self.rules(open)) }
  }

  /// `POST /a/{token}/validate`
  func validate(_ request: Request) throws(Problem) -> Reply {
    later(request) { _, open throws(Problem) in
      let inputs = try Inputs(try Body(request, limits: .values), of: open.prompt)
      let only = try request.only(of: open.edition)
      let verdicts = try await prompts.judging.verdicts(on: inputs, of: open.judged, only: only, for: request)
      prompts.verdicts.count(verdicts.isValid, at: .validate, for: request)
      return verdicts.response
    }
  }

  /// `POST /a/{token}`: the answer. An invalid one is 422 and the ask stays open.
  func submit(_ request: Request) throws(Problem) -> Reply {
    // The body is read when the ask is known to be open: once it has ended every other one is 409.
    later(request, try request.answerKey) { token, open throws(Problem) in
      do throws(Problem) { return try await submit(request, to: open, token) } catch {
        throw prompts.returning(
          error, to: request, open.edition, at: Self.address(token, open.edition), rules: Self.rules(open))
      }
    }
  }

  private func submit(
    _ request: Request, to open: AskService.Open, _ token: String
  ) async throws(Problem) -> Response {
    let submission = try Submission(request, to: open.prompt)
    guard let inputs = submission.inputs else {
      return try await close(open, as: submission.outcome(nil), submission.key, token, request)
    }
    let verdicts = try await submission.judged(by: prompts.judging, of: open.judged, for: request).verdicts
    guard verdicts.isValid else {
      return prompts.refused(
        inputs, verdicts, to: open.edition, at: Self.address(token, open.edition), rules: Self.rules(open),
        problem: Problem.invalid(verdicts).response, request)
    }
    try submission.check(verdicts)
    if submission.hasValues { prompts.verdicts.count(true, at: .submit, for: request) }
    return try await close(open, as: submission.outcome(verdicts), submission.key, token, request)
  }

  /// `GET /a/{token}/done`: where a browser lands after its answer.
  func done(_ request: Request) throws(Problem) -> Reply {
    guard let ending = try request.ending, let token = LinkToken(request.parameters["token"] ?? "") else {
      throw Problem(.unknownLink)
    }
    return .later { () throws(Problem) in
      guard let ask = try await asks.withStore({ try await $0.ask(linkedBy: token) }),
        ask.closed?.outcome == ending
      else { throw Problem(.unknownLink) }
      let edition = try await asks.judgedPrompt(of: ask, for: request).edition
      asks.pendingRedirects.keep(isFetched: true)
      return .page(prompts.pages.done(edition, ending))
    }
  }

  private func close(
    _ open: AskService.Open, as outcome: Outcome, _ key: IdempotencyKey?, _ token: String, _ request: Request
  ) async throws(Problem) -> Response {
    // A page that has sent the answer by itself goes on to the last page too; programs and frames do not. It is promised
    // first: a server that only waits for this answer stops as soon as it is kept.
    let wantsReceipt = try request.wantsReceipt
    let goesOn = request.wantsPage || request.header("origin") != nil && !wantsReceipt
    var isClosed = false
    if goesOn { asks.pendingRedirects.promise() }
    defer { if goesOn, !isClosed { asks.pendingRedirects.keep(isFetched: false) } }
    switch try await asks.withStore({ try await $0.close(open.ask, as: outcome, idempotency: key) }) {
    case .closed:
      isClosed = true
      return try await ended(outcome, open.ask, token, request)
    case .alreadyClosed(let closed):
      guard let first = try asks.outcome(of: closed, endedBy: key) else {
        throw .ended(closed.outcome, in: open.edition.language)
      }
      return try await ended(first, open.ask, token, request)
    case .stillOpen, .unknown: throw Problem(.unknownLink)
    }
  }

  private func ended(
    _ outcome: Outcome, _ ask: Ask, _ token: String, _ request: Request
  ) async throws(Problem) -> Response {
    if request.wantsPage {
      let edition = try await asks.judgedPrompt(of: ask, for: request).edition
      return Response(.seeOther, headers: [("Location", Self.address(token, edition).done(outcome))])
    }
    return .json(outcome.json(adding: try request.wantsReceipt ? ("id", ask.id.description) : nil))
  }

  private static func address(_ token: String, _ edition: Edition) -> Pages.Address {
    Pages.Address(page: "/a/\(token)", validate: "/a/\(token)/validate", in: edition)
  }

  private static func rules(_ open: AskService.Open) -> [UInt8] {
    var json = JSONWriter(reserving: 1024)
    open.edition.writeRules(to: &json, name: open.ask.prompt, version: open.ask.id.description)
    return json.bytes
  }

  /// Finds the open ask and responds. One that has ended is 410 to whoever looks and, in JSON, 409 to whoever answers.
  ///
  /// - Parameter key: of an answer: if it is the one that ended the ask, it gets the same response once more.
  private func later(
    _ request: Request, _ key: IdempotencyKey? = nil,
    _ work: @escaping @Sendable (String, AskService.Open) async throws(Problem) -> Response
  ) -> Reply {
    .later { () throws(Problem) in
      // An event loop has time for a short answer, and for nothing else that is done here.
      if request.method == .get || request.wantsPage || request.body.count > Route.bytesForEventLoop {
        await Task.yield()
      }
      let token = request.parameters["token"] ?? ""
      do throws(Problem) {
        let ask = try await asks.ask(linkedBy: token)
        if let closed = ask.closed, let outcome = try asks.outcome(of: closed, endedBy: key) {
          return try await ended(outcome, ask, token, request)
        }
        let open = try await asks.open(ask, for: request)
        var response = try await work(token, open)
        response.headers.append(("Content-Language", open.edition.language.tag))
        return response
      } catch {
        var problem = error
        if problem.status == .gone, request.method == .post, !request.wantsPage { problem.status = .conflict }
        throw problem
      }
    }
  }
}
