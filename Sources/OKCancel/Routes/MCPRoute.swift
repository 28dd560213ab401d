internal import Asks
internal import Crypto
internal import MicroHTTP
internal import Prompts
internal import Synchronization

/// `POST /mcp`: the Model Context Protocol over Streamable HTTP. Each request is a session of its own; what must outlive
/// it is in the store, or comes back from the client.
struct MCPRoute: Sendable {
  let asks: AskService
  let readiness: Readiness
  private let calls = CancellableCalls()

  func post(_ visit: Visit) throws(Problem) -> Eventual<Response> {
    let request = visit.request
    try Body.Coding.requireJSON(request, at: "POST /mcp")
    let host = Session.Host(version: OKCancelServer.version, nonce: { RandomText().description })
    let headers = MirroredHeaders(
      version: try request.field("mcp-protocol-version"), method: try request.field("mcp-method"),
      name: try request.field("mcp-name"))
    var session = Session(host, headers: headers, sessionID: try request.field("mcp-session-id"))
    let actions = session.receive(request.body)
    guard session.waits else {
      for case .stop(let id) in actions { call(id, of: session, visit).map(calls.cancel) }
      return .now(Self.response(actions.compactMap(\.outgoing).last))
    }
    guard session.notifies, request.takesEvents else {
      return .later { [session] () throws(Problem) in
        var last: Outgoing?, ended: String?
        await run(session, actions, for: visit) { (last, ended) = ($0, $1) }
        var response = Self.response(last)
        if let ended {
          asks.deliveries.begin(ended)
          response.delivered = { delivered(ended, isTaken: $0) }
        }
        return response
      }
    }
    let ended = Mutex(String?.none)
    var response = EventStream.response { [session] stream in
      await run(session, actions, for: visit) { message, ask in
        if let ask, !stream.peerHasClosed {
          asks.deliveries.begin(ask)
          ended.withLock { $0 = ask }
        }
        stream.send(message.bytes, after: "event: message\n")
      }
    }
    response.delivered = { isTaken in
      if let ask = ended.withLock(\.self) { delivered(ask, isTaken: isTaken) }
    }
    return .now(response)
  }

  /// - Parameter isTaken: whether the outcome was written to a connection whose client was still there.
  private func delivered(_ ask: String, isTaken: Bool) {
    Task {
      if isTaken, let id = AskID(ask) { try? await asks.releaseKey(of: id) }
      asks.deliveries.end(ask)
    }
  }

  /// The name of a call for notifications of the same session and program; `nil` without a session, whose requests nobody
  /// can tell from those of others.
  private func call(_ id: ID?, of session: Session, _ visit: Visit) -> String? {
    guard let id, let session = session.sessionID else { return nil }
    return "\(visit.visitor.asker ?? "") \(session) \(id.text)"
  }

  /// - Parameter message: `nil` for a message that needs no answer.
  private static func response(_ message: Outgoing?) -> Response {
    guard let message else { return Response(.accepted) }
    var response = Response.json(message.bytes, Status(rawValue: message.status) ?? .internalServerError)
    if let session = message.session { response.headers.append(("Mcp-Session-Id", session)) }
    return response
  }

  /// Performs the actions of a session that has one request.
  ///
  /// - Parameter send: sends a message and, if it says how an ask ended, gets that ask's id.
  private func run(
    _ session: Session, _ actions: [Action], for visit: Visit, send: (Outgoing, _ ended: String?) -> Void
  ) async {
    let backend = LocalAskBackend(asks: asks, program: visit.program, only: visit.request.query.values("for"))
    var (session, actions) = (session, actions[...])
    while let action = actions.popFirst() {
      switch action {
      case .send(let message): send(message, nil)
      case .deliver(let message, let ask): send(message, ask)
      // Over HTTP nobody brings links to people but the client and the model.
      case .stop, .tell: break
      case .background(let work): _ = await backend.perform(work)
      case .work(let id, let work):
        let (event, isCancelled) = await calls.run(call(session.request, of: session, visit)) {
          await backend.perform(work)
        }
        // The task is cancelled because the client has gone, unless the server is stopping.
        if isCancelled || Task.isCancelled, !readiness.isStopping {
          let last = session.disconnected(isCancelled: isCancelled) + session.resume(id, with: event)
          // In a task of its own, since this one is cancelled.
          return await Task { for case .background(let work) in last { _ = await backend.perform(work) } }.value
        }
        actions += session.resume(id, with: event)
      }
    }
  }
}

extension Action {
  fileprivate var outgoing: Outgoing? {
    switch self {
    case .send(let message), .deliver(let message, _): message
    case .work, .background, .tell, .stop: nil
    }
  }
}

/// Does what sessions of the Model Context Protocol need done, on this server.
private struct LocalAskBackend: AskBackend {
  let asks: AskService
  let program: AskingProgram
  /// Who may answer, as the host says, which no model can widen; empty if it does not say.
  var only: [String] = []

  /// An agent may ask a thousand people at once. All of these requests come from one client, of which the background
  /// threads queue only a few.
  private static let turns = ConcurrencyLimiter(atOnce: 32, waitingLimit: 16_384)

  func perform(_ work: Work) async -> Event {
    do throws(Problem) {
      switch work {
      case .make(let body, let key): return .ask(try await make(body, key))
      case .look(let text, let seconds):
        let id = try await id(text)
        if seconds > 0 { _ = try await asks.outcome(of: id, within: .seconds(seconds)) }
        return .ask(try await state(of: asks.ask(id)))
      case .withdraw(let text):
        let id = try await id(text), isNew = try await asks.withdraw(id).isNew
        return .ask(try await state(of: asks.ask(id), isNew: isNew))
      case .finish(let text, let result):
        let id = try await id(text)
        _ = try await asks.finish(id, as: result)
        return .ask(try await state(of: asks.ask(id)))
      case .releaseKey(let text):
        try await asks.releaseKey(of: id(text))
        return .keyReleased
      case .list: return .prompts(.array(asks.registry.current.sorted.map(\.summary)))
      }
    } catch {
      return .refused(error.inWords)
    }
  }

  private func make(_ body: JSON, _ key: Work.Key?) async throws(Problem) -> AskState {
    if let name = body.text("prompt"), asks.registry.current[name] == nil {
      let names = asks.registry.current.sorted.map(\.name)
      if let nearest = Nearest.nearest(to: name, among: names) {
        throw Problem("unknown-prompt.near", ["name": name.excerpt, "nearest": nearest])
      }
      throw Problem("unknown-prompt.of-tool", ["name": name.excerpt])
    }
    let body = try narrowed(body)
    try asks.judging.limiting.admit(program.payer, as: .create)
    var made = try await made(body, key)
    // An outcome that is still on its way to the client releases the key once it is there.
    if !made.isNew, !made.ask.isOpen, await asks.deliveries.settle(made.ask.id.description) {
      made = try await self.made(body, key)
    }
    var state = try state(of: made.ask, link: made.link, isNew: made.isNew)
    // Places are those of the tool's arguments.
    state.warnings = made.warnings.map { fault in
      let place = fault.pointer.split(separator: "/").drop { $0 == "definition" }.joined(separator: "/")
      return place.isEmpty ? fault.sentence : "at \(place): \(fault.sentence)"
    }
    return state
  }

  /// The body with `for`: those whom the host names, or those of them whom the model names.
  private func narrowed(_ body: JSON) throws(Problem) -> JSON {
    if only.isEmpty { return body }
    guard body["for"] != nil else { return body + ["for": .strings(only)] }
    guard body.texts("for").allSatisfy(only.contains) else {
      let rule = "left out, or some of \(only.joined(separator: ", ")), as the host says"
      throw Problem("wrong-value", ["name": "for", "rule": rule])
    }
    return body
  }

  private func made(_ body: JSON, _ key: Work.Key?) async throws(Problem) -> AskService.Made {
    let idempotency = key.flatMap { IdempotencyKey("mcp-\($0.digest)", body: $0.fingerprint) }
    let created = await Self.turns.run { () -> Result<AskService.Made, Problem> in
      do throws(Problem) {
        return .success(
          try await asks.make(body, key: idempotency, for: program, conflict: Problem("key-reused.of-tool")))
      } catch {
        return .failure(error)
      }
    }
    guard let created else { throw Problem("busy.questions") }
    return try created.get()
  }

  private func state(of ask: Ask, link: String? = nil, isNew: Bool = false) throws(Problem) -> AskState {
    let closed = try ask.closed.map { (closed) throws(Problem) in
      let bytes = try asks.json(of: closed)
      return try asks.reading(Problem.init(unreadableOutcome:)) { try JSON(parsing: bytes, limits: .file) }
    }
    var state = AskState(
      id: ask.id.description, link: link, isNew: isNew, createdAt: ask.createdAt.description,
      askedBy: ask.terms.askedBy, closed: closed)
    state.isTold = ask.terms.notices != nil
    return state
  }

  private func id(_ text: String) async throws(Problem) -> AskID {
    guard AskID(text) != nil else { throw Problem("unknown-ask.of-tool", ["id": text.excerpt]) }
    return try await asks.id(text, askedBy: program.name)
  }
}

extension Work.Key {
  /// The key as hexadecimal digits: scopes and questions can be long.
  package var digest: String {
    var bytes = Array(scope.utf8)
    // An explicit key stays the same for another question, which is a mistake then.
    if !isExplicit { bytes += [0] + fingerprint }
    return SHA256.hash(data: bytes).hexadecimal
  }
}

extension OKCancelServer {
  /// Does what sessions need done, on this server while it runs, for a client on this machine.
  package var backend: any AskBackend { LocalAskBackend(asks: asks, program: ownProgram) }
}

extension PublishedPrompt {
  /// The summary that a model reads.
  fileprivate var summary: JSON {
    let prompt = edition.prompt
    let fields = prompt.fields.map { field -> JSON in
      [
        "name": .string(field.name), "label": .string(field.label), "kind": .string(field.kind.rawValue),
        "at": field.path == [field.name] ? nil : .string(field.at),
        "valueType": (field.answer.type?.rawValue).map(JSON.string),
        "optional": .bool(field.optional), "unit": field.unit.map(JSON.string),
        "options": field.options.isEmpty ? nil : .strings(field.options.map(\.value)),
      ]
    }
    return [
      "name": .string(name), "title": .string(prompt.title), "message": prompt.message.map(JSON.string),
      "fields": .array(fields),
    ]
  }
}
