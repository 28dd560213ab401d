internal import Platform
internal import Foundation

/// A listening socket that this process was started with, as sd_listen_fds(3) says: systemd keeps it while the server is
/// restarted.
enum PassedSocket {
  /// The first descriptor that is passed, and the only one that is used.
  private static let first: Int32 = 3

  /// The socket's descriptor, or `nil` if none was passed to this process.
  ///
  /// - Throws: if several were passed.
  static func take() throws(Failure) -> Int32? {
    let given = ProcessInfo.processInfo.environment
    // Programs that this one runs must not believe that it is theirs.
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
    guard given["LISTEN_PID"] == String(getpid()), let count = given["LISTEN_FDS"] else { return nil }
    guard count == "1" else { throw PlainError(row: "one-socket").failure(of: "LISTEN_FDS", count) }
    return first
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
