internal import MicroHTTP
internal import Platform
internal import Prompts

/// Checks a request before its handler runs, in this order: the client's limit, other sites' pages, the API token, the
/// query. A class, since every route holds it.
final class Gate: Sendable {
  let hosts: HostNames
  let limiting: RateLimiting
  let origins: CrossOrigin
  let tokens: APITokens
  /// Finds out who a visitor is, or `nil` if nothing says that.
  let identification: Identification?

  init(_ configuration: Configuration, _ limiting: RateLimiting) {
    hosts = HostNames(configuration)
    self.limiting = limiting
    origins = CrossOrigin(configuration)
    tokens = APITokens(configuration.apiTokens, limiting: limiting)
    identification = configuration.identity.map { Identification($0, logger: limiting.logger) }
  }

  /// Decides by a request's head alone, before its body is read.
  ///
  /// - Returns: who is at the door, or `nil` for anybody.
  /// - Throws: `Problem` that says why the request is refused.
  func admit(_ request: Request, to route: Route) throws(Problem) -> Visitor? {
    if let limit = route.limit { try limiting.admit(Payer(request), as: limit) }
    try origins.check(request, isAction: request.isPost)
    if route.hasPages, route.method == .get { try checkEmbedder(of: request) }
    let token = try route.scope.map { (scope) throws(Problem) in try tokens.token(neededBy: request, allowing: scope) }
    if !request.query.pairs.isEmpty { try check(request.query, of: request, by: route) }
    if let token { return Visitor(token: token) }
    guard let identification, route.scope == nil, route.checksHost else { return nil }
    var visitor = Visitor()
    visitor.take(try identification.claim(of: request))
    return visitor
  }

  /// The visitor with the person whom a signed token names.
  ///
  /// - Throws: `Problem` 401 for a wrong token.
  func identified(_ visitor: Visitor) async throws(Problem) -> Visitor {
    guard let identification, let token = visitor.assertion else { return visitor }
    var visitor = visitor
    visitor.assertion = nil
    visitor.take(try await identification.claim(of: token))
    return visitor
  }

  /// Why a request is refused at every route, or `nil` if it is not: it says who its visitor is, and nobody vouches for
  /// that.
  func forgedIdentity(in request: Request) -> Problem? {
    do throws(Problem) { try identification?.check(request) } catch { return error }
    return nil
  }

  /// The problem of a request for another name than the server's own, or `nil` if the server responds to it. A client
  /// with the API token knows which server it is, and no page has the token. Wrong tokens are guesses here too.
  func foreignName(in request: Request) -> Problem? {
    if hosts.include(nameIn: request) { return nil }
    do throws(Problem) {
      if try tokens.token(shownBy: request) != nil { return nil }
    } catch {
      if error.status == .tooManyRequests { return error }
    }
    return hosts.problem(with: request)
  }

  /// - Throws: `Problem` 400 for a parameter that the route does not take. Mail and chat programs append parameters of
  ///   their own to links of pages that people open; these are ignored.
  private func check(_ query: Form, of request: Request, by route: Route) throws(Problem) {
    if route.hasPages, !request.isPost, request.wantsPage { return }
    for (name, _) in query.pairs where !route.parameters.contains(name) {
      if route.parameters.isEmpty { throw Problem("unknown-parameter.none", ["name": name]) }
      throw Problem("unknown-parameter", ["name": name, "nearest": Nearest(to: name, among: route.parameters)])
    }
  }

  /// A page that wants to frame a dialog names its origin in the query. If it may not, its frame shows a problem that
  /// says so; without this check the browser would only show an empty frame.
  private func checkEmbedder(of request: Request) throws(Problem) {
    guard let text = request.query.values("embedder").first, let embedder = Origin(text),
      !origins.allows(embedder), request.wantsPage
    else { return }
    var problem = Problem("embedder-not-allowed", ["origin": embedder])
    problem.embedder = embedder
    throw problem
  }
}

extension Visitor {
  fileprivate mutating func take(_ claim: Identification.Claim) {
    switch claim {
    case .nobody: break
    case .nameless: isNameless = true
    case .person(let by): self.by = by
    case .token(let token): assertion = token
    }
  }
}

// MARK: Who gets in

/// A request that the gate has let in: what is requested, by which route and by whom, and whose limits it counts towards.
/// Every handler gets one.
struct Visit: Sendable {
  let request: Request
  let route: Route
  let visitor: Visitor
  var payer: Payer { Payer(request) }
  /// The program that visits, for what goes on after the request was read.
  var program: AskingProgram { AskingProgram(name: visitor.asker, payer: payer, origin: request.origin) }
}

/// A program that asks people, in its own process or by requests.
struct AskingProgram: Sendable {
  /// `nil` if it has none. With a name, it only sees its own asks.
  let name: String?
  /// Whose limits its asks count towards.
  let payer: Payer
  /// The start of people's links, unless the server has one of its own.
  let origin: String
}

/// The visitor that the gate finds in a request's head.
///
/// It holds nothing of the request itself, which the connection only uses again if nobody keeps it.
struct Visitor: Sendable {
  /// The API token of a program, or `nil` for any other visitor.
  var token: APIToken?
  /// The name of the program that visits, or `nil` if it has none. With a name, it only sees its own asks.
  var asker: String? { token?.name }
  /// The person, as far as known, and how.
  var by = Ended.By.link
  /// True for somebody who is signed in, but has no id: to sign in again would change nothing.
  var isNameless = false
  /// A token that says who the person is, and is still to be checked; or `nil`.
  var assertion: String?
  /// The person who visits, or `nil` if nobody says who that is.
  var person: Person? { by.person }
}

/// Whose limits a piece of work counts towards, and whose turn it takes.
struct Payer: Sendable {
  /// Its address; a client without one is on this machine.
  let client: IPAddress
  private let connection: UInt64

  init(_ request: Request) { (client, connection) = (request.client ?? .loopback, request.connection) }

  private init() { (client, connection) = (.loopback, 0) }

  /// A program that runs the server in its own process.
  static let ownProcess = Payer()

  /// On this machine each connection takes turns, since all have one address.
  var turn: ConcurrencyLimiter.Client { client.isLoopback ? .connection(connection) : .address(client.subscriber) }
}
