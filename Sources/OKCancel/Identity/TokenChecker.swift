internal import Logging
internal import Prompts

/// Finds out whom a signed token names.
struct TokenChecker: Sendable {
  /// What the keys at hand say of a token.
  enum Finding: Sendable {
    /// It is right; `nil` if it names nobody.
    case right(Person?)
    /// It may be right, but is signed with a key that is not at hand.
    case unknownKey
  }

  let identity: SignedIdentity

  init(_ identity: SignedIdentity, clock: WallClock = .system, logger: Logger) { self.identity = identity }

  /// Reads the keys, in the background.
  func start() {}

  /// Reads no more keys. A read that is under way is interrupted.
  func stop() {}

  /// Checks a token with the keys at hand, without waiting.
  ///
  /// - Throws: `Problem` 401 for a wrong token.
  func finding(in token: String) throws(Problem) -> Finding { throw Problem(.wrongToken) }

  /// Checks a token. If it is signed with an unknown key, the keys are read again first, which takes up to 5 s; that
  /// happens once a minute at most, for all that wait.
  ///
  /// - Returns: `nil` if it names nobody, like the token of a service.
  /// - Throws: `Problem` 401 for a wrong token.
  func person(of token: String) async throws(Problem) -> Person? { throw Problem(.wrongToken) }
}
