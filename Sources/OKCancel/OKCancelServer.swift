internal import Definitions
public import Logging
internal import MicroHTTP
internal import Pages
public import Prompts

/// A server of prompts.
///
/// ```swift
/// let server = try OKCancelServer(prompts: [prompt.named("email")])
/// try server.start()
/// print(server.url)
/// ```
public final class OKCancelServer: Sendable {
  public let configuration: Configuration
  private let server: Server
  private let registry: PromptRegistry
  private let pages: Pages
  private let headers: SecurityHeaders
  private let cors: CORS
  private let predicates: Predicates
  private let hosts: HostNames
  let storage: AskStorage
  let routes: Routes
  private let logger: Logger

  /// This release of OKCancel.
  public static let version = "0.1.0"

  /// - Parameters:
  ///   - predicates: Swift closures that `predicate` rules ask by name. They are called on the
  ///     server's own threads and must not wait for anything.
  ///   - commands: programs that `predicate` rules ask by name.
  /// - Throws: `SetupFault` where a folder is missing or a prompt cannot be served.
  public convenience init(
    configuration: Configuration = Configuration(), prompts: [NamedPrompt],
    predicates: [String: @Sendable (String) -> Bool] = [:], commands: [String: CommandPredicate] = [:],
    logger: Logger = Logger(label: "okcancel")
  ) throws(SetupFault) {
    try self.init(
      configuration, prompts,
      Predicates(predicates.mapValues(Predicate.immediate).merging(commands.mapValues(\.predicate)) { $1 }), logger)
  }

  private init(
    _ configuration: Configuration, _ prompts: [NamedPrompt], _ predicates: Predicates, _ logger: Logger
  ) throws(SetupFault) {
    self.configuration = configuration
    self.predicates = predicates
    self.logger = logger
    hosts = HostNames(configuration)
    headers = SecurityHeaders(
      framing: configuration.allowedOrigins, hasTLS: configuration.tls != nil, hsts: configuration.hsts)
    cors = CORS(allowed: configuration.allowedOrigins)
    let files: StaticFiles
    do {
      files = try StaticFiles(
        Resources.public, directory: try Resources.folder(configuration.public, for: "--public"),
        headers: headers.headers + SecurityHeaders.ofFiles)
      pages = try Pages(
        templates: Resources.templates, directory: try Resources.folder(configuration.templates, for: "--templates"),
        framedBy: configuration.allowedOrigins.map(\.description), files: files.lastingPrefix)
    } catch {
      throw SetupFault("\(error)")
    }
    try Self.check(prompts, predicates)
    guard configuration.allowedCallbacks.isEmpty || !configuration.webhookSecrets.isEmpty else {
      throw SetupFault("callbacks are allowed and no webhook secret is set; callbacks are never sent unsigned")
    }
    let commits = CommitCounts()
    storage = try AskStorage(
      configuration.database, key: configuration.databaseKey, commits: commits,
      callbacks: .init(allowed: configuration.allowedCallbacks, secrets: configuration.webhookSecrets), logger: logger)
    Self.warn(of: prompts, logger)
    registry = PromptRegistry(.init(prompts, pages: pages, headers: headers.headers + cors.varying))
    let limiting = RateLimiting(configuration.rateLimits, logger: logger)
    let judging = Judging(judge: Judge(predicates: predicates), threads: BackgroundThreads(), limiting: limiting)
    let service = PromptService(registry: registry, pages: pages, judging: judging)
    let askService = AskService(
      store: storage.store, waiters: storage.waiters, pendingRedirects: storage.pendingRedirects,
      allowedCallbacks: configuration.allowedCallbacks, judging: judging, logger: logger)
    let gate = Gate(
      hosts: hosts, limiting: limiting,
      crossSite: CrossSite(allowed: configuration.allowedOrigins, baseURL: configuration.baseURL),
      tokens: APITokens(configuration.apiTokens, limiting: limiting), cors: cors, pages: pages, judging: judging)
    routes = Routes(
      service: service, askService: askService, baseURL: configuration.baseURL, files: files, headers: headers,
      commits: commits,
      gate: gate)
    let listening = try Self.listening(configuration)
    let requests = routes.requests
    let log: (@Sendable (RequestRecord) -> Void)? =
      configuration.requestLog ?? (logger.logLevel <= .info ? { @Sendable in logger.log($0) } : nil)
    server = Server(configuration: listening, handler: routes.reply, bodyLimit: routes.bodyLimit, refuse: routes.refuse)
    {
      completed in
      requests.count(completed)
      log?(RequestRecord(completed))
    }
  }

  private static func listening(_ configuration: Configuration) throws(SetupFault) -> Server.Configuration {
    var listening = Server.Configuration(
      host: configuration.host, port: configuration.port, threads: configuration.threads)
    listening.trustedProxies = TrustedProxies(configuration.trustedProxies)
    listening.listeningSocket = configuration.listeningSocket
    listening.connectionLimit = configuration.connections
    listening.connectionLimitPerClient = configuration.connectionsPerClient
    guard let files = configuration.tls else { return listening }
    listening.tls = try tls(files)
    return listening
  }

  private static func tls(_ files: (certificate: String, key: String)) throws(SetupFault) -> TLS {
    do { return try TLS(certificateFile: files.certificate, keyFile: files.key) } catch { throw SetupFault("\(error)") }
  }

  /// Listens; returns as soon as requests are answered.
  public func start() throws(SetupFault) {
    do { try server.start() } catch { throw SetupFault("\(error)") }
    if hosts.areUnknown {
      logger.warning(
        "behind a proxy the server cannot know the names that it is asked for by, so it answers to every name; give --base-url, or --allow-host for each"
      )
    }
    storage.startUpkeep(keep: configuration.keepDays, logger: logger)
    storage.callbacks.start()
  }

  /// The port it listens on; nil while it does not.
  public var port: Int? { server.port }

  /// Where a browser finds it, such as `http://127.0.0.1:8080/`.
  public var url: String {
    let name = server.host ?? configuration.host
    let host = name.contains(":") && !name.hasPrefix("[") ? "[\(name)]" : name
    return "\(configuration.tls == nil ? "http" : "https")://\(host):\(port ?? configuration.port)/"
  }

  /// Whether a request to itself is answered; true also while it is full or stopping.
  ///
  /// - Parameter duration: how long each step of that may take.
  package func answers(within duration: Duration) async -> Bool { await server.answers("/healthz", within: duration) }

  /// Offers other prompts from now on, all at once.
  ///
  /// - Throws: `SetupFault`, and the old prompts stay.
  public func replacePrompts(_ prompts: [NamedPrompt]) throws(SetupFault) {
    try Self.check(prompts, predicates)
    Self.warn(of: prompts, logger)
    registry.replace(with: .init(prompts, pages: pages, headers: headers.headers + cors.varying))
  }

  /// Reads the files of its certificate and key again, for connections from now on.
  ///
  /// - Returns: false where it has none.
  /// - Throws: `SetupFault`, and those of before stay.
  @discardableResult
  public func renewCertificate() throws(SetupFault) -> Bool {
    guard let files = configuration.tls else { return false }
    server.replaceCertificate(try Self.tls(files))
    return true
  }

  /// Writes a copy of the database, whole and of one moment, to this path; it takes the place of an
  /// earlier one. Answers wait meanwhile.
  ///
  /// - Throws: `SetupFault`, and the earlier copy is still there.
  public func backUp(to path: String) async throws(SetupFault) {
    do { try await storage.store.backUp(to: path) } catch { throw SetupFault("the backup failed: \(error)") }
  }

  /// Another descriptor of the socket that it listens on, for the caller to close; nil while it does not.
  package func copyListeningSocket() -> Int32? { server.copyListeningSocket() }

  /// Stops gently: no new connections, what runs may end within the deadline.
  ///
  /// - Parameter patience: how long an idle connection is kept for one more request.
  public func drain(deadline: Duration = .seconds(10), patience: Duration = .seconds(1)) async {
    routes.readiness.stop()
    await storage.pendingRedirects.settle(within: .seconds(1))
    storage.release()
    await server.drain(deadline: deadline, patience: patience)
    await storage.close()
  }

  /// Stops without a failed request, for a server that comes after this one on the same socket:
  /// connections that this one does not take any more wait there.
  ///
  /// Everything is served while connections find their end, for a second or, where a callback is on its
  /// way, up to three. Only then are connections left to the socket, so that they do not wait long.
  package func handOn(deadline: Duration = .seconds(10)) async {
    server.leave()
    async let callbacks: Void = storage.stopCallbacks()
    try? await Task.sleep(for: Server.patience)
    await callbacks
    storage.release()
    await server.drain(deadline: deadline, refusing: false)
    await storage.close()
  }

  /// Says which prompts somebody could fill in so that it is too costly to judge.
  private static func warn(of prompts: [NamedPrompt], _ logger: Logger) {
    for named in prompts {
      let cost = named.prompt.worstCost
      guard cost.work > WorkBudget.form.left, let part = cost.dearest else { continue }
      logger.warning(
        """
        the prompt “\(named.name)” can be filled in so that it takes up to \(WorkBudget.milliseconds(cost.work)) to \
        judge, more than the \(WorkBudget.form.description) that are allowed; such forms are refused. Most of it is \
        \(part.rule.inWords) of the field `\(part.field ?? "")`: put a `length` rule before it, or make it simpler
        """)
    }
  }

  /// A prompt made in Swift obeys the same rules as one from a file.
  private static func check(_ prompts: [NamedPrompt], _ predicates: Predicates) throws(SetupFault) {
    var names: Set<String> = []
    for named in prompts {
      guard NamedPrompt.isName(named.name) else {
        throw SetupFault("“\(named.name)” cannot name a prompt; use a to z, 0 to 9 and hyphens, at most 64")
      }
      guard names.insert(named.name).inserted else {
        throw SetupFault("two prompts are named “\(named.name)”; rename one")
      }
      try check(named.prompt, "the prompt “\(named.name)”", predicates, wasRead: named.wasRead)
    }
  }

  private static func check(
    _ prompt: Prompt, _ what: String, _ predicates: Predicates, wasRead: Bool = false
  ) throws(SetupFault) {
    do throws(InlineFaults) {
      // Reading it once more would find nothing new, and take as long as the first time.
      if !wasRead { try Definition.check(prompt) }
    } catch {
      throw SetupFault("\(what) cannot be served:\n\(error)")
    }
    let unknown = prompt.faults(knowing: predicates)
    if !unknown.isEmpty { throw SetupFault("\(what) cannot be served:\n" + unknown.joined(separator: "\n")) }
  }

  /// - Throws: `SetupFault` that says why this server cannot put this prompt to anybody.
  func check(_ prompt: Prompt) throws(SetupFault) { try Self.check(prompt, "this prompt", predicates) }
}
