internal import ArgumentParser
internal import Foundation
internal import Logging
internal import OKCancel
internal import Subprocess
internal import Synchronization
internal import SystemPackage

/// Restarts the server within this process: replaces it with the program that the command's name now refers to, with
/// the same arguments. Signals are handled as usual meanwhile.
actor Restart {
  private let server: OKCancelServer
  /// True if only this process keeps the listening socket.
  private let ownsSocket: Bool
  private let manager: ServiceManager
  private let logger: Logger
  /// Returns whether it ended with the server stopped.
  private var task: Task<Bool, Never>?

  init(of server: OKCancelServer, ownsSocket: Bool, _ manager: ServiceManager, _ logger: Logger) {
    self.server = server
    self.ownsSocket = ownsSocket
    self.manager = manager
    self.logger = logger
  }

  /// Begins, unless it has begun. If there is an obstacle, the server continues as it was, and it may begin again.
  func begin() { if task == nil { task = Task { await run() } } }

  /// Waits for it after the signal that keeps it from completing.
  ///
  /// - Returns: whether the server is stopped already.
  func stop() async -> Bool { await task?.value ?? false }

  /// True once that signal has come; the server may still be busy with those before it.
  private var isStopping: Bool { Output.isEnding.load(ordering: .relaxed) }

  private func run() async -> Bool {
    let obstacle = await ChildProcess.inTime(.seconds(20)) { await Self.obstacle() }
    if let obstacle = obstacle ?? .checkGoesOn(CommandLine.arguments[0]) { return goOn(obstacle) }
    if isStopping { return false }
    guard let socket = server.copyListeningSocket() else { return goOn(.socket) }
    manager.reloading()
    logger.info("restarting")
    await server.handOver()
    if isStopping { return true }
    logger.info("starting the program again")
    // The database is closed and the threads are gone, so end here: a supervisor can start the program again.
    exit(Failure.notRestarted(replaceProgram(socket)).report().rawValue)
  }

  private func goOn(_ obstacle: Obstacle) -> Bool {
    task = nil
    for line in obstacle.description.split(separator: "\n") { logger.error("\(line)") }
    logger.error("not restarted; the server continues as it was")
    return false
  }

  /// The obstacle that would keep the program from starting, or `nil` if none is known.
  ///
  /// It is run once with `--check`, so that it reads the settings, the prompts and the libraries that it needs itself.
  private static func obstacle() async -> Obstacle? {
    let program = CommandLine.arguments[0]
    guard let secrets = Secrets.passed() else { return .secrets }
    do {
      let result = try await ChildProcess.counted {
        try await Subprocess.run(
          ChildProcess.configuration(
            program, Array(CommandLine.arguments.dropFirst()),
            with: ["OKCANCEL_CHECK": "true", Secrets.passing: "0"]),
          input: .fileDescriptor(FileDescriptor(rawValue: secrets), closeAfterSpawningProcess: true),
          output: .discarded, error: .string(limit: 64 * 1024))
      }
      if result.terminationStatus == .exited(0) { return nil }
      return .check(program, result.terminationStatus, said: result.standardError)
    } catch {
      return .checkNotRun(program, error)
    }
  }

  /// Becomes that program, in this process; the database must be closed.
  ///
  /// - Parameter socket: the listening socket; the program finds it as its descriptor 3.
  /// - Returns: why it could not.
  private func replaceProgram(_ socket: Int32) -> Obstacle {
    for (name, value) in PassedSocket.environment(isOurs: ownsSocket) { setenv(name, value, 1) }
    // `dup2` closes whatever has that number; it would end with this program anyway.
    guard dup2(socket, PassedSocket.descriptor) >= 0 else { return .socket }
    _ = fcntl(PassedSocket.descriptor, F_SETFD, 0)
    guard let secrets = Secrets.passed() else { return .secrets }
    _ = fcntl(secrets, F_SETFD, 0)
    setenv(Secrets.passing, String(secrets), 1)
    // Signals that come before the program can handle them wait: by default most of them would end the process.
    Program.hold([SIGHUP, SIGUSR1, SIGUSR2, SIGTERM, SIGINT], SIG_SETMASK)
    Program.restoreBrokenPipe()
    // The arguments as they came, UTF-8 or not; there is a first.
    execvp(CommandLine.unsafeArgv[0]!, CommandLine.unsafeArgv)
    let code = errno
    Program.ignoreBrokenPipe()
    return .program(CommandLine.arguments[0], code)
  }
}

/// A listening socket that this process was started with, as sd_listen_fds(3) says: by systemd, which keeps it while the
/// server is restarted, or by this program before it restarted itself.
struct PassedSocket {
  /// The name under which this program hands on its own socket.
  private static let ownName = "okcancel-own"
  /// The first descriptor that is passed, and the only one that is used.
  static let descriptor: Int32 = 3

  let descriptor = Self.descriptor
  /// True if nobody else keeps it: connections are then refused once this process has ended.
  let isOurs: Bool

  /// The socket, or `nil` if none was passed to this process.
  ///
  /// - Throws: if several were passed.
  static func take() throws(Failure) -> PassedSocket? {
    let given = ProcessInfo.processInfo.environment
    // Programs that this one runs must not believe that it is theirs.
    for name in environment(isOurs: true).keys { unsetenv(name) }
    guard given["LISTEN_PID"] == String(getpid()), let count = given["LISTEN_FDS"] else { return nil }
    guard count == "1" else { throw .value(count, of: "LISTEN_FDS", .oneSocket) }
    return PassedSocket(isOurs: given["LISTEN_FDNAMES"] == ownName)
  }

  /// The variables that tell the next program in this process about the socket.
  static func environment(isOurs: Bool) -> [String: String] {
    ["LISTEN_PID": String(getpid()), "LISTEN_FDS": "1", "LISTEN_FDNAMES": isOurs ? ownName : "okcancel.socket"]
  }
}

/// Tells the service manager that started this process about its state, as sd_notify(3) does; does nothing without
/// `NOTIFY_SOCKET` in the environment.
struct ServiceManager: Sendable {
  /// The datagram socket's path. A name without a file begins with `@`.
  private let path: String?
  private let watchdogInterval: Duration?

  init() {
    let environment = ProcessInfo.processInfo.environment
    path = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
    let isMeant = environment["WATCHDOG_PID"].map { $0 == String(getpid()) } ?? true
    let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
    watchdogInterval = isMeant && microseconds > 0 ? .microseconds(microseconds) : nil
  }

  /// The server responds to requests now.
  ///
  /// - Returns: false if the manager could not be told.
  @discardableResult
  func ready(_ status: String) -> Bool { send("READY=1\nSTATUS=\(status)") }

  /// The server reads its prompts again; `ready` follows.
  func reloading() {
    // What CLOCK_MONOTONIC says.
    send("RELOADING=1\nMONOTONIC_USEC=\(DispatchTime.now().uptimeNanoseconds / 1000)")
  }

  func stopping() { send("STOPPING=1\nSTATUS=Finishing what runs") }

  /// Tells that the server is alive, twice as often as the manager requires, until the task is cancelled.
  ///
  /// - Parameter isAlive: checks that each time, within this limit; if it is not alive, nothing is told.
  func watchdog(_ isAlive: @escaping @Sendable (_ limit: Duration) async -> Bool) -> Task<Void, Never>? {
    guard let watchdogInterval else { return nil }
    return Task {
      while !Task.isCancelled {
        let next = ContinuousClock.now + watchdogInterval / 2
        if await isAlive(watchdogInterval / 8) { send("WATCHDOG=1") }
        try? await Task.sleep(until: next)
      }
    }
  }

  @discardableResult
  private func send(_ state: String) -> Bool {
    guard let path else { return true }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // An abstract name begins with NUL and ends with its length.
    let name = path.hasPrefix("@") ? [0] + path.utf8.dropFirst() : path.utf8 + [0]
    guard name.count <= MemoryLayout.size(ofValue: address.sun_path) else { return false }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let length = MemoryLayout<sockaddr_un>.offset(of: \.sun_path)! + name.count

    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let bytes = Array(state.utf8)
    let sent = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, socklen_t(length))
      }
    }
    return sent == bytes.count
  }
}
