internal import Asks
internal import MicroHTTP
internal import Prompts
internal import StrictJSON

/// `/asks`: what programs do.
struct AskRoutes: Sendable {
  let service: PromptService
  let askService: AskService
  /// The start of links, or `nil` for the host of the request that makes the ask.
  let baseURL: String?

  /// `POST /asks`
  func create(_ request: Request) throws(Problem) -> Route.Reply {
    guard case .json(let json) = try Body(request) else {
      throw Problem(
        status: .unsupportedMediaType, detail: "POST /asks reads application/json.",
        headers: [("Accept", "application/json")])
    }
    let key = try request.field("idempotency-key").map { IdempotencyKey($0, body: request.body) }
    if case .some(nil) = key { throw .badRequest("“Idempotency-Key” must be 1 to 255 visible ASCII characters.") }
    return .later { () throws(Problem) in
      let read = { @Sendable () throws(Problem) in
        try AskRequest(
          json, registry: service.registry, predicates: service.judging.judge.predicates,
          allowedCallbacks: askService.allowedCallbacks
        ).draft
      }
      // A definition's patterns are compiled, which takes a while.
      let draft =
        json["definition"] == nil
        ? try read() : try await service.judging.inBackground(for: request) { _ in Result(catching: read) }.get()
      let creation = try await askService.asking { try await askService.store.create(draft, idempotency: key ?? nil) }
      switch creation {
      case .created(let ask, let token): return Self.created(.created, ask, link(token, request))
      case .existing(let ask, let token): return Self.created(.ok, ask, token.map { link($0, request) } ?? "")
      case .conflict:
        throw Problem(status: .conflict, detail: "This Idempotency-Key was used with another body; use a new key.")
      }
    }
  }

  /// `GET /asks/{id}?wait=25`: as soon as the ask is closed, else after so many seconds.
  func get(_ request: Request) throws(Problem) -> Route.Reply {
    let id = try Self.id(request)
    let text = try request.parameter("wait") ?? "0"
    guard let seconds = Int(text), (0...55).contains(seconds) else {
      throw .badRequest("“wait” must be a whole number of seconds from 0 to 55, not “\(text)”.")
    }
    guard seconds > 0 else {
      return .later { () throws(Problem) in
        try answer(try await askService.asking { try await askService.store.outcome(of: id) }, id)
      }
    }
    return .parked { pending in
      let ticket = askService.waiters.wait(for: id, atMost: .seconds(seconds)) {
        try await askService.store.outcome(of: id)
      } completion: { result in
        pending.send(response(to: result, id))
      }
      return { askService.waiters.release(ticket) }
    }
  }

  /// `DELETE /asks/{id}`: the program takes its question back.
  func withdraw(_ request: Request) throws(Problem) -> Route.Reply {
    let id = try Self.id(request)
    return .later { () throws(Problem) in
      switch try await askService.asking({ try await askService.store.withdraw(id) }) {
      case .closed(let closed): return try answer(closed, id)
      case .alreadyClosed(let closed):
        throw Problem(status: .conflict, detail: "This ask has ended already, with “\(closed.outcome.rawValue)”.")
      case .stillOpen, .unknown: throw .noSuchAsk
      }
    }
  }

  /// `GET /prompts/{name}/answers?after=CURSOR`: JSON Lines, oldest first, at most 1000.
  func answers(_ request: Request) throws(Problem) -> Route.Reply {
    let name = try service.prompt(in: request).name
    var after: StandingAnswer.Cursor?
    if let text = try request.parameter("after") {
      after = StandingAnswer.Cursor(text)
      if after == nil { throw .badRequest("“after” must be the “cursor” of an answer, not “\(text)”.") }
    }
    return .later { [after] () throws(Problem) in
      var lines = AnswerLines(store: askService.store, prompt: name, after: after)
      let first = try await askService.asking { try await lines.next() }
      if lines.isOver { return Response(.ok, type: "application/jsonl", bytes: first) }
      return Response(
        .ok, headers: [("Content-Type", "application/jsonl")],
        body: .stream { [lines] in await send(first, lines, in: $0) })
    }
  }

  /// Sends lines as fast as they are read; in between nothing is held, neither the store nor more than a part.
  private func send(_ first: [UInt8], _ rest: AnswerLines, in body: BodyWriter) async {
    var (part, rest) = (first, rest)
    while await body.writeWhenReady(part), !rest.isOver {
      do { part = try await rest.next() } catch {
        _ = askService.problem(error)
        return body.fail()
      }
    }
  }

  private func answer(_ closed: ClosedAsk?, _ id: AskID) throws(Problem) -> Response {
    let json = if let closed { try json(of: closed) } else { Ask.openJSON(id) }
    return Response(.ok, type: "application/json", bytes: json)
  }

  private func response(to result: Result<ClosedAsk?, any Error>, _ id: AskID) -> Response {
    do { return try answer(try result.get(), id) } catch { return askService.problem(error).response }
  }

  /// The bytes that every reader of the closed ask gets.
  func json(of closed: ClosedAsk) throws(Problem) -> [UInt8] {
    do throws(SecretFault) { return try askService.store.secrets.json(of: closed) } catch {
      throw Problem(status: .internalServerError, detail: "The outcome cannot be opened: \(error)")
    }
  }

  private static func created(_ status: Status, _ ask: Ask, _ link: String) -> Response {
    Response(status, type: "application/json", bytes: ask.createdJSON(link: link))
  }

  private func link(_ token: LinkToken, _ request: Request) -> String {
    (baseURL ?? "\(request.isSecure ? "https" : "http")://\(request.authority)") + "/a/" + token.text
  }

  static func id(_ request: Request) throws(Problem) -> AskID {
    guard let id = AskID(request.parameters["id"] ?? "") else { throw .noSuchAsk }
    return id
  }
}

/// Answers to a standing prompt as JSON Lines, read from the store part by part.
private struct AnswerLines: Sendable {
  let store: any AskStore
  let prompt: String
  private(set) var after: StandingAnswer.Cursor?
  private var left = 1000
  private(set) var isOver = false

  /// Bytes of answers in a part, and one answer more.
  private static let size = 64 * 1024

  init(store: any AskStore, prompt: String, after: StandingAnswer.Cursor?) {
    (self.store, self.prompt, self.after) = (store, prompt, after)
  }

  /// The lines that follow; empty: there are no more.
  mutating func next() async throws -> [UInt8] {
    let answers = try await store.answers(to: prompt, after: after, limit: left, bytes: Self.size)
    after = answers.last?.cursor ?? after
    left -= answers.count
    isOver = left == 0 || answers.reduce(0) { $0 + $1.outcome.stored.count } < Self.size
    var lines: [UInt8] = []
    for answer in answers {
      lines += try answer.line(openedWith: store.secrets)
      lines.append(UInt8(ascii: "\n"))
    }
    return lines
  }
}
