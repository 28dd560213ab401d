internal import Asks
internal import Crypto
internal import Foundation
internal import Logging
internal import Synchronization

/// The database of a server and what works on it: asks whose time is over are closed, old ones removed,
/// callbacks sent.
final class AskStorage: Sendable {
  let store: SQLiteAskStore
  let waiters: Waiters
  let callbacks: CallbackSender
  let pendingRedirects = PendingRedirects()
  /// A folder that goes with this server; nil: the operator's own database.
  private let temporaryFolder: String?
  private let upkeep = Mutex<Task<Void, Never>?>(nil)

  /// - Parameters:
  ///   - path: the database file; nil: a temporary one with a key of its own.
  ///   - key: what seals in it; nil: the environment's, or that of its file.
  init(
    _ path: String?, key: String? = nil, commits: CommitCounts, callbacks settings: CallbackSender.Settings,
    logger: Logger
  ) throws(SetupFault) {
    waiters = Waiters()
    do {
      if let path {
        temporaryFolder = nil
        let key = key ?? ProcessInfo.processInfo.environment["OKCANCEL_KEY"]
        let source = SecretSource.beside(path, environment: key)
        store = try SQLiteAskStore(path, secrets: source, waiters: waiters, onCommit: commits.count)
      } else {
        let folder = try Self.makeTemporaryFolder()
        temporaryFolder = folder
        let key = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }.base64EncodedString()
        let file = folder + "/okcancel.sqlite"
        store = try SQLiteAskStore(
          file, secrets: SecretSource(environment: key, file: file + ".key"), waiters: waiters, onCommit: commits.count)
      }
    } catch {
      throw SetupFault("the database cannot be used: \(error)")
    }
    if let unread = store.unreadLog { logger.log(level: unread.isDamage ? .error : .info, "\(unread)") }
    callbacks = CallbackSender(store, settings, observe: CallbackLog(logger: logger).observe)
  }

  /// A new folder of this user alone: in memory where the usual place cannot be written, as in a container
  /// whose root file system is read-only.
  private static func makeTemporaryFolder() throws -> String {
    let name = "okcancel-\(UUID().uuidString)"
    let folder = FileManager.default.temporaryDirectory.appending(path: name).path
    if mkdir(folder, 0o700) == 0 { return folder }
    let reason = String(cString: strerror(errno))
    let inMemory = "/dev/shm/" + name
    if mkdir(inMemory, 0o700) == 0 { return inMemory }
    throw SetupFault("\(folder): \(reason); set TMPDIR to a folder that can be written")
  }

  deinit { stopUpkeep() }

  /// - Parameter keep: days to keep closed asks and answers; nil: for ever.
  func startUpkeep(keep: Int?, logger: Logger) {
    upkeep.withLock { task in
      task = task ?? Task { [store] in await Self.tidy(store, keep, logger) }
    }
  }

  private static func tidy(_ store: SQLiteAskStore, _ keep: Int?, _ logger: Logger) async {
    var untilPurge = 0
    while !Task.isCancelled {
      do {
        while try await store.expireDue(limit: 100) == 100 { await Task.yield() }
        if let keep, untilPurge == 0 {
          let removed = try await store.purgeAll(before: WallClock.system.now - .seconds(86_400 * keep))
          if removed > 0 { logger.info("removed \(removed) asks and answers older than \(keep) days") }
          untilPurge = 3600
        }
      } catch {
        if Task.isCancelled { return }
        logger.error("upkeep of the database failed: \(error)")
      }
      untilPurge = max(0, untilPurge - 1)
      try? await Task.sleep(for: .seconds(1))
    }
  }

  private func stopUpkeep() {
    upkeep.withLock { task in
      task?.cancel()
      task = nil
    }
  }

  /// Lets everyone who waits go, so that they ask again elsewhere or later.
  func release() { waiters.releaseAll() }

  /// Lets callbacks on their way arrive, within three seconds; the others go out after the next start.
  func stopCallbacks() async { await callbacks.stop(within: .seconds(3)) }

  /// Brings everything to the disk and lets go of the file.
  func close() async {
    stopUpkeep()
    await stopCallbacks()
    try? await store.close()
    if let temporaryFolder { try? FileManager.default.removeItem(atPath: temporaryFolder) }
  }
}
