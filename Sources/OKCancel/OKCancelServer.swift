internal import Asks
package import Foundation
public import Logging
internal import MicroHTTP
public import Prompts

/// A server of prompts.
///
/// ```swift
/// let server = try OKCancelServer(prompts: [prompt.named("email")])
/// try server.start()
/// print(server.url)
/// ```
public final class OKCancelServer: Sendable {
  package let configuration: Configuration
  private let server: Server
  private let registry: PromptRegistry
  private let agreement: PromptAgreement?
  private let predicates: Predicates
  /// The language of prompts that name none.
  let language: Language
  let asks: AskService
  let routes: Routes
  private let logger: Logger

  var storage: AskStorage { asks.storage }

  /// This release of OKCancel.
  package static let version = "0.1.0"
  /// The version, and on a second line the HTTP library that was loaded.
  package static var versions: String { "\(version)\nlibmicrohttpd \(Server.libraryVersion)" }

  /// - Parameters:
  ///   - configuration: where it listens, and what it allows.
  ///   - prompts: what it offers at `/prompts/{name}`.
  ///   - predicates: Swift closures that `predicate` rules call by name. They run on the server's own threads and must
  ///     not wait for anything.
  ///   - commands: programs that `predicate` rules call by name.
  ///   - logger: gets a line about each request, at level info, and about whatever goes wrong.
  /// - Throws: `AskFault` if a folder is missing or a prompt cannot be served.
  public init(
    configuration: Configuration = Configuration(), prompts: [NamedPrompt] = [],
    predicates: [String: @Sendable (String) -> Bool] = [:], commands: [String: CommandPredicate] = [:],
    logger: Logger = Logger(label: "okcancel")
  ) throws(AskFault) {
    var configuration = configuration
    let canOnlyAsk = prompts.isEmpty && configuration.apiTokens.isEmpty
    configuration.port = configuration.port ?? (canOnlyAsk ? 0 : Configuration.usualPort)
    self.configuration = configuration
    self.logger = logger
    if let fault = APITokenEntry.fault(in: configuration.apiTokens, shortAreTaken: true) {
      throw AskFault.setup("an API token cannot be used: \(fault)")
    }
    let failures = PredicateFailures(commands.keys, logger: logger)
    self.predicates = Predicates(predicates, commands, failures)
    guard let language = Language(configuration.language) else {
      throw AskFault.setup("“\(configuration.language)” is not a language tag; write a tag like `de` or `pt-BR`")
    }
    self.language = language
    if !Sentences(in: language).areInLanguage {
      logger.warning("--language: \(FaultRow("language-not-built-in", ["language": language]).sentence)")
    }
    registry = PromptRegistry(
      try .init(reading: configuration, prompts, in: language, knowing: self.predicates, logger), in: language)
    try configuration.checkBaseURL(files: registry.files.paths)
    guard configuration.allowedCallbacks.isEmpty || !configuration.webhookSecrets.isEmpty else {
      throw AskFault.setup("callbacks are allowed and no webhook secret is set; callbacks are never sent unsigned")
    }
    if let name = Dictionary(grouping: configuration.channels, by: \.name).first(where: { $1.count > 1 })?.key {
      throw AskFault.setup("two channels are named “\(name)”; rename one")
    }
    guard !configuration.webhookSecrets.isEmpty || !configuration.channels.contains(where: \.isSigned) else {
      throw AskFault.setup("a channel of plain JSON needs a webhook secret, and none is set; it is never sent unsigned")
    }
    if !configuration.allowedCallbacks.isEmpty || !configuration.channels.isEmpty {
      try AskFault.wrapping { try Curl.open() }
    }
    let shares = DescriptorShares(configuration: configuration, hasPrograms: !commands.isEmpty)
    if let fault = shares.fault { throw .setup("\(fault)") }
    if let shortage = shares.shortage { logger.notice("\(shortage)") }
    let commits = CommitCounts()
    let storage = try AskStorage(configuration, shares, commits: commits, logger: logger)
    agreement = PromptAgreement(on: storage.store, registry, logger)
    let limiting = RateLimiting(configuration.rateLimits, logger: logger)
    let judging = Judging(Judge(predicates: self.predicates), limiting)
    let reader = AskReader(
      offered: { [registry] name throws(Problem) in try registry.prompt(name) }, predicates: self.predicates,
      allowedCallbacks: configuration.allowedCallbacks,
      knowsVisitors: configuration.identity != nil, knowsGroups: configuration.identity?.groups != nil,
      channels: configuration.channels, language: language, timeZone: configuration.timeZone)
    let desk = AnswerDesk(judging: judging, counts: VerdictCounts())
    asks = AskService(
      storage: storage, registry: registry, reader: reader, known: KnownPrompts(registry.current.sorted),
      judging: judging,
      baseURL: configuration.baseURL, basePath: configuration.basePath,
      answers: configuration.answers.map { CannedAnswers($0, at: desk, logger: logger) },
      offersSuggestions: configuration.offersSuggestions, logger: logger)
    routes = Routes(
      configuration, asks, desk, failures, agreement, commits,
      log: configuration.requestLog ?? (logger.logLevel <= .info ? { @Sendable in logger.log($0) } : nil))
    try routes.checker?.readFile()
    var listening = Server.Configuration(
      host: configuration.host, port: configuration.port ?? 0, threads: shares.threads)
    listening.basePath = configuration.basePath
    listening.trustedProxies = TrustedProxies(configuration.trustedProxies)
    listening.listeningSocket = configuration.listeningSocket
    listening.connectionLimit = shares.connections
    listening.connectionLimitPerClient = shares.connectionsPerClient
    listening.lingeringLimit = shares.lingering
    listening.tls = try Self.tls(configuration)
    if let warning = listening.tls?.warning { logger.warning("\(warning)") }
    server = Server(configuration: listening, application: routes)
  }

  private static func tls(_ configuration: Configuration) throws(AskFault) -> TLS? {
    guard let files = configuration.tls else { return nil }
    return try AskFault.wrapping { try TLS(certificateFile: files.certificate, keyFile: files.key) }
  }

  /// Checks that it could listen at its address; another server may have the port.
  ///
  /// - Throws: `AskFault.setup` if this machine does not have the address, or the name stands for none.
  package func checkHost() throws(AskFault) { try AskFault.wrapping { try server.checkHost() } }

  /// Starts to listen. When it returns, the server responds to requests.
  ///
  /// - Throws: `AskFault`: `portInUse`, `stopped` if it was stopped before, or `setup` if it cannot listen there.
  public func start() throws(AskFault) {
    if routes.readiness.isStopping { throw .stopped }
    try AskFault.wrapping { try server.start() }
    if routes.hostsAreUnknown {
      logger.warning(
        "behind a proxy the server does not know its own names, so it answers to every name; set --base-url, or --allow-host for each name"
      )
    }
    storage.start(keep: configuration.keepDays)
    agreement?.start()
    routes.checker?.start()
  }

  /// Starts to listen if it does not yet, serves until the task is cancelled or the server is drained, and drains it.
  ///
  /// - Throws: as `start`.
  public func run() async throws(AskFault) {
    if port == nil { try start() }
    while !Task.isCancelled, !routes.readiness.isStopping { try? await Task.sleep(for: .seconds(1)) }
    // In a task of its own: this one is cancelled.
    await Task { await drain() }.value
  }

  /// The port that the server listens on, or `nil` while it does not.
  public var port: Int? { server.port }

  /// The address at which a browser finds the server, such as `http://127.0.0.1:8080/`.
  public var url: String {
    let name = server.host ?? configuration.host
    let host = name.contains(":") && !name.hasPrefix("[") ? "[\(name)]" : name
    return "\(configuration.tls == nil ? "http" : "https")://\(host):\(port ?? configuration.port ?? 0)/"
  }

  /// True if the server responds to a request of its own, even while it is full or stopping.
  ///
  /// - Parameter duration: how long each step of that may take.
  package func answers(within duration: Duration) async -> Bool {
    await server.responds(to: "/healthz", within: duration)
  }

  /// Replaces all prompts at once, and reads the folders of templates and static files again.
  ///
  /// - Throws: `AskFault` if a prompt cannot be served or a folder cannot be used; everything then stays as it was.
  public func replacePrompts(_ prompts: [NamedPrompt]) throws(AskFault) {
    let next = try PromptRegistry.Generation(
      reading: configuration, prompts, in: language, knowing: predicates, logger)
    asks.known.keep(next.sorted)
    registry.replace(with: next)
    if let version = next.pages.watchedVersion { routes.watch?.tell(version) }
    agreement?.start()
  }

  /// Shows in every open page why changed files are not served, until they are. Does nothing without
  /// `Configuration.isWatched`.
  package func show(faults: [String]) {
    let shown = faults.map { fault in
      guard fault.hasPrefix("/") else { return fault }
      // Show only the file's name and its folder's, not the whole path on this machine.
      let path = fault.prefix { $0 != ":" }
      return path.split(separator: "/").suffix(2).joined(separator: "/") + fault.dropFirst(path.count)
    }
    routes.watch?.tell(faults: shown)
  }

  /// Reads the files of its certificate and key again, for new connections.
  ///
  /// - Returns: false if it has none.
  /// - Throws: `AskFault` if they cannot be used, or if the old certificate is valid today and the new one is not; the
  ///   old ones then stay.
  @discardableResult
  public func renewCertificate() throws(AskFault) -> Bool {
    guard let tls = try Self.tls(configuration) else { return false }
    try AskFault.wrapping { try server.replaceCertificate(tls) }
    if let warning = tls.warning { logger.warning("\(warning)") }
    return true
  }

  /// Writes a consistent copy of the database to this path and replaces an earlier one. Answers wait meanwhile.
  ///
  /// - Throws: `AskFault` if that fails; the earlier copy then stays.
  public func backUp(to path: String) async throws(AskFault) {
    do { if try await storage.store.backUp(to: path) { return } } catch {
      throw AskFault.setup("the backup failed: \(error)")
    }
    throw AskFault.setup("only SQLite is backed up by the server; use pg_dump for PostgreSQL")
  }

  /// Stops gracefully: refuses new connections, or leaves them to the next server if the listening socket was passed, and
  /// lets running requests end. Who waits for an outcome gets `AskFault.stopped`. The server does not start again; make
  /// another one with the same database.
  ///
  /// - Parameters:
  ///   - deadline: how long they may take.
  ///   - patience: how long an idle connection is kept for one more request.
  public func drain(deadline: Duration = .seconds(10), patience: Duration = .seconds(1)) async {
    // Cancelled requests can no longer be told from those whose clients have left, so nobody's question is withdrawn.
    routes.readiness.stop()
    await storage.pendingRedirects.wait { routes.requests.files }
    // Clients that wait retry elsewhere or later.
    storage.store.waiters.releaseAll()
    routes.checker?.stop()
    await server.drain(deadline: deadline, refusing: configuration.listeningSocket == nil, patience: patience)
    await storage.close()
  }
}

extension OKCancelServer {
  /// Waits a moment for a page that is still to show what came of an answer.
  package func waitForFollower() async { await storage.pendingRedirects.waitForFollower() }
}

// MARK: Asking

extension OKCancelServer: Asker {
  /// Makes an ask and does not wait. This starts the server if it is not running yet.
  ///
  /// Closures of the prompt's rules are kept until `outcome` or `withdraw` returns the ask's end.
  ///
  /// - Throws: `AskFault` if the server cannot start, or if the question cannot be asked or kept.
  public func create(_ question: Question) async throws(AskFault) -> CreatedAsk {
    if routes.readiness.isStopping { throw .stopped }
    let draft = try asks.reader.draft(question)
    if port == nil { try start() }
    return try await faulting {
      try asks.known.check(draft.ask)
      let key = try question.key.flatMap { IdempotencyKey($0, body: try question.body()) }
      let made = try await asks.make(draft, key: key, linkedFrom: ownProgram.origin)
      return CreatedAsk(id: made.ask.id.description, link: made.link.flatMap { URL(string: $0) })
    }
  }

  /// Waits until an ask ends and returns how, or `nil` if it is still open after that time.
  ///
  /// - Throws: `AskFault` if there is no such ask or the database fails; `CancellationError` if the task is cancelled,
  ///   and the ask stays open then.
  public func end(of id: String, within duration: Duration) async throws -> Ended? {
    try await waiting(for: duration) { wait in
      let closed = try await faulting { try await asks.outcome(of: asks.id(id, askedBy: nil), within: wait) }
      return if let closed { try await ended(closed) } else { nil }
    }
  }

  /// Takes an open ask back.
  ///
  /// - Returns: `withdrawn`, or how the ask ended if it had ended before.
  /// - Throws: `AskFault` if there is no such ask or the database fails.
  @discardableResult
  public func withdraw(_ id: String) async throws(AskFault) -> Outcome {
    try await ended(faulting { try await asks.withdraw(asks.id(id, askedBy: nil)).closed }).outcome
  }

  /// Says what came of an answer: see `Asker.finish`.
  ///
  /// - Throws: `AskFault` if there is no such ask, if it was not answered, or if another result was given before.
  public func finish(_ id: String, _ result: AskResult) async throws(AskFault) {
    _ = try await faulting { try await asks.finish(asks.id(id, askedBy: nil), as: result) }
  }

  /// Answers to a prompt that the server offers or has offered, oldest first.
  ///
  /// - Parameters:
  ///   - prompt: its name.
  ///   - cursor: the cursor of the last answer that was read, or `nil` to begin with the first.
  ///   - limit: how many answers to return at most, from 1 to 1000. If fewer are returned, there are no more.
  /// - Throws: `AskFault` if there is no such prompt or the database fails.
  public func answers(
    to prompt: String, after cursor: String? = nil, limit: Int = 1000
  ) async throws(AskFault) -> [Answer] {
    try await faulting {
      try await asks.checkAnswers(to: prompt)
      let start = cursor.flatMap { StandingAnswer.Cursor($0) }
      if let cursor, start == nil { throw AskFault.setup("“\(cursor)” is not a cursor") }
      return try await storage.store.answers(to: prompt, after: start, limit: limit, bytes: .max).compactMap {
        Answer(try JSON(parsing: $0.line(openedWith: storage.store.secrets), limits: .file))
      }
    }
  }

  /// The question behind a link of this server, for the person at the terminal of this program.
  package func question(behind link: URL) -> DeskQuestion {
    DeskQuestion(at: routes.desk) { [asks] () throws(Problem) in
      try await asks.askHere(linkedBy: link.lastPathComponent)
    }
  }

  /// The program that runs this server in its process.
  var ownProgram: AskingProgram { AskingProgram(name: nil, payer: .ownProcess, origin: String(url.dropLast())) }

  private func ended(_ closed: ClosedAsk) async throws(AskFault) -> Ended {
    asks.known.keep(nil, for: closed.id)
    return try await faulting { try storage.store.secrets.ended(closed, at: storage.store.clock.now) }
  }

  /// Does something whose errors an HTTP client would get as problems, and throws them as `AskFault`.
  private func faulting<Result>(_ work: () async throws -> Result) async throws(AskFault) -> Result {
    if routes.readiness.isStopping { throw .stopped }
    do { return try await work() } catch let fault as AskFault { throw fault } catch {
      if routes.readiness.isStopping { throw .stopped }
      throw AskFault(asks.problem(error))
    }
  }
}
