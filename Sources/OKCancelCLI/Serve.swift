internal import ArgumentParser
internal import Asks
internal import Definitions
internal import Foundation
internal import Glibc
internal import Logging
internal import MicroHTTP
internal import OKCancel
internal import UnixSignals

/// `okcancel serve [DIR]`
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve the prompts in a folder.",
    discussion: """
      Each .yaml, .yml or .json file in DIR is a prompt, served at /prompts/ and its file name.

      Signals:
        SIGHUP            reads the prompts, templates, static files and the
                          certificate again; if one has an error, the old ones stay
        SIGUSR1           backs up the database to a file beside it, NAME.backup
        SIGUSR2           finishes running requests and restarts the program, without
                          a failed request
        SIGTERM, SIGINT   finish running requests and stop

      Every option is a variable too: --port is OKCANCEL_PORT.
      Secrets are only read from variables:
        OKCANCEL_API_TOKEN        what programs must show; separate several by commas
        OKCANCEL_KEY              seals answers with passwords: 32 bytes in Base64
        OKCANCEL_WEBHOOK_SECRET   signs callbacks

      Exit codes: 0 stopped, 64 wrong usage, 65 errors in the definitions,
      70 any other error, like a port or database in use.

      Example: okcancel serve Examples --port 9000
      """)

  @Argument(help: "The folder of prompt definitions. (default: Examples)", completion: .directory)
  var folder: String?
  @OptionGroup var listening: Listening
  @OptionGroup var files: FileOptions
  @OptionGroup var clients: ClientOptions
  @OptionGroup var predicates: PredicateOptions
  @OptionGroup var callbacks: CallbackOptions
  @OptionGroup var log: LogOptions
  @OptionGroup var language: LanguageOption

  @Option(
    .text(
      "database",
      "SQLite file of asks and answers, or the postgresql:// address of a database that several servers share. (default: okcancel.sqlite)",
      "file")) var database
  @Option(.text("database-direct", "Direct address of PostgreSQL, bypassing the pooler in --database.", "address"))
  var databaseDirect
  @Option(.number("keep", "Days to keep closed asks and answers. (default: forever)", "days", 1...36_500)) var keep
  @Flag(
    help: ArgumentHelp(
      "Serve a changed prompt, template or static file at once, reload open pages and show errors in them; for authors, on this machine."
    ))
  var watch = false
  @Flag(help: "Check the settings, the prompts and everything else read at startup, and exit.")
  var check = false
  @Option(.url("base-url", "Public base URL, like https://ask.example.com. (default: the host of the request)"))
  var baseURL

  func run() async throws {
    // Before anything runs that could read them.
    try Secrets.take()
    try log.apply()
    let logger = Logger(label: "okcancel")
    for warning in Variable.unknown { logger.warning("\(warning)") }
    let passed = try PassedSocket.take()
    OpenFiles.raiseLimit()
    var configuration = Configuration()
    try listening.apply(to: &configuration)
    files.apply(to: &configuration)
    if let language = try language.given() { configuration.language = language.tag }
    try clients.apply(to: &configuration)
    configuration.listeningSocket = passed?.descriptor
    configuration.database = database.value ?? "okcancel.sqlite"
    configuration.directDatabase = databaseDirect.value
    configuration.databasePassword = Secrets["PGPASSWORD"]
    configuration.keepDays = try keep()
    configuration.baseURL = try baseURL()
    try SharedDatabase(
      arguments: [("database", database.flag), ("database-direct", databaseDirect.flag)],
      hasCallbacks: !(try callbacks.allowCallback.values().isEmpty)
    ).check(configuration)
    let newToken = configuration.apiTokens.isEmpty ? RandomText().description : nil
    if let newToken {
      configuration.apiTokens = [newToken]
      Secrets.keep(newToken, as: "OKCANCEL_API_TOKEN")
    }
    configuration.databaseKey = Secrets["OKCANCEL_KEY"]
    let newSecret = try callbacks.apply(to: &configuration)
    if let newSecret { Secrets.keep(newSecret, as: "OKCANCEL_WEBHOOK_SECRET") }
    let commands = try predicates.commands()
    let path = folder ?? "Examples"
    configuration.isWatched = try watches(configuration, isOurs: passed?.isOurs ?? true)
    if try Variable("check").flag(check) {
      // Another server may be using the database; its key is checked as at a start.
      try checkKey(configuration)
      configuration.database = nil
      let server = try Self.server(configuration, try Self.prompts(in: path, commands), commands, logger)
      return await server.drain()
    }
    let folders = configuration.isWatched ? FolderWatch(Self.folders(path, configuration)) : nil
    // Trapped before anybody can know that the server is running.
    let signals = await UnixSignalsSequence(trapping: .sighup, .sigusr1, .sigusr2, .sigterm, .sigint)
    let prompts = try Self.prompts(in: path, commands)
    let server = try Self.server(configuration, prompts, commands, logger)
    do { try server.start() } catch { throw fail(error) }
    let status = "OKCancel serves \(prompts.count) prompt\(prompts.count == 1 ? "" : "s") at \(server.url)"
    standardOutput(status)
    if passed != nil { logger.info("listening on the socket that was passed; --host and --port are ignored") }
    let manager = ServiceManager()
    if !manager.ready(status) { logger.warning("the service manager cannot be told that the server is ready") }
    let watchdog = manager.watchdog { await server.answers(within: $0) }
    defer { watchdog?.cancel() }
    if let newToken {
      standardError("The API token for this run is \(newToken) (to keep one, set OKCANCEL_API_TOKEN before the start)")
    }
    if let newSecret {
      standardError(
        "The webhook secret for this run is \(newSecret) (to keep one, set OKCANCEL_WEBHOOK_SECRET before the start)")
    }

    folders?.start { kill(getpid(), SIGHUP) }
    if folders != nil { logger.info("watching for changes; open pages reload by themselves") }

    let restart = Restart(of: server, by: Successor(ownsSocket: passed?.isOurs ?? true), manager, logger)
    signals: for await signal in signals {
      switch signal {
      case .sighup:
        manager.reloading()
        manager.ready(Self.reload(server, path, commands, logger))
      case .sigusr1: await Self.backUp(server, logger)
      case .sigusr2: restart.begin()
      default: break signals
      }
    }
    manager.stopping()
    logger.info("stopping")
    if await restart.stop() { return }
    if passed?.isOurs == false { await server.handOver() } else { await server.drain() }
  }

  private func checkKey(_ configuration: Configuration) throws {
    guard let path = configuration.database else { return }
    do {
      try SecretSource.beside(path, environment: configuration.databaseKey).check(against: path)
    } catch {
      throw fail(.internalError, "the database cannot be used: \(error)")
    }
  }

  /// Whether open pages learn of changes and errors.
  ///
  /// - Throws: if anybody but the author could see them.
  private func watches(_ configuration: Configuration, isOurs: Bool) throws -> Bool {
    let setting = Variable("watch")
    guard try setting.flag(watch) else { return false }
    let host = configuration.host
    let isLoopback = host == "localhost" || IPAddress(host.trimmingCharacters(in: ["[", "]"]))?.isLoopback == true
    let obstacle =
      !isLoopback
      ? "with --host \(host)"
      : !isOurs
        ? "with a passed socket"
        : !configuration.trustedProxies.isEmpty ? "with --trust-proxy" : nil
    guard let obstacle else { return true }
    throw fail(
      .usage,
      "--watch shows the errors in your files to everybody who can open a page, so it cannot be used \(obstacle); leave that out to listen on this machine only, or leave out --watch"
    )
  }

  private static func folders(_ path: String, _ configuration: Configuration) -> [FolderWatch.Folder] {
    let flat = [path, configuration.templates].compactMap { $0.map { FolderWatch.Folder(path: $0, isDeep: false) } }
    return flat + [configuration.public].compactMap { $0.map { FolderWatch.Folder(path: $0, isDeep: true) } }
  }

  private static func server(
    _ configuration: Configuration, _ prompts: [NamedPrompt], _ commands: [String: CommandPredicate], _ logger: Logger
  ) throws -> OKCancelServer {
    do {
      return try OKCancelServer(configuration: configuration, prompts: prompts, commands: commands, logger: logger)
    } catch {
      throw fail(error)
    }
  }

  private static func prompts(in path: String, _ commands: [String: CommandPredicate]) throws -> [NamedPrompt] {
    do { return try DefinitionFolder(path: path, predicates: Array(commands.keys)).prompts } catch { throw fail(error) }
  }

  private static func backUp(_ server: OKCancelServer, _ logger: Logger) async {
    guard let database = server.configuration.database else { return }
    let path = database + ".backup"
    do throws(SetupFault) {
      try await server.backUp(to: path)
      logger.info("backed up to \(path)")
    } catch {
      logger.error("\(error)")
    }
  }

  /// - Returns: the status for the service manager.
  private static func reload(
    _ server: OKCancelServer, _ path: String, _ commands: [String: CommandPredicate], _ logger: Logger
  ) -> String {
    var faults: [String] = []
    func attempt(_ work: () throws -> Void, orElse fault: String, show: ([String]) -> Void = { _ in }) {
      do { try work() } catch {
        let lines = "\(error)".split(separator: "\n").map(String.init)
        for line in lines { logger.error("\(line)") }
        logger.error("\(fault)")
        faults.append(fault)
        show(lines)
      }
    }
    var count = 0
    attempt(
      {
        let prompts = try DefinitionFolder(path: path, predicates: Array(commands.keys)).prompts
        try server.replacePrompts(prompts)
        count = prompts.count
        logger.info("reloaded \(count) prompts")
      }, orElse: "the old prompts stay", show: server.show)
    attempt(
      { if try server.renewCertificate() { logger.info("reloaded the certificate") } },
      orElse: "the old certificate stays")
    guard faults.isEmpty else { return "The reload found errors; \(faults.joined(separator: ", ")), at \(server.url)" }
    return "OKCancel serves \(count) prompt\(count == 1 ? "" : "s") at \(server.url)"
  }
}

/// How many files and sockets this process may have open.
enum OpenFiles {
  /// Allows as many as the system grants: the usual limit of 1024 is fewer than the connections that a server accepts.
  static func raiseLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
