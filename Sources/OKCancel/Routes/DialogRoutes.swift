internal import MicroHTTP
internal import Pages
internal import Prompts

/// The dialog, its rules, and what becomes of an answer: the same for everything that can be answered.
struct DialogRoutes<Target: Answerable>: Sendable {
  let prompts: PromptService
  /// Finds what a request is about.
  let find: @Sendable (Request) throws(Problem) -> Eventual<Target>

  /// `GET`: the page, or the definition as JSON.
  func get(_ request: Request) throws(Problem) -> Reply {
    try read(request.wantsPage ? .page : .definition, request)
  }

  /// `GET …/rules`
  func rules(_ request: Request) throws(Problem) -> Reply { try read(.rules, request) }

  /// `GET …/schema`
  func schema(_ request: Request) throws(Problem) -> Reply { try read(.schema, request) }

  private func read(_ document: Document, _ request: Request) throws(Problem) -> Reply {
    try respond(to: request) { target throws(Problem) in
      if let obstacle = target.obstacle(to: request) { throw obstacle }
      return try target.response(with: document, to: request)
    }
  }

  /// `POST …/validate`: form fields or a JSON object of values.
  func validate(_ request: Request) throws(Problem) -> Reply {
    try respond(to: request) { target throws(Problem) in
      if let obstacle = target.obstacle(to: request) { throw obstacle }
      let edition = target.edition, inputs = try Inputs(request, of: edition)
      return try prompts.verdicts(on: inputs, of: target, only: try request.only(of: edition), for: request)
    }
  }

  /// `POST`: judges the answer; `cancel` is never judged. A request that cannot be accepted may be a retry of one that
  /// was, and then gets the same response again.
  func submit(_ request: Request) throws(Problem) -> Reply {
    let terms = try AnswerTerms(request)
    return try respond(to: request) { target throws(Problem) in
      // Parse the body only if the ask is open: once it has ended, every request but a retry is refused.
      if let obstacle = target.obstacle(to: request) {
        return try repetition(terms, target, request) { () throws(Problem) in throw obstacle }
      }
      let submission: Submission
      do throws(Problem) { submission = try Submission(request, to: target.dialog) } catch {
        return try repetition(terms, target, request) { () throws(Problem) in throw error }
      }
      let verdicts = try submission.judged(by: prompts.judging, of: target.dialog.judged, for: request)
      return try verdicts.then { verdicts throws(Problem) in
        if let verdicts, !verdicts.isValid {
          return try repetition(terms, target, request) {
            refused(submission.inputs ?? Inputs(), verdicts, target, request)
          }
        }
        if submission.hasValues { prompts.verdicts.count(true, at: .submit) }
        return try target.keep(submission.outcome(verdicts), terms, for: request)
          .then { ending in .now(ended(ending, terms, target, request)) }
      }
    }
  }

  /// `GET …/done`: where a browser lands after an outcome.
  func done(_ request: Request) throws(Problem) -> Reply {
    let ending = try request.ending
    return try respond(to: request) { target throws(Problem) in
      let (ending, again) = try target.lastPage(after: ending)
      return .now(target.inLanguage(.page(prompts.pages.done(target.edition, ending, again: again))))
    }
  }

  /// Responds at once if it can. What a browser's form gets may take longer, as does whatever needs the store.
  private func respond(
    to request: Request,
    _ work: @escaping @Sendable (Target) throws(Problem) -> Eventual<Response>
  ) throws(Problem) -> Reply {
    let found = try find(request)
    let isForm = request.method == .post && request.wantsPage
    if case .now(let target) = found, !isForm { return try work(target).reply }
    return .later { () throws(Problem) in
      // An event loop has time for a short answer, and for nothing else that is done here.
      if isForm || request.method != .post || request.bodyCount > Route.bytesForEventLoop { await Task.yield() }
      let target = try await found.value
      do throws(Problem) { return try await work(target).value } catch {
        throw isForm ? try await returning(error, target, request) : error
      }
    }
  }

  /// The response that the same request had before, or another one if there was none.
  private func repetition(
    _ terms: AnswerTerms, _ target: Target, _ request: Request,
    orElse other: @escaping @Sendable () throws(Problem) -> Eventual<Response>
  ) throws(Problem) -> Eventual<Response> {
    guard let key = terms.key else { return try other() }
    return try target.ending(keptWith: key).then { ending throws(Problem) in
      guard let ending else { return try other() }
      return .now(ended(ending, terms, target, request))
    }
  }

  private func ended(
    _ ending: Ending, _ terms: AnswerTerms, _ target: Target, _ request: Request
  ) -> Response {
    let response: Response =
      request.wantsPage
      ? Response(.seeOther, headers: [("Location", target.dialog.address.done(ending.outcome))])
      : .json(ending.outcome.json(adding: terms.wantsReceipt ? ending.proof : nil))
    return target.inLanguage(response)
  }

  /// What an invalid answer gets: the errors or, in a browser, the dialog with what was typed.
  private func refused(
    _ inputs: Inputs, _ verdicts: Verdicts, _ target: Target, _ request: Request
  ) -> Eventual<Response> {
    prompts.verdicts.count(false, at: .submit)
    guard request.wantsPage else { return .now(target.inLanguage(Problem.invalid(verdicts).response)) }
    return .later { () throws(Problem) in
      let page = try await dialog(target, request, holding: inputs, verdicts: verdicts)
      return target.inLanguage(.page(page, .unprocessableContent))
    }
  }

  /// The dialog with what was typed, drawn at the client's expense.
  private func dialog(
    _ target: Target, _ request: Request, holding inputs: Inputs, verdicts: Verdicts? = nil,
    problem: String? = nil
  ) async throws(Problem) -> [UInt8] {
    if target.dialog.isLarge { try prompts.judging.limiting.admit(request, as: .work) }
    return try await prompts.judging.inBackground(for: request) { _ in
      prompts.pages.dialog(
        target.edition, at: target.dialog.address, version: target.dialog.version, rules: target.dialog.rules,
        inputs: inputs, verdicts: verdicts, problem: problem)
    }
  }

  /// The same problem; a browser's form comes back with it as the dialog, so that nobody has to type it again.
  private func returning(
    _ problem: Problem, _ target: Target, _ request: Request
  ) async throws(Problem) -> Problem {
    let hasChanged = problem.code == .promptChanged
    guard hasChanged || problem.status == .badRequest, let body = try? Body(request, limits: .values),
      case .form(let form) = body
    else { return problem }
    let typed = target.prompt.fields.compactMap { field -> (String, Input)? in
      let values = form.values(field.name)
      // Nothing is sent for a box that is not checked, nor for a field that the page did not have.
      let unsent = hasChanged && ![.boolean, .choices].contains(field.kind) ? field.value : nil
      let sent = values.first.map { field.kind == .choices ? Input.choices(values) : .text($0) }
      return (sent ?? unsent).map { (field.name, $0) }
    }
    var problem = problem
    // The detail is written for programmers, in English.
    let sentences = target.edition.sentences
    let why = hasChanged ? sentences[.changed] : sentences.isEnglish ? problem.detail : sentences[.failed]
    problem.page = try await dialog(target, request, holding: Inputs(typed), problem: why)
    return problem
  }
}

/// A value that there is now, or that a task will have.
enum Eventual<Value: Sendable>: Sendable {
  case now(Value)
  case later(@Sendable () async throws(Problem) -> Value)

  var value: Value {
    get async throws(Problem) {
      switch self {
      case .now(let value): value
      case .later(let work): try await work()
      }
    }
  }

  func then<Next>(
    _ next: @escaping @Sendable (Value) throws(Problem) -> Eventual<Next>
  ) throws(Problem) -> Eventual<Next> {
    switch self {
    case .now(let value): try next(value)
    case .later(let work): .later { () throws(Problem) in try await next(try await work()).value }
    }
  }
}

extension Eventual<Response> {
  var reply: Reply {
    switch self {
    case .now(let response): .now(response)
    case .later(let work): .later(work)
    }
  }
}
