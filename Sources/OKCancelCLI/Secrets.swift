internal import Asks
internal import CProcess
internal import Foundation
internal import OKCancel
internal import Synchronization

/// The secrets of a server, where the programs that it runs cannot read them.
///
/// They come as environment variables, and `/proc/PID/environ` shows the variables that a process started with to every
/// process of the same user. So a server erases them when it starts, and hides its memory. When it restarts, it passes
/// them to the next program through a socket.
enum Secrets {
  /// The descriptor to read them from; only a server that restarts sets it.
  static let passing = "OKCANCEL_SECRETS_FD"

  private static let taken = Mutex<[String: String]>([:])

  /// The secret of this variable, or `nil` if none was taken.
  static subscript(variable: String) -> String? { taken.withLock { $0[variable] } }

  /// The names of those that were taken.
  static var variables: [String] { taken.withLock { $0.keys.sorted() } }

  /// The keys of the database in `OKCANCEL_KEY`, or `nil` if it is not set.
  ///
  /// - Throws: if they are not keys. Empty is no key either: that is how a secret arrives which was not found.
  static func key() throws(Failure) -> String? {
    let key = Secrets["OKCANCEL_KEY"] ?? ProcessInfo.processInfo.environment["OKCANCEL_KEY"]
    do throws(SecretFault) { if let key { try SecretSource.check(environment: key) } } catch { throw .key(error) }
    return key
  }

  private static func keep(_ secret: String, as variable: String) { taken.withLock { $0[variable] = secret } }

  /// Makes the secrets that are needed but not set, for this run, and keeps them for the program after a restart.
  ///
  /// - Returns: a sentence for each.
  static func make(missingIn configuration: inout Configuration) -> [String] {
    var sentences: [String] = []
    func make(_ secret: String, _ what: String, _ variable: String) -> String {
      keep(secret, as: variable)
      sentences.append("The \(what) for this run is \(secret) (to keep one, set \(variable) before the start)")
      return secret
    }
    if configuration.apiTokens.isEmpty {
      configuration.apiTokens = [make(RandomText().description, "API token", "OKCANCEL_API_TOKEN")]
    }
    let signs = !configuration.allowedCallbacks.isEmpty || configuration.channels.contains(where: \.isSigned)
    if configuration.webhookSecrets.isEmpty, signs {
      let secret = make(WebhookSecret.generate(), "webhook secret", "OKCANCEL_WEBHOOK_SECRET")
      configuration.webhookSecrets = [WebhookSecret(secret)].compactMap(\.self)
    }
    return sentences
  }

  /// Hides this process from others of its user, and removes its secrets from its variables.
  ///
  /// - Throws: if they were passed by a descriptor that cannot be read.
  static func take() throws(Failure) {
    cprocess_hide()
    for variable in ChildProcess.secrets {
      guard let value = getenv(variable) else { continue }
      keep(String(cString: value), as: variable)
      // The bytes themselves: the variable's removal only forgets where they are.
      explicit_bzero(value, strlen(value))
      unsetenv(variable)
    }
    guard let place = getenv(passing).map({ String(cString: $0) }) else { return }
    unsetenv(passing)
    guard let descriptor = Int32(place),
      let bytes = try? FileHandle(fileDescriptor: descriptor, closeOnDealloc: descriptor > STDERR_FILENO).readToEnd()
    else { throw .value(place, of: passing, .secretsOfRestart) }
    for entry in bytes.split(separator: 0) {
      if let (variable, secret) = String(decoding: entry, as: UTF8.self).cut(at: "=") { keep(secret, as: variable) }
    }
  }

  /// A descriptor that the next program reads them from, which the caller closes, or `nil` if the system gives none.
  ///
  /// A socket: other processes can open another's pipes and files by `/proc/PID/fd`, but not its sockets.
  static func passed() -> Int32? {
    let bytes: [UInt8] = taken.withLock { $0.flatMap { name, secret in "\(name)=\(secret)\0".utf8 } }
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { return nil }
    // Nobody reads yet, so the socket's buffer must take all of it at once.
    let sent = send(ends[1], bytes, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    close(ends[1])
    if sent == bytes.count { return ends[0] }
    close(ends[0])
    return nil
  }
}
