internal import MicroHTTP
internal import Pages
internal import Prompts

/// What the handlers share.
final class Site: Sendable {
  let catalogue: Catalogue
  let pages: Pages
  let judging: Judging
  let crossSite: CrossSite
  let verdicts = VerdictCounts()

  init(catalogue: Catalogue, pages: Pages, judging: Judging, crossSite: CrossSite) {
    (self.catalogue, self.pages, self.judging, self.crossSite) = (catalogue, pages, judging, crossSite)
  }
}

extension Site {
  /// A problem in the form the client asked for.
  func response(to problem: Problem, for request: Request?) -> Response {
    guard let request, request.wantsPage else { return problem.response }
    var response = Response(
      problem.status, type: "text/html; charset=utf-8",
      bytes: pages.problem(
        status: problem.status.rawValue, reason: problem.status.reason, detail: problem.detail,
        outcome: problem.outcome))
    response.headers += problem.headers
    return response
  }

  /// A handler for the router: problems come as the client asked for them, and cross-site posts
  /// never get through.
  func handler(_ handle: @escaping @Sendable (Request) throws(Problem) -> Reply) -> @Sendable (Request) -> Reply {
    guarded(handle) { [self] in response(to: $0, for: $1) }
  }

  /// The same for what programs alone ask for: problems are JSON, whatever else the client would take.
  func data(_ handle: @escaping @Sendable (Request) throws(Problem) -> Reply) -> @Sendable (Request) -> Reply {
    guarded(handle) { problem, _ in problem.response }
  }

  private func guarded(
    _ handle: @escaping @Sendable (Request) throws(Problem) -> Reply,
    refuse: @escaping @Sendable (Problem, Request) -> Response
  ) -> @Sendable (Request) -> Reply {
    { [self] request in
      do throws(Problem) {
        if request.method == .post, !crossSite.permits(request) {
          throw Problem(
            status: .forbidden,
            detail:
              "This request came from another site's page; the server takes such only from origins named with --allow-origin."
          )
        }
        return try handle(request)
      } catch {
        return .now(refuse(error, request))
      }
    }
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
