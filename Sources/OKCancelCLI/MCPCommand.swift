internal import ArgumentParser
internal import Asks
internal import Glibc
internal import Logging
internal import OKCancel
internal import Prompts

/// `okcancel mcp`
struct MCPCommand: Command {
  @Argument(help: .of("mcp.folder"), completion: .directory) var folder: String?
  @Option(.url("server")) var server
  @Flag("mcp.open") var open
  @Option(repeating: .text("notify")) var notify
  @Option(.text("mcp.notify-command")) var notifyCommand
  @Option(repeating: .id("mcp.for", read: Answerers.Entry.init(reading:)).withoutVariable) var `for`
  @Option(.number("mcp.port", 0...65_535).withoutVariable) var port
  @Option(.text("mcp.database").withoutVariable) var database
  @OptionGroup var trust: TrustOptions
  @OptionGroup var files: FileOptions

  func run() async throws {
    // Whatever prints by mistake must not get among the messages.
    let output = dup(STDOUT_FILENO)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    var host = Session.Host(
      version: OKCancelServer.version, process: RandomText().description, nonce: { RandomText().description })
    let presenter = LinkPresenter(opens: self.open, command: notifyCommand.text)
    (host.tells, host.notifies) = (presenter.hasWay, !notify.texts.isEmpty)
    let trapped = await Program.trap()
    let (backend, ownServer) = try backend()
    let (endings, ended) = AsyncStream.makeStream(of: OutputFault?.self)
    let pipe = LinePipe(Session(host), backend: backend, presenter: presenter, output: output) { ended.yield($0) }
    let result = await Program.cancelled(by: trapped) {
      let work = Task {
        await pipe.run(input: STDIN_FILENO)
        // A person who has the page open may still answer.
        if ownServer != nil { await pipe.waitForOpenAsks(atMost: .seconds(600)) }
        ended.yield(nil)
      }
      defer { work.cancel() }
      // Also over once this is cancelled.
      if let fault = await endings.first(where: { _ in true }) ?? nil { throw fault }
    }
    pipe.stop()
    presenter.browser.remove()
    await ownServer?.endWithCommand()
    try result.get()
  }

  /// The backend that does the work: a server elsewhere, or one of this command's own.
  private func backend() throws -> (any AskBackend, OKCancelServer?) {
    let (url, authorities, ownPort) = try Failure.Collected().reading {
      (try self.server(), try trust.cacert(), try port() ?? 0)
    }
    try OptionRule.check(OptionRule.mcp)
    if let url {
      guard folder == nil, port.text == nil, database.text == nil else { throw Failure("server-has-prompts") }
      guard let token = try Variable.apiToken() else { throw Failure("server-needs-token") }
      let client = Client(url: url, token: token, authorities: authorities)
      return (RemoteAskBackend(client: client, only: try `for`.values(), notify: notify.texts), nil)
    }
    let prompts = try folder.map { try NamedPrompt.read(folder: $0, predicates: nil, in: .english) }
    let server = try OKCancelServer.ofCommand(
      prompts: prompts ?? [], log: LineLogHandler(logLevel: .warning, format: .text)
    ) { configuration in
      configuration.port = ownPort
      if let path = database.text {
        guard try !isPostgreSQL(path) else { throw Failure("agents-of-postgresql") }
        (configuration.database, configuration.databaseKey) = (path, try Secrets.key())
      }
      try files.apply(to: &configuration)
    }
    try server.start()
    return (server.backend, server)
  }
}

/// Asks through a server elsewhere, by its own `POST /mcp`: it reads the arguments, and says what is wrong with them.
struct RemoteAskBackend: AskBackend {
  let client: Client
  /// Who may answer, whatever the model says; empty for everybody with the link.
  var only: [String] = []
  /// The server's channels that tell people of every ask.
  var notify: [String] = []

  func perform(_ work: Work) async -> Event {
    do {
      switch work {
      case .make(let body, let key):
        // The tool takes the members of a definition as arguments of its own.
        var arguments = body.members.flatMap { $0.key == "definition" ? $0.value.members : [$0] }
        // Some hosts fill in every argument: an empty list names nobody.
        let isEmpty = if case .array(let names)? = body["notify"] { names.isEmpty } else { body["notify"] == nil }
        if !notify.isEmpty, isEmpty {
          arguments.removeAll { $0.key == "notify" }
          arguments.append(.init("notify", .strings(notify)))
        }
        if let key { arguments.append(.init("key", .string(key.digest))) }
        return try await ask("ask_person", arguments + [.init("wait", 0)])
      case .look(let id, let seconds):
        // Unlike the tool, this does not count as delivered: the host of this command does not have it yet.
        if let state = try await look(id, seconds: seconds) { return .ask(state) }
        return try await outcome(of: id)
      case .withdraw(let id): return try await ask("withdraw_ask", [.init("id", .string(id))])
      case .finish(let id, let result):
        return try await ask("report_result", [.init("id", .string(id))] + result.json.members)
      case .releaseKey(let id):
        _ = try await outcome(of: id)
        return .keyReleased
      case .list: return .prompts(try await call("list_prompts", [])["structuredContent"]?["prompts"] ?? [])
      }
    } catch let refusal as PlainError {
      return .refused(refusal.description)
    } catch {
      return .cannotAsk(error)
    }
  }

  /// The ask's state, or `nil` if there is none.
  private func look(_ id: String, seconds: Int) async throws -> AskState? {
    do throws(AskFault) {
      // A request may be cut off by a proxy after a minute.
      let wait = min(seconds, 50), patience = Client.Patience(for: .seconds(wait + 10), isReached: true)
      return AskState(try await client.ask(id, wait: wait, patience: patience))
    } catch {
      guard case .unknownAsk = error else { throw error }
      return nil
    }
  }

  /// Has the server deliver the outcome, or say that there is no such ask.
  private func outcome(of id: String) async throws -> Event {
    try await ask("ask_outcome", [.init("id", .string(id)), .init("wait", 0)])
  }

  /// Again for a while if it is away, as when it restarts.
  private var patience: Client.Patience { Client.Patience(for: .seconds(10), isReached: true) }

  private func ask(_ tool: String, _ arguments: [JSON.Member]) async throws -> Event {
    let result = try await call(tool, arguments)
    guard let state = result["structuredContent"].flatMap({ AskState($0, meta: result["_meta"]) }) else {
      throw AskFault.noID
    }
    return .ask(state)
  }

  /// - Throws: `PlainError` with the words in which the server refuses the call.
  private func call(_ tool: String, _ arguments: [JSON.Member]) async throws -> JSON {
    let request: JSON = [
      "jsonrpc": "2.0", "id": 1, "method": "tools/call",
      "params": ["name": .string(tool), "arguments": .object(arguments), "_meta": ["okcancel/link": true]],
    ]
    let path = "/mcp" + Client.query(only.map { ("for", $0) })
    let response = try await client.send("POST", path, Array(request.text.utf8), patience: patience)
    if let message = response["error"]?.text("message") { throw PlainError(message) }
    let result = response["result"] ?? .null
    guard case .bool(true)? = result["isError"] else { return result }
    guard case .array(let content)? = result["content"], let text = content.first?.text("text") else {
      throw AskFault.noText
    }
    throw PlainError(text)
  }
}
