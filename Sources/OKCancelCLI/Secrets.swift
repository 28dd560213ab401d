internal import Asks
internal import CProcess
internal import Foundation
internal import OKCancel
internal import Synchronization

/// The secrets of a server, where the programs that it runs cannot read them.
///
/// They come as environment variables, and `/proc/PID/environ` shows the variables that a process started with to every
/// process of the same user. So a server erases them when it starts, and hides its memory.
enum Secrets {
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
    do throws(PlainError) { if let key { try SecretSource.check(environment: key) } } catch {
      throw Failure("key", ["why": "\(error)"])
    }
    return key
  }

  /// Makes the secrets that are needed but not set, for this run.
  ///
  /// - Returns: a sentence for each.
  static func make(missingIn configuration: inout Configuration) -> [String] {
    var sentences: [String] = []
    func make(_ secret: String, _ what: String, _ variable: String) -> String {
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
  static func take() {
    cprocess_hide()
    for variable in ChildProcess.secrets {
      guard let value = getenv(variable) else { continue }
      taken.withLock { $0[variable] = String(cString: value) }
      // The bytes themselves: the variable's removal only forgets where they are.
      explicit_bzero(value, strlen(value))
      unsetenv(variable)
    }
  }
}
