internal import Asks
internal import Foundation
internal import Logging
internal import Synchronization

/// The database of a server and what works on it: asks whose time is over are closed, old ones removed,
/// callbacks and notices sent.
final class AskStorage: Sendable {
  let store: AskStore
  let deliveries: DeliverySender
  let pendingRedirects = PendingRedirects()
  /// A folder that is removed with this server, or `nil` if the database is the operator's own.
  private let temporaryFolder: String?
  private let logger: Logger
  private let upkeep = Mutex<Task<Void, Never>?>(nil)

  /// Opens the database that the configuration names, or a temporary file with a key of its own.
  init(
    _ configuration: Configuration, _ shares: DescriptorShares, commits: CommitCounts, logger: Logger
  ) throws(AskFault) {
    self.logger = logger
    do {
      temporaryFolder = configuration.database == nil ? try Self.makeTemporaryFolder() : nil
      let key =
        temporaryFolder == nil
        ? configuration.databaseKey ?? ProcessInfo.processInfo.environment["OKCANCEL_KEY"]
        : Data((0..<32).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString()
      let path = configuration.database ?? "\(temporaryFolder ?? "")/okcancel.sqlite"
      let secrets = SecretSource.beside(path, environment: key)
      if try PostgreSQLAddress.isOne(path) {
        guard key != nil else {
          throw AskFault.setup("several servers can share it, so the key must be given in OKCANCEL_KEY")
        }
        let address = { try PostgreSQLAddress($0, password: configuration.databasePassword) }
        store = try AskStore(
          try address(path), direct: try configuration.directDatabase.map(address), secrets: secrets,
          onCommit: commits.count)
      } else {
        let open = { (patience: Duration) throws in
          try AskStore(path, secrets: secrets, patience: patience, onCommit: commits.count)
        }
        do { store = try open(.zero) } catch let fault as StoreFault where fault.id == "in-use" {
          // A server that is being replaced lets go of it in a moment.
          logger.warning("\(path) is in use by another process; waiting up to 5 seconds for it")
          store = try open(.seconds(5))
        }
      }
    } catch {
      throw AskFault.setup("the database cannot be used: \(error)")
    }
    for notice in store.notices {
      logger.log(level: notice.isDamage ? .error : .info, "\(notice)")
    }
    var settings = DeliverySender.Settings(
      allowed: configuration.allowedCallbacks, secrets: configuration.webhookSecrets, channels: configuration.channels)
    (settings.limit, settings.limitPerOrigin) = (shares.callbacks, shares.deliveriesPerReceiver)
    deliveries = DeliverySender(store, settings) { logger.log($0) }
  }

  /// A new folder that only this user can read: in memory if the usual place cannot be written, as in a container whose
  /// root file system is read-only.
  private static func makeTemporaryFolder() throws -> String {
    let name = "okcancel-\(UUID().uuidString)"
    let folder = FileManager.default.temporaryDirectory.appending(path: name).path
    if unsafe mkdir(folder, 0o700) == 0 { return folder }
    let reason = unsafe String(cString: strerror(errno))
    let inMemory = "/dev/shm/" + name
    if unsafe mkdir(inMemory, 0o700) == 0 { return inMemory }
    throw AskFault.setup("\(folder): \(reason); set TMPDIR to a folder that can be written")
  }

  deinit {
    upkeep.withLock { $0?.cancel() }
    deliveries.stop()
    removeTemporaryFolder()
  }

  private func removeTemporaryFolder() {
    if let temporaryFolder { try? FileManager.default.removeItem(atPath: temporaryFolder) }
  }

  /// Works on the database from now on.
  ///
  /// - Parameter keep: days to keep closed asks and answers, or `nil` to keep them forever.
  func start(keep: Int?) {
    upkeep.withLock { task in
      task = task ?? Task { [store, logger] in await Self.tidy(store, keep, logger) }
    }
    deliveries.start()
  }

  private static func tidy(_ store: AskStore, _ keep: Int?, _ logger: Logger) async {
    var untilPurge = 0
    var failures: Set<String> = []
    var hearing = Hearing()
    while !Task.isCancelled {
      var failed: Set<String> = []
      // An ask that cannot be closed does not keep old ones from being removed.
      do { while try await store.expireDue(limit: 100) == 100 { await Task.yield() } } catch {
        failed.insert("\(error)")
      }
      do {
        if let keep, untilPurge <= 0 {
          let removed = try await store.purgeAll(before: store.clock.now - .seconds(86_400 * keep))
          if removed > 0 { logger.info("removed \(removed) asks and answers older than \(keep) days") }
          untilPurge = 3600
        }
      } catch { failed.insert("\(error)") }
      if Task.isCancelled { return }
      // Once, and not each second while the database is away.
      for failure in failed.subtracting(failures) { logger.error("upkeep of the database failed: \(failure)") }
      failures = failed
      untilPurge -= 1
      hearing.look(at: store, logger)
      try? await Task.sleep(for: .seconds(1))
    }
  }

  /// Follows whether this server hears at once what other servers close, once a second.
  private struct Hearing {
    /// A connection that is lost comes back sooner.
    private static let patience = 10
    private var secondsWithout = 0

    /// Says so once when it no longer does, and when it does again.
    mutating func look(at store: AskStore, _ logger: Logger) {
      // While the database is away, nothing can be heard.
      if store.fault != nil { return }
      guard let fault = store.hearingFault else {
        if secondsWithout >= Self.patience { logger.notice("listening for what other servers close works again") }
        secondsWithout = 0
        return
      }
      secondsWithout += 1
      guard secondsWithout == Self.patience else { return }
      logger.warning("cannot listen for what other servers close, so waiting takes up to a second longer: \(fault)")
    }
  }

  /// Lets deliveries on their way arrive, within three seconds; the rest goes out after the next start. Then writes
  /// everything to the disk and closes the file.
  func close() async {
    upkeep.withLock { $0?.cancel() }
    await deliveries.stop(within: .seconds(3))
    do { try await store.close() } catch { logger.error("the database was closed with an error: \(error)") }
    removeTemporaryFolder()
  }
}

extension Logger {
  /// Writes a line about an attempt to deliver a callback or to tell somebody: of which asks, to whom and how it went.
  /// Never what was answered, nor the URL's path, which can hold a secret.
  fileprivate func log(_ report: DeliverySender.Report) {
    let (level, outcome) = report.line
    let asks = report.deliveries.map(\.ask.description).joined(separator: " ")
    var facts: Metadata = ["attempt": "\((report.deliveries.map(\.attempts).min() ?? 0) + 1)"]
    if let error = report.error ?? report.attempt.map({ "\($0)" }) { facts["receiver"] = "\(error)" }
    if let channel = report.channel { facts["channel"] = "\(channel)" }
    if let origin = report.origin { facts["to"] = "\(origin)" }
    facts[report.channel == nil ? "ask" : "asks"] = "\(asks)"
    let what = report.channel == nil ? "callback" : report.isUpdate ? "update of a notice" : "notice"
    log(level: level, "\(what) \(outcome)", metadata: facts)
  }
}

extension DeliverySender.Report {
  /// The level and the words of a line about it.
  fileprivate var line: (level: Logger.Level, words: String) {
    switch result {
    case .delivered: (.info, "delivered")
    case .failed(let pause): (.warning, "failed, to be tried again at \(moment + (pause ?? .zero))")
    case .givenUp: (.error, attempt == nil ? "given up: the program ended while it was sent" : "given up")
    case .interrupted: (.info, "interrupted, and due again")
    case nil: (.error, "not recorded, so it will be sent again: the database failed")
    }
  }
}
