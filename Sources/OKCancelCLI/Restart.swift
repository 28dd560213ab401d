internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import Logging
internal import OKCancel
internal import Subprocess
internal import Synchronization
internal import SystemPackage

/// The replacement of the server by its successor, while signals are handled as usual.
final class Restart: Sendable {
  private struct State {
    var isStopping = false
    /// Returns whether it ended with the server stopped.
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

  /// Begins, unless it has begun. If there is an obstacle, the server continues as it was, and it may begin again.
  func begin() {
    state.withLock { state in
      if state.task == nil { state.task = Task { await self.run() } }
    }
  }

  /// Keeps it from completing.
  ///
  /// - Returns: whether the server is stopped already.
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
    await server.handOver()
    if isStopping { return true }
    logger.info("starting the program again")
    let why = successor.take(socket)
    // The database is closed and the threads are gone: a supervisor starts better than this process.
    exit(fail(.internalError, "the program could not be restarted: \(why)").rawValue)
  }

  private func goOn(_ obstacle: String) -> Bool {
    for line in obstacle.split(separator: "\n") { logger.error("\(line)") }
    // Before it is logged: whoever reads that may try again at once.
    state.withLock { $0.task = nil }
    logger.error("not restarted; the server continues as it was")
    return false
  }
}

/// The program that takes over this process: what the command names by now, with the arguments of this one.
struct Successor: Sendable {
  /// Whether only this process keeps the listening socket.
  let ownsSocket: Bool

  /// What would keep it from starting, as lines, or `nil` if nothing is known to.
  ///
  /// It is run once with `--check`, so that it reads the settings, the prompts and the libraries that it needs itself.
  func obstacle() async -> String? {
    await ChildProcess.inTime(.seconds(20)) { await check() }
      ?? "\(CommandLine.arguments[0]) --check did not end"
  }

  private func check() async -> String? {
    let program = CommandLine.arguments[0]
    guard let secrets = Secrets.passed() else { return Self.noSecrets }
    do {
      let result = try await Subprocess.run(
        ChildProcess.configuration(
          program, Array(CommandLine.arguments.dropFirst()),
          with: ["OKCANCEL_CHECK": "true", Secrets.passing: "0"], without: []),
        input: .fileDescriptor(FileDescriptor(rawValue: secrets), closeAfterSpawningProcess: true), output: .discarded,
        error: .string(limit: 64 * 1024))
      if result.terminationStatus == .exited(0) { return nil }
      let said = result.standardError
      return said.isEmpty ? "\(program) --check: \(result.terminationStatus)" : said
    } catch {
      return "\(program) cannot be run: \(error)"
    }
  }

  private static let noSecrets = "the secrets cannot be passed on; they are too long, or too many files are open"

  /// Becomes that program, in this process; the database must be closed.
  ///
  /// - Parameter socket: the listening socket; the program finds it as its descriptor 3.
  /// - Returns: why it could not.
  func take(_ socket: Int32) -> String {
    for (name, value) in PassedSocket.environment(isOurs: ownsSocket) { setenv(name, value, 1) }
    if socket == PassedSocket.descriptor {
      _ = fcntl(socket, F_SETFD, 0)
    } else {
      // Whatever has that number goes with this program.
      guard dup2(socket, PassedSocket.descriptor) >= 0 else { return String(cString: strerror(errno)) }
    }
    guard let secrets = Secrets.passed() else { return Self.noSecrets }
    _ = fcntl(secrets, F_SETFD, 0)
    setenv(Secrets.passing, String(secrets), 1)
    holdSignals()
    // The arguments as they came, UTF-8 or not; there is a first.
    execvp(CommandLine.unsafeArgv[0]!, CommandLine.unsafeArgv)
    return "\(CommandLine.arguments[0]): \(String(cString: strerror(errno)))"
  }

  /// Signals that come before the program can handle them wait: by default most of them would end the process. It gets
  /// them by a signalfd, which reads what is held.
  private func holdSignals() {
    var held = sigset_t()
    sigemptyset(&held)
    for signal in [SIGHUP, SIGUSR1, SIGUSR2, SIGTERM, SIGINT] { sigaddset(&held, signal) }
    pthread_sigmask(SIG_SETMASK, &held, nil)
  }
}

/// A listening socket that this process was started with, as sd_listen_fds(3) says: by systemd, which keeps it while the
/// server is restarted, or by this program before it restarted itself.
struct PassedSocket {
  /// What this program calls its own socket when it hands it on.
  static let ownName = "okcancel-own"
  /// The first descriptor that is passed, and the only one that is used.
  static let descriptor: Int32 = 3

  let descriptor = Self.descriptor
  /// Whether nobody else keeps it: connections are then refused once this process has ended.
  let isOurs: Bool

  /// The socket, or `nil` if none was passed to this process.
  ///
  /// - Throws: if several were passed.
  static func take(environment: [String: String] = ProcessInfo.processInfo.environment) throws -> PassedSocket? {
    // Programs that this one runs must not believe that it is theirs.
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
    guard environment["LISTEN_PID"] == String(getpid()), let count = environment["LISTEN_FDS"] else { return nil }
    guard count == "1" else {
      throw fail(.usage, "LISTEN_FDS cannot be “\(count)”; pass one listening socket")
    }
    return PassedSocket(isOurs: environment["LISTEN_FDNAMES"] == ownName)
  }

  /// The variables that tell the next program in this process about the socket.
  static func environment(isOurs: Bool) -> [String: String] {
    ["LISTEN_PID": String(getpid()), "LISTEN_FDS": "1", "LISTEN_FDNAMES": isOurs ? ownName : "okcancel.socket"]
  }
}
