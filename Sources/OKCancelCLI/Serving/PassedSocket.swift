internal import ArgumentParser
internal import Foundation
internal import Glibc

/// A listening socket that this process was started with, as sd_listen_fds(3) says: by systemd, which
/// keeps it while the server is restarted, or by this program before it was started anew.
struct PassedSocket {
  /// What this program calls its own socket when it hands it on.
  static let ownName = "okcancel-own"
  /// The first descriptor that is passed, and the only one that is taken.
  static let descriptor: Int32 = 3

  let descriptor = Self.descriptor
  /// True when nobody else keeps it: who connects is refused once this process has ended.
  let isOurs: Bool

  /// nil: none was passed to this process.
  ///
  /// - Throws: where several were passed.
  static func take(environment: [String: String] = ProcessInfo.processInfo.environment) throws -> PassedSocket? {
    // Programs that this one runs must not take it for theirs.
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
    guard environment["LISTEN_PID"] == String(getpid()), let count = environment["LISTEN_FDS"] else { return nil }
    guard count == "1" else {
      throw fail(.usage, "LISTEN_FDS cannot be “\(count)”; pass one listening socket")
    }
    return PassedSocket(isOurs: environment["LISTEN_FDNAMES"] == ownName)
  }

  /// What tells the program that this process becomes next of the socket.
  static func environment(isOurs: Bool) -> [String: String] {
    ["LISTEN_PID": String(getpid()), "LISTEN_FDS": "1", "LISTEN_FDNAMES": isOurs ? ownName : "okcancel.socket"]
  }
}
