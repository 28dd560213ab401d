internal import ArgumentParser
internal import Glibc
internal import Logging
internal import OKCancel
internal import Synchronization

/// The server's replacement by its successor, while signals are heard as ever.
final class Restart: Sendable {
  private struct State {
    var isStopping = false
    /// True when it has ended with the server stopped.
    var task: Task<Bool, Never>?
  }

  private let server: OKCancelServer
  private let successor: Successor
  private let manager: ServiceManager
  private let logger: Logger
  private let state = Mutex(State())

  init(of server: OKCancelServer, by successor: Successor, _ manager: ServiceManager, _ logger: Logger) {
    (self.server, self.successor, self.manager, self.logger) = (server, successor, manager, logger)
  }

  /// Begins, unless it has begun. With an obstacle the server goes on as it was, and it may begin again.
  func begin() {
    state.withLock { state in
      if state.task == nil { state.task = Task { await self.run() } }
    }
  }

  /// Keeps it from going to its end; returns true when the server is stopped already.
  func stop() async -> Bool {
    let task = state.withLock { state in
      state.isStopping = true
      return state.task
    }
    return await task?.value ?? false
  }

  private var isStopping: Bool { state.withLock { $0.isStopping } }

  private func run() async -> Bool {
    if let obstacle = await successor.obstacle() { return goOn(obstacle) }
    if isStopping { return false }
    guard let socket = server.copyListeningSocket() else { return goOn("the listening socket cannot be copied") }
    manager.reloading()
    logger.info("restarting")
    await server.handOn()
    if isStopping { return true }
    logger.info("starting the program anew")
    let why = successor.take(socket)
    // The database is closed and the threads are gone: a supervisor makes a better start than this process.
    exit(fail(.internalError, "the program could not be started anew: \(why)").rawValue)
  }

  private func goOn(_ obstacle: String) -> Bool {
    for line in obstacle.split(separator: "\n") { logger.error("\(line)") }
    // Before it is said: who reads that may ask again at once.
    state.withLock { $0.task = nil }
    logger.error("not restarted; the server goes on as it was")
    return false
  }
}
