internal import Asks
internal import Crypto
package import MCP
internal import MicroHTTP
internal import Prompts
internal import StrictJSON

/// Does what sessions of the Model Context Protocol need done, on this server.
struct LocalAskBackend: AskBackend {
  let asks: AskRoutes
  /// Whom it is done for: under this request's name links are made, and its client pays for the work.
  let request: Request

  private var service: AskService { asks.asks }

  /// An agent may ask a thousand people at once, all of them by one client, of which the background threads let few wait.
  private static let turns = ConcurrencyLimiter(atOnce: 32, waitingLimit: 16_384)

  func perform(_ work: Work) async -> Event {
    do throws(Problem) {
      switch work {
      case .make(let body, let key): return .ask(try await make(body, key))
      case .look(let id, let seconds): return .ask(try await look(try Self.id(id), waiting: seconds))
      case .withdraw(let id): return .ask(try await withdraw(try Self.id(id)))
      case .releaseKey(let id):
        let id = try Self.id(id)
        try await service.withStore { try await $0.releaseKey(of: id) }
        return .keyReleased
      case .list: return .prompts(.array(asks.prompts.registry.current.sorted.map(\.summary)))
      }
    } catch {
      return .refused(error.inWords)
    }
  }

  private func make(_ body: JSON, _ key: Work.Key?) async throws(Problem) -> AskState {
    try service.judging.limiting.admit(request, as: .create)
    let idempotency = key.flatMap { IdempotencyKey("mcp-\($0.digest)", body: $0.fingerprint) }
    let made = await Self.turns.run { () -> Result<CreateResult, Problem> in
      do throws(Problem) { return .success(try await asks.make(body, key: idempotency, for: request)) } catch {
        return .failure(error)
      }
    }
    guard let made else { throw Problem(.tooManyQuestions) }
    switch try made.get() {
    case .created(let ask, let token): return try state(of: ask, link: asks.link(token, request), isNew: true)
    case .existing(let ask, let token): return try state(of: ask, link: token.map { asks.link($0, request) })
    case .conflict:
      throw Problem(.keyReusedByTool)
    }
  }

  private func look(_ id: AskID, waiting seconds: Int = 0) async throws(Problem) -> AskState {
    let found = try await service.withStore { store in
      if seconds > 0 { _ = try await store.outcome(of: id, among: service.waiters, atMost: .seconds(seconds)) }
      return try await store.ask(id)
    }
    guard let found else { throw Problem(.unknownAsk) }
    return try state(of: found)
  }

  private func withdraw(_ id: AskID) async throws(Problem) -> AskState {
    let result = try await service.withStore { try await $0.withdraw(id) }
    var state = try await look(id)
    if case .closed = result { state.isNew = true }
    return state
  }

  private func state(of ask: Ask, link: String? = nil, isNew: Bool = false) throws(Problem) -> AskState {
    var json: JSON?
    if let closed = ask.closed {
      do { json = try JSON(parsing: try service.store.secrets.json(of: closed), limits: .file) } catch {
        throw Problem(.unreadableOutcome(error))
      }
    }
    return AskState(
      id: ask.id.description, link: link, isNew: isNew, createdAt: ask.createdAt.description, closed: json)
  }

  private static func id(_ text: String) throws(Problem) -> AskID {
    guard let id = AskID(text) else { throw Problem(.unknownAskOfTool(text)) }
    return id
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
  package var backend: any AskBackend {
    get throws {
      LocalAskBackend(
        asks: routes.asks, request: try Request(.post, "/mcp", headers: [("Host", "127.0.0.1:\(port ?? 0)")]))
    }
  }
}

extension PublishedPrompt {
  /// What a model reads of it.
  fileprivate var summary: JSON {
    let prompt = judged.edition.prompt
    var members = [JSON.Member("name", .string(name)), .init("title", .string(prompt.title))]
    if let message = prompt.message { members.append(.init("message", .string(message))) }
    let fields = prompt.fields.map { field in
      JSON.object(
        [
          .init("name", .string(field.name)), .init("label", .string(field.label)),
          .init("kind", .string(field.kind.rawValue)), .init("optional", .bool(field.optional)),
        ] + (field.options.isEmpty ? [] : [.init("options", .array(field.options.map { .string($0.value) }))]))
    }
    return .object(members + [.init("fields", .array(fields))])
  }
}

extension Problem {
  /// All of it as one text, for a reader who has no use for JSON. Places are those of a tool's arguments.
  fileprivate var inWords: String {
    let places = errors.map { error in
      var place = error.pointer.replacing("#/", with: "")
      if place.hasPrefix("definition/") { place.removeFirst("definition/".count) }
      return "\n- \(place.isEmpty || place == "#" ? "" : "at \(place): ")\(error.message)"
    }
    return detail.replacing("; `errors` says where and what to do.", with: ":")
      .replacing("; `errors` says where.", with: ":") + places.joined()
  }
}
