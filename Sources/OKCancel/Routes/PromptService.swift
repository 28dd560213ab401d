internal import MicroHTTP
internal import Pages
internal import Prompts

/// What the handlers share.
final class PromptService: Sendable {
  let registry: PromptRegistry
  let pages: Pages
  let judging: Judging
  let verdicts = VerdictCounts()

  init(registry: PromptRegistry, pages: Pages, judging: Judging) {
    (self.registry, self.pages, self.judging) = (registry, pages, judging)
  }
}

extension PromptService {
  /// What an invalid answer gets: the errors or, in a browser, the dialog with what was typed.
  func refused(
    _ inputs: Inputs, _ verdicts: Verdicts, to prompt: Prompt, at address: Pages.Address, rules: [UInt8],
    _ request: Request
  ) -> Response {
    self.verdicts.count(false, at: .submit)
    guard request.wantsPage else { return Problem.invalid(verdicts).response }
    let page = pages.dialog(prompt, at: address, rules: rules, inputs: inputs, verdicts: verdicts)
    return Response(.unprocessableContent, type: "text/html; charset=utf-8", bytes: page)
  }
}

extension PromptService {
  /// The same problem; a browser's form comes back with it as the dialog, so that nobody has to type it once more.
  func returning(
    _ problem: Problem, to request: Request, _ prompt: Prompt, at address: Pages.Address, rules: [UInt8]
  ) -> Problem {
    guard problem.status == .badRequest, request.wantsPage,
      let body = try? Body(request, limits: .values), case .form(let form) = body
    else { return problem }
    let typed = prompt.fields.compactMap { field -> (String, Input)? in
      let values = form.values(field.name)
      return values.first.map { (field.name, field.kind == .choices ? .choices(values) : .text($0)) }
    }
    var problem = problem
    problem.page = pages.dialog(prompt, at: address, rules: rules, inputs: Inputs(typed), problem: problem.detail)
    return problem
  }
}

extension Request {
  /// Whether the answer should be a page: for GET unless JSON is named, for other methods only if HTML is.
  var wantsPage: Bool {
    method == .get || method == .head
      ? !prefers("application/json", over: "text/html") : prefers("text/html", over: "application/json")
  }

  /// The value of a query parameter; nil: it is not there.
  ///
  /// - Throws: `Problem` 400 where it is there twice, since programs differ on which one counts.
  func parameter(_ name: String) throws(Problem) -> String? {
    let values = query.values(name)
    guard values.count < 2 else { throw .badRequest("“\(name)” appears twice in the query; send it once.") }
    return values.first
  }

  /// The value of a header that may be there once; nil: it is not there.
  ///
  /// - Throws: `Problem` 400 where it is there twice.
  func field(_ name: String) throws(Problem) -> String? {
    guard !repeats(header: name) else { throw .badRequest("The header “\(name)” appears twice; send it once.") }
    return header(name)
  }
}
