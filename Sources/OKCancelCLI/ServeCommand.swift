internal import ArgumentParser
internal import Asks
internal import Foundation
internal import Glibc
internal import Logging
internal import OKCancel
internal import Platform
internal import Prompts
internal import Synchronization
internal import UnixSignals

/// `okcancel serve [DIR]`
struct ServeCommand: Command {
  @Argument(help: .of("serve.folder"), completion: .directory) var folder = "Examples"
  @OptionGroup var options: ServerOptions
  @OptionGroup var identity: IdentityOptions
  @OptionGroup var files: FileOptions
  @OptionGroup var predicates: PredicateOptions
  @OptionGroup var log: LogOptions
  @Option(.language("language"), inWords: Configuration().language) var language
  @Option(.timeZone) var timeZone

  @Option(.text("serve.database"), default: usualDatabase) var database
  @Option(.text("database-direct")) var databaseDirect
  @Option(.number("keep", 1...36_500, of: "days")) var keep
  @Flag("watch") var watch
  @Flag("check") var check
  @Option(.text("answers")) var answers
  @Flag("answers-from-anywhere") var answersFromAnywhere
  @Flag("no-suggestions") var noSuggestions
  @Option(.urlForBrowsers("base-url")) var baseURL

  func run() async throws {
    // Before anything runs that could read them.
    Secrets.take()
    let passed = try PassedSocket.take()
    var (configuration, commands) = try Failure.Collected().reading { try settings(passed) }
    let logger = Logger(label: "okcancel")
    let announcements = Secrets.make(missingIn: &configuration)
    if check {
      // Another server may be using the database; its key is checked as at a start.
      if let path = configuration.database {
        let key = SecretSource.beside(path, environment: configuration.databaseKey)
        do { try key.check(against: path) } catch { throw Failure.database(error) }
      }
      configuration.database = nil
      let server = try OKCancelServer(
        configuration: configuration, prompts: try prompts(commands), commands: commands, logger: logger)
      try server.checkHost()
      return await server.drain()
    }
    let watched = [(folder, false), (configuration.templates, false), (configuration.public, true)]
    let folders = configuration.isWatched ? FolderWatch(watched) : nil
    // Trapped before anybody can know that the server is running.
    let signals = await Program.trap([.sigterm, .sigint], and: [.sighup, .sigusr1, .sigusr2])
    let prompts = try prompts(commands)
    let server = try OKCancelServer(
      configuration: configuration, prompts: prompts, commands: commands, logger: logger)
    try server.start()
    let status = Self.status(prompts, server)
    let announcement = try log.announcement(status)
    do { try standardOutput(announcement) } catch { logger.warning("\(error)") }
    if passed != nil { logger.info("listening on the socket that was passed; --host and --port are ignored") }
    let manager = ServiceManager()
    if !manager.ready(status) { logger.warning("the service manager cannot be told that the server is ready") }
    let watchdog = manager.watchdog { await server.answers(within: $0) }
    defer { watchdog?.cancel() }
    for line in announcements { standardError(try log.announcement(line)) }

    folders?.start { kill(getpid(), SIGHUP) }
    if folders != nil { logger.info("watching for changes; open pages reload by themselves") }

    // Once the server is told to stop, it handles each kind of queued signal at most once, instead of hundreds of reloads.
    var handledWhileStopping: Set<UnixSignal> = []
    signals: for await signal in signals {
      if Output.isEnding.load(ordering: .relaxed), !handledWhileStopping.insert(signal).inserted { continue }
      switch signal {
      case .sighup:
        manager.reloading()
        manager.ready(reload(server, commands, logger))
      case .sigusr1: await Self.backUp(server, logger)
      case .sigusr2:
        logger.warning(
          "SIGUSR2 does nothing; enable okcancel.socket and use “systemctl restart okcancel”, which fails no request")
      default: break signals
      }
    }
    manager.stopping()
    logger.info("stopping")
    await server.drain()
  }

  func readSettings() throws { _ = try settings(nil) }

  /// The settings that the options and variables give.
  private func settings(_ passed: Int32?) throws -> (Configuration, [String: CommandPredicate]) {
    var configuration = Configuration()
    configuration.requestLog = try log.apply()
    // A misspelt name may be why something else is wrong.
    for warning in Variable.unknown { Logger(label: "okcancel").warning("\(warning)") }
    try options.apply(to: &configuration)
    for warning in options.channels.unread() {
      Logger(label: "okcancel").warning("\(warning)")
    }
    try identity.apply(to: &configuration, hasProxy: options.trustProxy.areGiven())
    try files.apply(to: &configuration)
    configuration.language = try language()?.tag ?? configuration.language
    configuration.timeZone = try timeZone()
    configuration.listeningSocket = passed
    configuration.database = try database()
    configuration.directDatabase = databaseDirect.text
    configuration.databasePassword = Secrets["PGPASSWORD"]
    do throws(Failure) { configuration.databaseKey = try Secrets.key() } catch {
      try error.collect()
      configuration.databaseKey = ""
    }
    configuration.keepDays = try keep()
    configuration.baseURL = try baseURL()
    do throws(AskFault) { try configuration.checkBaseURL() } catch { try Failure(usage: error).collect() }
    try checkDatabase(configuration)
    configuration.isWatched = watch
    configuration.offersSuggestions = !noSuggestions
    configuration.answers = try answers.text.map(CannedAnswer.read)
    for reach in Self.reach(of: configuration) {
      if watch { try Failure("watch", ["reach": reach]).collect() }
      if answers.text != nil, !answersFromAnywhere { try Failure("answers", ["reach": reach]).collect() }
    }
    do { try OptionRule.check(OptionRule.serve) } catch { try error.collect() }
    return (configuration, try predicates.commands())
  }

  /// The ways in which others than the users of this machine may reach the server.
  private static func reach(of configuration: Configuration) -> [String] {
    let host = configuration.host
    return [
      IPAddress.isLoopback(host: host) ? nil : "with --host \(host)",
      configuration.listeningSocket != nil ? "with a passed socket" : nil,
      configuration.trustedProxies.isEmpty ? nil : "with --trust-proxy",
    ].compactMap(\.self)
  }

  private func prompts(_ commands: [String: CommandPredicate]) throws -> [NamedPrompt] {
    try NamedPrompt.read(
      folder: folder, predicates: Array(commands.keys), in: try language() ?? .english, timeZone: try timeZone())
  }

  private static func status(_ prompts: [NamedPrompt], _ server: OKCancelServer) -> String {
    "OKCancel serves \(count(prompts)) at \(server.url)"
  }

  private static func count(_ prompts: [NamedPrompt]) -> String {
    "\(prompts.count) prompt\(prompts.count == 1 ? "" : "s")"
  }

  private static func backUp(_ server: OKCancelServer, _ logger: Logger) async {
    guard let database = server.configuration.database else { return }
    let path = database + ".backup"
    do throws(AskFault) {
      try await server.backUp(to: path)
      logger.info("backed up to \(path)")
    } catch {
      logger.error("\(error)")
    }
  }

  /// - Returns: the status for the service manager.
  private func reload(_ server: OKCancelServer, _ commands: [String: CommandPredicate], _ logger: Logger) -> String {
    func faults(_ work: () throws -> Void) -> [String] {
      do { try work() } catch { return "\(error)".split(separator: "\n").map(String.init) }
      return []
    }
    var prompts: [NamedPrompt] = []
    let ofPrompts = faults {
      prompts = try self.prompts(commands)
      try server.replacePrompts(prompts)
      logger.info("reloaded \(Self.count(prompts))")
    }
    // Before they are logged: a reader of the log may look at a page at once.
    if !ofPrompts.isEmpty { server.show(faults: ofPrompts) }
    let ofCertificate = faults { if try server.renewCertificate() { logger.info("reloaded the certificate") } }
    let kept = [(ofPrompts, "the old prompts stay"), (ofCertificate, "the old certificate stays")]
      .filter { !$0.0.isEmpty }
    for line in kept.flatMap({ $0 + [$1] }) { logger.error("\(line)") }
    if kept.isEmpty { return Self.status(prompts, server) }
    return "The reload found errors; \(kept.map(\.1).joined(separator: ", ")), at \(server.url)"
  }
}
