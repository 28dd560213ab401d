internal import ArgumentParser
internal import Asks
internal import Definitions
internal import Glibc
internal import Logging
internal import MCP
internal import OKCancel
internal import UnixSignals

/// `okcancel mcp`
struct Mcp: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Let an AI agent ask people, over the Model Context Protocol.",
    discussion: """
      An MCP server on standard input and output, to be started by the agent's
      program (the host). Its tools are ask_person, ask_outcome, withdraw_ask and
      list_prompts.

      Without --server it serves the questions itself, on a free port of this
      machine, and stays until they have ended, at most ten minutes after the host
      has gone. With --server it asks through a server, with OKCANCEL_API_TOKEN.

      The person gets the link from the host if that takes URL-mode elicitation,
      else by --open or --notify, else from the model, which is told to show it.
      If a way that was asked for fails, the question is withdrawn and the model
      gets an error, never the link.

      Exit codes: 0, 64 wrong usage, 65 errors in a definition, 70 any other error.

      Example: claude mcp add okcancel -- okcancel mcp --open
      """)

  @Argument(
    help: "A folder of prompt definitions that the model may use by name. (default: none)", completion: .directory)
  var folder: String?
  @Option(.url("server", "A server to ask through; needs OKCANCEL_API_TOKEN.")) var server
  @Flag(help: "Open each link in this machine's browser.") var open = false
  @Option(
    .text(
      "notify",
      "A shell command that brings the link to the person, for each question: it gets the link on its standard input and has 10 seconds. The model never sees the link.",
      "command")) var notify
  @Option(.number("port", "Port to serve questions on. (default: any free one)", "port", 0...65_535)) var port
  @Option(.text("database", "SQLite file of asks and answers, kept after the end. (default: a temporary one)", "file"))
  var database
  @OptionGroup var trust: TrustOptions
  @OptionGroup var files: FileOptions

  func run() async throws {
    // Whatever prints by mistake must not get among the messages.
    let output = dup(STDOUT_FILENO)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    signal(SIGPIPE, SIG_IGN)
    OpenFiles.raiseLimit()
    var host = Session.Host(
      version: OKCancelServer.version, process: RandomText().description, nonce: { RandomText().description })
    let presenter = LinkPresenter(opens: try Variable("open").flag(self.open), command: notify.value)
    host.tells = presenter.hasWay
    let trapped = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
    let (backend, ownServer) = try backend()
    let pipe = LinePipe(Session(host), backend: backend, presenter: presenter, output: output)
    let signals = Task {
      for await _ in trapped { return }
    }
    let work = Task {
      await pipe.run(input: STDIN_FILENO)
      // A person who has the page open may still answer.
      if ownServer != nil { await pipe.waitForOpenAsks(atMost: .seconds(600)) }
      signals.cancel()
    }
    await signals.value
    work.cancel()
    pipe.stop()
    presenter.remove()
    // The person's browser still fetches its last page.
    await ownServer?.drain(deadline: .seconds(2), patience: .zero)
    // The reader may still wait for a line.
    Self.exit()
  }

  /// Who does the work: a server elsewhere, or one of this command's own.
  private func backend() throws -> (any AskBackend, OKCancelServer?) {
    if let url = try server() {
      guard folder == nil, port.flag == nil, database.flag == nil else {
        throw fail(
          .usage, "with --server that server has the prompts and the asks; leave DIR, --port and --database out")
      }
      guard let token = Variable("api-token").list().first else {
        throw fail(.usage, "--server needs the server's API token; set OKCANCEL_API_TOKEN")
      }
      return (RemoteAskBackend(client: Client(url: url, token: token, authorities: try trust.authorities())), nil)
    }
    var configuration = Configuration()
    configuration.port = try port() ?? 0
    configuration.database = database.value
    files.apply(to: &configuration)
    do {
      let server = try OKCancelServer(
        configuration: configuration, prompts: try folder.map { try DefinitionFolder(path: $0).prompts } ?? [],
        logger: Logger(label: "okcancel") { label in
          var handler = StreamLogHandler.standardError(label: label)
          handler.logLevel = .warning
          return handler
        })
      try server.start()
      return (try server.backend, server)
    } catch {
      throw fail(error)
    }
  }
}
