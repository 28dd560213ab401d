internal import MicroHTTP
internal import Prompts

/// A target that can be answered, as HTTP shows it.
protocol ShownAnswerable: Answerable {
  /// In the language that the person wants.
  var published: PublishedPrompt { get }
  func response(with document: Document, to visit: Visit) throws(Problem) -> Eventual<Response>
  /// The last page of a dialog.
  ///
  /// - Parameter ending: how the dialog ended, as the browser's request says.
  /// - Throws: `Problem` 404 if it did not end like that.
  func lastPage(after ending: Outcome.Kind?) throws(Problem) -> LastPage
}

/// What the last page of a dialog shows.
struct LastPage: Sendable {
  let ending: Outcome.Kind
  /// The path where it leads to next, or `nil` if it leads nowhere.
  var again: String?
  /// What came of the answer, or `nil` if nothing can.
  var afterwards: Pages.Afterwards?
}

extension ShownAnswerable {
  var edition: Edition { published.edition }

  func inLanguage(_ response: Response) -> Response {
    var response = response
    response.headers += published.languageHeaders
    return response
  }

  /// Makes a document that nobody keeps for somebody else.
  ///
  /// - Parameter values: what the fields hold at first, or `nil` for their own values.
  func response(
    making document: Document, holding values: Inputs? = nil, for visit: Visit, _ judging: Judging
  ) throws(Problem) -> Eventual<Response> {
    if published.isLarge { try judging.limiting.admit(visit.payer, as: .work) }
    return .later { () throws(Problem) in
      let bytes = try await judging.inBackground(for: visit.payer) { [published] _ in
        published.bytes(of: document, holding: values)
      }
      return inLanguage(document == .page ? .page(bytes) : .json(bytes))
    }
  }
}

/// The dialog, its rules, and what becomes of an answer: the same for everything that can be answered.
struct DialogRoutes<Target: ShownAnswerable>: Sendable {
  let asks: AskService
  let desk: AnswerDesk
  /// Finds what the visitor may see and answer.
  let find: @Sendable (Visit) throws(Problem) -> Eventual<Target>

  /// `GET`: the page, or the definition as JSON.
  func get(_ visit: Visit) throws(Problem) -> Eventual<Response> {
    try read(visit.request.wantsPage ? .page : .definition, visit)
  }

  /// `GET …/rules`
  func rules(_ visit: Visit) throws(Problem) -> Eventual<Response> { try read(.rules, visit) }

  /// `GET …/schema`
  func schema(_ visit: Visit) throws(Problem) -> Eventual<Response> { try read(.schema, visit) }

  private func read(_ document: Document, _ visit: Visit) throws(Problem) -> Eventual<Response> {
    try respond(to: visit) { _, target, visit throws(Problem) in
      if let obstacle = target.obstacle { throw obstacle }
      return try target.response(with: document, to: visit)
    }
  }

  /// `POST …/validate`: form fields or a JSON object of values.
  func validate(_ visit: Visit) throws(Problem) -> Eventual<Response> {
    // It holds nothing: each part that a closure holds is counted for every verdict.
    try respond(to: visit) { routes, target, visit throws(Problem) in
      if let obstacle = target.obstacle { throw obstacle }
      let edition = target.edition, inputs = try Inputs(visit.request, of: edition)
      return try routes.desk.verdicts(on: inputs, of: target, only: try visit.request.only(of: edition), for: visit)
    }
  }

  /// `POST`: brings the answer to the desk.
  func submit(_ visit: Visit) throws(Problem) -> Eventual<Response> {
    let terms = try AnswerTerms(visit.request)
    return try respond(to: visit) { [terms] routes, target, visit throws(Problem) in
      var terms = terms
      terms.key?.sender = target.by.person?.key
      return try routes.desk.answer(target, terms, for: visit.payer) { () throws(Problem) in
        try Submission(visit.request, to: target)
      }.then { [terms] answer in
        switch answer {
        case .refused(let inputs, let verdicts): routes.refused(inputs, verdicts, target, visit)
        case .ended(let ended): .now(routes.response(to: ended, terms, target, visit.request))
        }
      }
    }
  }

  /// `GET …/done`: where a browser lands after an outcome.
  func done(_ visit: Visit) throws(Problem) -> Eventual<Response> {
    let ending = try visit.request.ending
    return try respond(to: visit) { routes, target, _ throws(Problem) in
      let last = try target.lastPage(after: ending)
      let page = routes.asks.registry.pages.done(
        target.edition, last.ending, again: last.again, afterwards: last.afterwards)
      return .now(target.inLanguage(.page(page)))
    }
  }

  /// Responds at once if it can. What a browser's form gets may take longer, as does whatever needs the store.
  private func respond(
    to visit: Visit, _ work: @escaping @Sendable (Self, Target, Visit) throws(Problem) -> Eventual<Response>
  ) throws(Problem) -> Eventual<Response> {
    let request = visit.request, isForm = request.isPost && request.wantsPage
    let found: Eventual<Target>
    do throws(Problem) { found = try find(visit) } catch {
      guard isForm else { throw error }
      return .later { () throws(Problem) in
        await Task.yield()
        throw keeping(error, nil, request)
      }
    }
    if case .now(let target) = found, !isForm { return try work(self, target, visit) }
    return .later { () throws(Problem) in
      // An event loop has time for a short answer, and for nothing else that is done here.
      if isForm || !request.isPost || request.bodyCount > Route.bytesForEventLoop { await Task.yield() }
      let target: Target
      do throws(Problem) { target = try await found.value } catch {
        throw isForm ? keeping(error, nil, request) : error
      }
      do throws(Problem) { return try await work(self, target, visit).value } catch {
        throw isForm ? try await returning(error, target, visit) : Self.told(error, request)
      }
    }
  }

  /// Changes the problem of a dialog that has ended: gone for those who look at it, a conflict for programs that answer
  /// it.
  private static func told(_ problem: Problem, _ request: Request) -> Problem {
    var problem = problem
    if problem.outcome != nil, request.isPost { problem.status = .conflict }
    return problem
  }

  private func response(
    to ended: Ended, _ terms: AnswerTerms, _ target: Target, _ request: Request
  ) -> Response {
    let response: Response =
      request.wantsPage
      ? Response(.seeOther, headers: [("Location", target.published.address.done(ended.outcome))])
      : .json(ended.json(withProof: terms.wantsReceipt))
    return target.inLanguage(response)
  }

  /// The response to an invalid answer: the errors or, in a browser, the dialog with what was typed.
  private func refused(
    _ inputs: Inputs, _ verdicts: Verdicts, _ target: Target, _ visit: Visit
  ) -> Eventual<Response> {
    guard visit.request.wantsPage else { return .now(target.published.response(with: verdicts, asRefusal: true)) }
    return .later { () throws(Problem) in
      // Cancel sends no fields.
      let others = inputs[Field.reasonName] == nil ? [] : try target.initial.entries
      let page = try await dialog(target, visit, holding: Inputs(others + inputs.entries), verdicts: verdicts)
      return target.inLanguage(.page(page, .unprocessableContent))
    }
  }

  /// The dialog with what was typed, drawn at the client's expense.
  private func dialog(
    _ target: Target, _ visit: Visit, holding inputs: Inputs, verdicts: Verdicts? = nil,
    problem: String? = nil
  ) async throws(Problem) -> [UInt8] {
    if target.published.isLarge { try desk.judging.limiting.admit(visit.payer, as: .work) }
    return try await desk.judging.inBackground(for: visit.payer) { [published = target.published] _ in
      published.page(holding: inputs, verdicts: verdicts, problem: problem)
    }
  }

  /// The same problem, with what a browser's form held.
  private func keeping(_ problem: Problem, _ fields: [Field]?, _ request: Request) -> Problem {
    guard let body = try? Body(request, limits: .values), case .form(let form) = body else { return problem }
    var problem = problem
    problem.typed = form.typed(into: fields)
    return problem
  }

  /// The same problem; a browser's form comes back with it as the dialog, so that nobody has to type it again.
  private func returning(
    _ problem: Problem, _ target: Target, _ visit: Visit
  ) async throws(Problem) -> Problem {
    let hasChanged = problem.code == .promptChanged
    guard hasChanged || problem.status == .badRequest, let body = try? Body(visit.request, limits: .values),
      case .form(let form) = body
    else { return keeping(problem, target.prompt.fields, visit.request) }
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
    problem.page = try await dialog(target, visit, holding: Inputs(typed), problem: why)
    return problem
  }
}

extension Request {
  /// The outcome of the dialog whose last page is requested, or `nil` if no dialog ends so in a browser.
  fileprivate var ending: Outcome.Kind? {
    get throws(Problem) {
      let ending = Outcome.Kind(rawValue: try parameter("outcome") ?? "")
      return ending == .expired || ending == .withdrawn ? nil : ending
    }
  }
}

extension AnswerDesk {
  /// Judges without submitting.
  ///
  /// - Parameter only: names of the fields to judge, or `nil` for all.
  func verdicts(
    on inputs: Inputs, of target: some ShownAnswerable, only: [String]? = nil, for visit: Visit
  ) throws(Problem) -> Eventual<Response> {
    let published = target.published
    return try judging.begin(inputs, of: published.edition, only: only, for: visit.payer).then { [self] verdicts in
      counts.count(verdicts.isValid, at: .validate)
      return .now(published.response(with: verdicts))
    }
  }
}
