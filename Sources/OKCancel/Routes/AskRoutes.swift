internal import Asks
internal import MicroHTTP
internal import Prompts

/// `/asks`: how programs ask, wait and withdraw.
struct AskRoutes: Sendable {
  let asks: AskService

  /// `POST /asks`
  func create(_ visit: Visit) throws(Problem) -> Eventual<Response> {
    let request = visit.request
    let json = try JSON(bodyOf: request, limits: .question, at: "POST /asks")
    if json["person"] != nil, visit.visitor.token?.scopes.contains(.vouch) != true {
      throw Problem(missing: .vouch)
    }
    let key = try request.idempotencyKey(), program = visit.program
    return .later { () throws(Problem) in
      let made = try await asks.make(json, key: key, for: program)
      let told = made.warnings.map { (message: $0.sentence, pointer: Problem.shortened("#" + $0.pointer)) }
      var response = Response.json(made.ask.createdJSON(link: made.link, warnings: told), made.isNew ? .created : .ok)
      if made.isNew { response.headers.append(("Location", "\(asks.basePath)/asks/\(made.ask.id)")) }
      return response
    }
  }

  /// `GET /asks/{id}?wait=25`: as soon as the ask is closed, or after that many seconds.
  func get(_ visit: Visit) throws(Problem) -> Eventual<Response> {
    let (text, asker) = (visit.request.segment("id"), visit.visitor.asker)
    let rule = "a whole number of seconds from 0 to 55"
    let seconds = try visit.request.parameter("wait", mustBe: rule) { (0...55).number($0) } ?? 0
    return .later { () throws(Problem) in
      let id = try await asks.id(text, askedBy: asker)
      let closed = try await asks.outcome(of: id, within: .seconds(seconds))
      if let closed { return .json(try await withTold(id, asks.json(of: closed))) }
      let ask = try await asks.ask(id)
      let isTold = ask.isOpen && ask.terms.notices?.noticePlan.channels.isEmpty == false
      return .json(try await withTold(id, ask.closed.map(asks.json) ?? ask.openJSON, isTold))
    }
  }

  /// The same object with what became of the ask's notices, if it has any.
  private func withTold(_ id: AskID, _ json: [UInt8], _ isTold: Bool = false) async throws(Problem) -> [UInt8] {
    if asks.reader.channels.isEmpty { return json }
    let told = try await asks.told(of: id)
    if told.isEmpty, !isTold { return json }
    return json.dropLast() + Array(#","told":"#.utf8) + JSON.array(told.map(\.json)).bytes + [UInt8(ascii: "}")]
  }

  /// `GET /asks?status=open&prompt=NAME&after=CURSOR&limit=1000`: JSON Lines, oldest first.
  func list(_ visit: Visit) throws(Problem) -> Eventual<Response> {
    let request = visit.request
    let areOpen = try request.parameter("status", mustBe: "open or closed") { ["open": true, "closed": false][$0] }
    // The prompt may no longer be on offer; its asks are still here.
    let prompt = try request.parameter("prompt", mustBe: "the name of a prompt, like email") {
      NamedPrompt.isName($0) ? $0 : nil
    }
    let after = try request.parameter("after", mustBe: "the “cursor” of an ask in this list", ListedAsk.Cursor.init)
    let asker = visit.visitor.asker
    return try asks.lines(for: request, after: after) { store, after, limit in
      try await store.asks(areOpen: areOpen, of: prompt, by: asker, after: after, limit: min(limit, 50))
    }
  }

  /// `PATCH /asks/{id}`: changes who may answer, or until when.
  func change(_ visit: Visit) throws(Problem) -> Eventual<Response> {
    let (text, program) = (visit.request.segment("id"), visit.program)
    let json = try JSON(bodyOf: visit.request, at: "PATCH /asks/{id}")
    try AskReader.checkPeople(json)
    let remedy = FaultRow("write-change")
    let (answerers, end) = try Problem.reading { reading -> (Answerers?, String?)? in
      guard let body = reading.body(json, keys: ["for", "expiresAt"], remedy: remedy) else { return nil }
      let answerers = body["for"].map { Answerers(only: $0, never: nil, &reading) }
      return (answerers, reading.string(body["expiresAt"], "expiresAt", remedy: FaultRow("write-moment")))
    }
    if answerers == nil, end == nil { throw Problem("missing-key.change") }
    let now = asks.store.clock.now
    let expiresAt = try end.map { (text) throws(Problem) -> Timestamp in
      guard let moment = Timestamp(rfc3339: text), moment > now, moment <= now + AskKey.longestExpiry else {
        let tomorrow = (now + .seconds(86_400)).description.prefix(19)
        let rule = "a moment from now on, at most 31622400 seconds away, like \(tomorrow)Z"
        throw Problem("wrong-value", ["name": "expiresAt", "rule": rule])
      }
      return moment
    }
    return .later { () throws(Problem) in
      let id = try await asks.id(text, askedBy: program.name)
      if let answerers { try await asks.check(answerers.only, of: id, for: program.payer) }
      return .json(try await asks.change(id, for: answerers?.only, expiresAt: expiresAt).createdJSON(link: nil))
    }
  }

  /// `PUT /asks/{id}/result`: what the program did after the answer. The same again changes nothing.
  func finish(_ visit: Visit) throws(Problem) -> Eventual<Response> {
    let (text, asker) = (visit.request.segment("id"), visit.visitor.asker)
    let json = try JSON(bodyOf: visit.request, at: "PUT /asks/{id}/result")
    let result = try Problem.reading { reading in
      let remedy = FaultRow("write-result")
      guard let body = reading.body(json, keys: ["status", "text"], remedy: remedy) else { return nil as AskResult? }
      return AskResult(body, &reading)
    }
    return .later { () throws(Problem) in
      let id = try await asks.id(text, askedBy: asker)
      return .json(try asks.json(of: await asks.finish(id, as: result)))
    }
  }

  /// `DELETE /asks/{id}`: the program withdraws its question. To withdraw it again changes nothing.
  func withdraw(_ visit: Visit) throws(Problem) -> Eventual<Response> {
    let (text, asker) = (visit.request.segment("id"), visit.visitor.asker)
    return .later { () throws(Problem) in
      let id = try await asks.id(text, askedBy: asker)
      let closed = try await asks.withdraw(id).closed
      guard closed.outcome == .withdrawn else { throw Problem("ended.as", ["outcome": closed.outcome.rawValue]) }
      return .json(try asks.json(of: closed))
    }
  }

  /// `GET /asks/{id}/events`: `open` at once, `closed` when it is, and then the stream ends. Each event's data is what
  /// `GET /asks/{id}` responds, byte by byte, without `told`.
  func events(_ visit: Visit) throws(Problem) -> Eventual<Response> {
    let (text, asker) = (visit.request.segment("id"), visit.visitor.asker)
    // A client that comes back because the stream has ended is told that there is no more.
    let knowsEnd = visit.request.header("last-event-id") == "closed"
    return .later { () throws(Problem) in
      let ask = try await asks.ask(asks.id(text, askedBy: asker))
      guard let closed = ask.closed else { return EventStream.response { await follow(ask, in: $0) } }
      if knowsEnd { return Response(.noContent) }
      let json = try asks.json(of: closed)
      return EventStream.response { $0.send("closed", json) }
    }
  }

  /// Ends with the outcome, with the client or with the server. If the store fails it ends too: the client comes back
  /// and is told why.
  private func follow(_ ask: Ask, in stream: EventStream) async {
    guard stream.send("open", ask.openJSON) else { return }
    while !Task.isCancelled {
      do {
        if let closed = try await asks.store.outcome(of: ask.id, atMost: EventStream.heartbeat) {
          stream.send("closed", try asks.json(of: closed))
          return
        }
      } catch {
        return
      }
      guard stream.sendComment() else { return }
    }
  }
}

extension Request {
  /// True if the client takes server-sent events.
  var takesEvents: Bool { header("accept")?.lowercased().contains("text/event-stream") == true }
}
