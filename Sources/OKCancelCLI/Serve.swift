internal import ArgumentParser
internal import Definitions
internal import Logging
internal import OKCancel
internal import UnixSignals

/// `okcancel serve [DIR]`
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve the prompts in a folder.",
    discussion: """
      Each .yaml, .yml or .json file in DIR is a prompt, served at /prompts/ and its file name.

      Signals:
        SIGHUP            reads the prompts again; if one has a fault, all the old ones stay
        SIGUSR1           writes a backup beside the database, its name with .backup
        SIGTERM, SIGINT   finish what runs and stop

      Every option is a variable too: --port is OKCANCEL_PORT. Secrets are variables alone:
        OKCANCEL_API_TOKEN        what programs show; several, separated by commas
        OKCANCEL_KEY              seals answers with passwords: 32 bytes in Base64
        OKCANCEL_WEBHOOK_SECRET   signs callbacks

      Example: okcancel serve Examples --port 9000
      """)

  @Argument(help: "The folder of prompt definitions. (default: Examples)", completion: .directory)
  var folder: String?
  @OptionGroup var listening: Listening
  @OptionGroup var clients: ClientOptions
  @OptionGroup var predicates: PredicateOptions
  @OptionGroup var callbacks: CallbackOptions
  @OptionGroup var log: LogOptions

  @Option(help: ArgumentHelp("SQLite file of asks and answers. (default: okcancel.sqlite)", valueName: "file"))
  var database: String?
  @Option(help: ArgumentHelp("Days to keep closed asks and answers. (default: for ever)", valueName: "days"))
  var keep: String?
  @Option(
    name: .customLong("base-url"),
    help: ArgumentHelp(
      "What links begin with, like https://ask.example.com. (default: the host that was asked)", valueName: "url"))
  var baseURL: String?

  func run() async throws {
    try log.apply()
    let logger = Logger(label: "okcancel")
    OpenFiles.raiseLimit()
    var configuration = try listening.configuration()
    try clients.apply(to: &configuration)
    configuration.database = Setting("database").text(database) ?? "okcancel.sqlite"
    configuration.keepDays = try Setting("keep").number(keep, in: 1...36_500)
    configuration.baseURL = try Self.baseURL(Setting("base-url").text(baseURL), flag: baseURL)
    configuration.apiTokens = Setting("api-token").list([])
    let newToken = configuration.apiTokens.isEmpty ? Self.newToken() : nil
    if let newToken { configuration.apiTokens = [newToken] }
    let newSecret = try callbacks.set(&configuration)
    let commands = try predicates.commands()
    let path = folder ?? "Examples"
    // Trapped before anybody can know that the server is there.
    let signals = await UnixSignalsSequence(trapping: .sighup, .sigusr1, .sigterm, .sigint)
    let prompts = try Self.prompts(in: path)
    let server: OKCancelServer
    do throws(SetupFault) {
      server = try OKCancelServer(
        configuration: configuration, prompts: prompts, commands: commands, logger: logger)
      try server.start()
    } catch {
      throw fail(.internalError, "\(error)")
    }
    let status = "OKCancel serves \(prompts.count) prompt\(prompts.count == 1 ? "" : "s") at \(server.url)"
    standardOutput(status)
    let manager = ServiceManager()
    if !manager.ready(status) { logger.warning("the service manager cannot be told that the server is ready") }
    let watchdog = manager.watchdog()
    defer { watchdog?.cancel() }
    if let newToken {
      standardError("The API token for this run is \(newToken) (to keep one, set OKCANCEL_API_TOKEN before the start)")
    }
    if let newSecret {
      standardError(
        "The webhook secret for this run is \(newSecret) (to keep one, set OKCANCEL_WEBHOOK_SECRET before the start)")
    }

    signals: for await signal in signals {
      switch signal {
      case .sighup:
        manager.reloading()
        manager.ready(Self.reload(server, path, logger))
      case .sigusr1: await Self.backUp(server, logger)
      default: break signals
      }
    }
    manager.stopping()
    logger.info("stopping")
    await server.drain()
  }

  private static func baseURL(_ text: String?, flag: String?) throws -> String? {
    guard var text else { return nil }
    while text.hasSuffix("/") { text.removeLast() }
    guard Rule.url.isValid(text), !text.contains("?"), !text.contains("#") else {
      throw Setting("base-url").wrong(text, flag: flag, "give scheme and host, like https://ask.example.com")
    }
    return text
  }

  /// 128 bits of the system's generator.
  private static func newToken() -> String {
    (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
  }

  private static func prompts(in path: String) throws -> [NamedPrompt] {
    do throws(DefinitionFaults) {
      return try DefinitionFolder(path: path).prompts
    } catch {
      standardError(error.description)
      throw ExitCode.definitionFault
    }
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

  /// - Returns: what became of it, as a status.
  private static func reload(_ server: OKCancelServer, _ path: String, _ logger: Logger) -> String {
    do {
      let prompts = try DefinitionFolder(path: path).prompts
      try server.replacePrompts(prompts)
      logger.info("reloaded \(prompts.count) prompts")
      return "OKCancel serves \(prompts.count) prompt\(prompts.count == 1 ? "" : "s") at \(server.url)"
    } catch {
      for line in "\(error)".split(separator: "\n") { logger.error("\(line)") }
      logger.error("the old prompts stay")
      return "The prompts have faults; those of before are served at \(server.url)"
    }
  }
}

/// Where to listen and what to serve from.
struct Listening: ParsableArguments {
  @Option(help: ArgumentHelp("Address to listen on. (default: 127.0.0.1)", valueName: "address"))
  var host: String?
  @Option(help: ArgumentHelp("Port to listen on; 0 takes a free one. (default: 8080)", valueName: "port"))
  var port: String?
  @Option(
    name: .customLong("tls-cert"),
    help: ArgumentHelp(
      "PEM file of the certificate, and those that lead to its root, to serve HTTPS with; read at the start alone.",
      valueName: "file"))
  var tlsCertificate: String?
  @Option(
    name: .customLong("tls-key"),
    help: ArgumentHelp("PEM file of the certificate's key, without a passphrase.", valueName: "file"))
  var tlsKey: String?
  @Option(help: ArgumentHelp("Connections at a time; more wait. (default: 4096)", valueName: "count"))
  var connections: String?
  @Option(
    help: ArgumentHelp(
      "Connections at a time from one address but this machine's; more are closed. (default: 1024)", valueName: "count")
  )
  var connectionsPerClient: String?
  @Option(help: ArgumentHelp("Threads that answer requests. (default: one a core)", valueName: "count"))
  var threads: String?
  @Option(help: ArgumentHelp("Folder of page templates. (default: Templates)", valueName: "dir"))
  var templates: String?
  @Option(help: ArgumentHelp("Folder of static files. (default: Public)", valueName: "dir"))
  var `public`: String?
  @Option(
    help: ArgumentHelp(
      "Origin, like https://tools.example.com, whose pages may embed dialogs, read rules and post here; repeatable.",
      valueName: "origin"))
  var allowOrigin: [String] = []

  func configuration() throws -> Configuration {
    var configuration = Configuration()
    configuration.host = Setting("host").text(host) ?? configuration.host
    configuration.port = try Setting("port").number(port, in: 0...65_535) ?? configuration.port
    configuration.threads = try Setting("threads").number(threads, in: 1...1024)
    configuration.connections =
      try Setting("connections").number(connections, in: 16...1_000_000) ?? configuration.connections
    configuration.connectionsPerClient =
      try Setting("connections-per-client").number(connectionsPerClient, in: 1...1_000_000)
      ?? configuration.connectionsPerClient
    configuration.tls = try tls()
    configuration.templates = Setting("templates").text(templates)
    configuration.public = Setting("public").text(`public`)
    configuration.allowedOrigins = try Setting("allow-origin").list(allowOrigin).map { text in
      guard let origin = Origin(text) else {
        throw Setting("allow-origin").wrong(
          text, flag: allowOrigin.first, "give scheme and host, like https://tools.example.com")
      }
      return origin
    }
    return configuration
  }
}

extension Listening {
  private func tls() throws -> (certificate: String, key: String)? {
    let certificate = Setting("tls-cert").text(tlsCertificate)
    let key = Setting("tls-key").text(tlsKey)
    switch (certificate, key) {
    case (nil, nil): return nil
    case (let certificate?, let key?): return (certificate, key)
    case (let certificate?, nil):
      throw Setting("tls-cert").wrong(certificate, flag: tlsCertificate, "give its key with --tls-key as well")
    case (nil, let key?):
      throw Setting("tls-key").wrong(key, flag: tlsKey, "give its certificate with --tls-cert as well")
    }
  }
}

/// Programs that answer `predicate` rules.
struct PredicateOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Program that answers a predicate: the text on its standard input; exit 0 valid, 1 invalid (its first line is the message); repeatable.",
      valueName: "name=program"))
  var predicate: [String] = []

  func commands() throws -> [String: CommandPredicate] {
    var commands: [String: CommandPredicate] = [:]
    for text in Setting("predicate").list(predicate) {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw Setting("predicate").wrong(text, flag: predicate.first, "give NAME=PROGRAM, like not-taken=./check-taken")
      }
      guard commands.updateValue(CommandPredicate(program: parts[1]), forKey: parts[0]) == nil else {
        throw Setting("predicate").wrong(text, flag: predicate.first, "“\(parts[0])” is given twice; keep one")
      }
    }
    return commands
  }
}
