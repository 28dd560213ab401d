internal import Asks
internal import MicroHTTP
internal import Prompts
internal import StrictJSON

/// `/asks`: how programs ask, wait and withdraw.
struct AskRoutes: Sendable {
  let prompts: PromptService
  let asks: AskService
  /// The start of links, or `nil` for the host of the request that makes the ask.
  let baseURL: String?
  /// That of definitions that name none.
  let language: Language

  /// `POST /asks`
  func create(_ request: Request) throws(Problem) -> Reply {
    guard case .json(let json) = try Body(request, limits: .question) else {
      throw Problem(.onlyJSON(route: "POST /asks"))
    }
    let key = try request.idempotencyKey
    return .later { () throws(Problem) in
      switch try await make(json, key: key, for: request) {
      case .created(let ask, let token):
        var response = Response.json(ask.createdJSON(link: link(token, request)), .created)
        response.headers.append(("Location", "/asks/\(ask.id)"))
        return response
      case .existing(let ask, let token): return .json(ask.createdJSON(link: token.map { link($0, request) }))
      case .conflict: throw Problem(.keyReused)
      }
    }
  }

  /// Makes the ask that a body describes, or finds the one that was made with the key.
  func make(_ json: JSON, key: IdempotencyKey?, for request: Request) async throws(Problem) -> CreateResult {
    let read = { @Sendable () throws(Problem) in
      try AskRequest(
        json, registry: prompts.registry, predicates: prompts.judging.judge.predicates,
        allowedCallbacks: asks.allowedCallbacks, language: language
      ).draft
    }
    // A definition's patterns are compiled, which takes a while.
    let draft =
      json["prompt"] != nil
      ? try read() : try await prompts.judging.inBackground(for: request) { _ in Result(catching: read) }.get()
    return try await asks.withStore { try await $0.create(draft, idempotency: key) }
  }

  /// The person's link, under the name that the request came to.
  func link(_ token: LinkToken, _ request: Request) -> String {
    (baseURL ?? "\(request.isSecure ? "https" : "http")://\(request.authority)") + "/a/" + token.text
  }

  /// `GET /asks/{id}?wait=25`: as soon as the ask is closed, or after that many seconds.
  func get(_ request: Request) throws(Problem) -> Reply {
    let id = try Self.id(request)
    let text = try request.parameter("wait") ?? "0"
    guard let seconds = Int(text), (0...55).contains(seconds) else {
      throw Problem(.wrongValue("wait", mustBe: "a whole number of seconds from 0 to 55", not: "“\(text)”"))
    }
    return .later { () throws(Problem) in
      let closed = try await asks.withStore {
        try await $0.outcome(of: id, among: asks.waiters, atMost: .seconds(seconds))
      }
      if let closed { return .json(try json(of: closed)) }
      guard let ask = try await asks.withStore({ try await $0.ask(id) }) else { throw Problem(.unknownAsk) }
      return .json(try state(of: ask))
    }
  }

  /// `GET /asks?status=open&prompt=NAME&after=CURSOR`: JSON Lines, oldest first, at most 1000.
  func list(_ request: Request) throws(Problem) -> Reply {
    let areOpen: Bool?
    switch try request.parameter("status") {
    case nil: areOpen = nil
    case "open"?: areOpen = true
    case "closed"?: areOpen = false
    case let other?: throw Problem(.wrongValue("status", mustBe: "open or closed", not: "“\(other)”"))
    }
    // The prompt may no longer be on offer; its asks are still here.
    let prompt = try request.parameter("prompt")
    if let prompt, !NamedPrompt.isName(prompt) { throw Problem(.noPromptName(prompt)) }
    let after = try request.cursor("the “cursor” of an ask in this list", ListedAsk.Cursor.init)
    return asks.lines(after: after) { store, after, limit in
      let limit = min(limit, 50)
      let part = try await store.asks(areOpen: areOpen, of: prompt, after: after, limit: limit)
      return (try part.map { try $0.line(openedWith: store.secrets) }, part.last?.cursor, part.count < limit)
    }
  }

  /// `DELETE /asks/{id}`: the program withdraws its question. To withdraw it again changes nothing.
  func withdraw(_ request: Request) throws(Problem) -> Reply {
    let id = try Self.id(request)
    return .later { () throws(Problem) in
      switch try await asks.withStore({ try await $0.withdraw(id) }) {
      case .closed(let closed): return .json(try json(of: closed))
      case .alreadyClosed(let closed) where closed.outcome == .withdrawn: return .json(try json(of: closed))
      case .alreadyClosed(let closed): throw Problem(.alreadyEnded(closed.outcome))
      case .stillOpen, .unknown: throw Problem(.unknownAsk)
      }
    }
  }

  private static func id(_ request: Request) throws(Problem) -> AskID {
    guard let id = AskID(request.parameters["id"] ?? "") else { throw Problem(.unknownAsk) }
    return id
  }

  /// What programs read of an ask, open or closed.
  private func state(of ask: Ask) throws(Problem) -> [UInt8] { try ask.closed.map(json) ?? ask.openJSON }

  /// The bytes that every reader of the closed ask gets.
  private func json(of closed: ClosedAsk) throws(Problem) -> [UInt8] {
    do throws(SecretFault) { return try asks.store.secrets.json(of: closed) } catch {
      throw Problem(.unreadableOutcome(error))
    }
  }
}

/// An ask as server-sent events (HTML Standard, section 9.2): `open` at once, `closed` when it is, and then the stream
/// ends. Each event's data is what `GET /asks/{id}` responds, byte by byte.
extension AskRoutes {
  private enum Event: String {
    case open, closed

    /// A line that clients skip.
    static let comment = ":\n\n"

    /// - Parameter json: on one line, as this server writes it.
    func bytes(_ json: [UInt8]) -> [UInt8] {
      // A client that loses the connection comes back after a second, not after the browser's three or more.
      Array("event: \(rawValue)\nid: \(rawValue)\nretry: 1000\ndata: ".utf8) + json + Array("\n\n".utf8)
    }
  }

  /// After so long without an event a comment is sent, so that no proxy closes an idle connection, and the server
  /// notices a client that has gone.
  private static let heartbeat: Duration = .seconds(15)

  /// `GET /asks/{id}/events`
  func events(_ request: Request) throws(Problem) -> Reply {
    let id = try Self.id(request)
    // A client that comes back because the stream has ended is told that there is no more.
    let knowsEnd = request.header("last-event-id") == Event.closed.rawValue
    return .later { () throws(Problem) in
      guard let ask = try await asks.withStore({ try await $0.ask(id) }) else { throw Problem(.unknownAsk) }
      guard let closed = ask.closed else { return Self.stream { await follow(ask, in: $0) } }
      if knowsEnd { return Response(.noContent) }
      let event = Event.closed.bytes(try json(of: closed))
      return Self.stream { $0.write(event) }
    }
  }

  /// Ends with the outcome, with the client or with the server. If the store fails it ends too: the client comes back
  /// and is told why.
  private func follow(_ ask: Ask, in stream: BodyWriter) async {
    guard stream.write(Event.open.bytes(ask.openJSON)) else { return }
    while !Task.isCancelled {
      do {
        if let closed = try await asks.store.outcome(of: ask.id, among: asks.waiters, atMost: Self.heartbeat) {
          stream.write(Event.closed.bytes(try json(of: closed)))
          return
        }
      } catch {
        return
      }
      guard stream.write(Event.comment) else { return }
    }
  }

  private static func stream(_ work: @escaping @Sendable (BodyWriter) async -> Void) -> Response {
    // nginx would hold events back to fill its buffer.
    let headers = [("Content-Type", "text/event-stream"), ("X-Accel-Buffering", "no")]
    return Response(.ok, headers: headers, body: .stream(work))
  }
}
