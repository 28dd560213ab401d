internal import Logging
internal import Prompts

/// Finds out whom a signed token names (RFC 8725 says what to beware of).
struct TokenChecker: Sendable {
  /// The verdict of the keys at hand on a token.
  enum Finding: Sendable {
    /// It is right, and names somebody, or nobody.
    case right(Naming)
    /// It may be right, but is signed with a key that is not at hand.
    case unknownKey
  }

  let identity: SignedIdentity
  private let keys: TokenKeys
  private let clock: WallClock

  init(_ identity: SignedIdentity, clock: WallClock = .system, logger: Logger) {
    self.identity = identity
    self.clock = clock
    keys = TokenKeys(identity.keys, clock: clock, logger: logger)
  }

  /// Reads the keys if they are in a file.
  ///
  /// - Throws: `AskFault.setup` that says why they cannot be read.
  func readFile() throws(AskFault) { try keys.readFile() }

  /// Reads the keys, in the background. Until that succeeds, nobody is let in.
  func start() { keys.reading() }

  /// Reads no more keys. A read that is under way is interrupted.
  func stop() { keys.stop() }

  /// Checks a token with the keys at hand, without waiting.
  ///
  /// - Throws: `Problem` 401 for a wrong token.
  func finding(in token: String) throws(Problem) -> Finding {
    do throws(TokenFault) { return .right(try check(token)) } catch {
      if error == .unknownKey { return .unknownKey }
      throw problem(error)
    }
  }

  /// Checks a token. If it is signed with an unknown key, the keys are read again first, which takes up to 5 s; that
  /// happens once a minute at most, for all who wait.
  ///
  /// - Throws: `Problem` 401 for a wrong token, or while no keys could be read.
  func naming(of token: String) async throws(Problem) -> Naming {
    if case .right(let naming) = try finding(in: token) { return naming }
    await keys.readAgain()
    do throws(TokenFault) { return try check(token) } catch {
      if error == .unknownKey, keys.current.isEmpty {
        throw Problem("wrong-identity.no-keys", ["header": identity.header], headers: [("Retry-After", "5")])
      }
      throw problem(error)
    }
  }

  private func check(_ text: String) throws(TokenFault) -> Naming {
    let token = try SignedToken(text)
    try keys.current.check(token)
    return try token.naming(by: identity, at: clock.now)
  }

  private func problem(_ fault: TokenFault) -> Problem {
    let why = fault.rawValue
    return fault == .expired
      ? Problem("sign-in-needed.expired", ["header": identity.header, "why": why])
      : Problem("wrong-identity.token", ["header": identity.header, "why": why])
  }
}
