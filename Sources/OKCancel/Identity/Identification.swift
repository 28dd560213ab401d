internal import Logging
internal import MicroHTTP
internal import Prompts
internal import Synchronization

/// Finds out who a visitor is, from what stands in front of the server.
final class Identification: Sendable {
  /// A request's claim of who its visitor is.
  enum Claim: Sendable {
    case nobody
    /// Somebody who is signed in, but has no id.
    case nameless
    case person(Ended.By)
    /// A token whose key has to be fetched first.
    case token(String)
  }

  private let identity: Identity
  /// Checks signed tokens, or `nil` if there are none.
  let checker: TokenChecker?
  private let logger: Logger
  /// Watches whether groups ever come, or `nil` if nothing is configured to bring them.
  private let missingGroups: MissingGroups?
  private let lastWarning = Mutex(ContinuousClock.Instant?.none)

  init(_ identity: Identity, logger: Logger) {
    self.identity = identity
    self.logger = logger
    missingGroups = identity.groups.map { MissingGroups(of: $0) }
    checker = if case .signed(let signed) = identity { TokenChecker(signed, logger: logger) } else { nil }
  }

  /// Checks that a request's headers may say who somebody is.
  ///
  /// - Throws: `Problem` 400 for one that came from another peer than a trusted proxy, or twice, or in a spelling that
  ///   some programs take for the same.
  func check(_ request: Request) throws(Problem) {
    switch identity {
    case .headers(let headers): for name in headers.all { try check(name, of: request) }
    case .signed(let signed): _ = try Self.only(signed.header, of: request)
    }
  }

  /// Reads who the visitor is from headers that were checked.
  ///
  /// - Throws: `Problem` 400 for a header that cannot be read, 401 for a wrong token.
  func claim(of request: Request) throws(Problem) -> Claim {
    switch identity {
    case .headers(let headers):
      guard request.proxy != nil else { return .nobody }
      return claim(try headers.naming { name throws(Problem) in try Self.only(name, of: request) }, .header, headers.id)
    case .signed(let signed):
      guard let bytes = try Self.only(signed.header, of: request), !bytes.isEmpty, let checker else { return .nobody }
      let token = try IdentityHeaders.text(bytes, of: signed.header)
      guard case .right(let naming) = try checker.finding(in: token) else { return .token(token) }
      return claim(naming, .jwt, signed.header)
    }
  }

  /// Checks a token whose key is not known yet.
  ///
  /// - Throws: `Problem` 401 if it is wrong.
  func claim(of token: String) async throws(Problem) -> Claim {
    guard let checker else { return .nobody }
    return claim(try await checker.naming(of: token), .jwt, checker.identity.header)
  }

  private func claim(_ naming: Naming, _ way: Ended.By.Way, _ header: String) -> Claim {
    switch naming {
    case .nobody: return .nobody
    case .person(let person):
      missingGroups?.note(person, logger)
      return .person(.init(way, person))
    case .nameless(let fault):
      if let fault { warn("the id in \(header) \(fault.what), so it names nobody; see that the proxy sends one") }
      return fault == .wordForNobody ? .nobody : .nameless
    }
  }

  private func check(_ name: String, of request: Request) throws(Problem) {
    guard try Self.only(name, of: request) != nil, request.proxy == nil else { return }
    warn("\(request.clientAddress) sends \(name) and is not trusted; if it is your proxy, name it with --trust-proxy")
    throw Problem("wrong-identity.header", ["name": name, "why": "is only taken from a trusted proxy"])
  }

  /// Writes a line in the log, but none that anybody could fill it with: one a minute.
  private func warn(_ what: @autoclosure () -> String) {
    let isEarly = lastWarning.withLock { last in
      let isEarly = last.map { .now - $0 < .seconds(60) } ?? false
      if !isEarly { last = .now }
      return isEarly
    }
    if !isEarly { logger.warning("\(what())") }
  }

  /// The value of the only header with this name, or `nil` if there is none.
  private static func only(_ name: String, of request: Request) throws(Problem) -> ArraySlice<UInt8>? {
    let found = request.headers(like: name)
    guard let first = found.first else { return nil }
    guard found.count == 1 else { throw Problem("wrong-identity.header", ["name": name, "why": "appears twice"]) }
    guard first.isExact else { throw Problem("wrong-identity.header", ["name": name, "why": "is spelt with “_”"]) }
    return first.value
  }
}

/// Says once in the log that no groups came, where a rule for groups would therefore admit nobody, or exclude nobody.
private final class MissingGroups: Sendable {
  private let source: String
  /// How many more may come without a group; `nil` once a group came, or it was said.
  private let left = Mutex<Int?>(100)

  /// - Parameter source: the header or claim that is to have groups.
  init(of source: String) { self.source = source }

  func note(_ person: Person, _ logger: Logger) {
    let isMissing = left.withLock { left in
      left = person.groups.isEmpty ? left.map { $0 - 1 } : nil
      if left == 0 { left = nil } else { return false }
      return true
    }
    guard isMissing else { return }
    logger.warning(
      """
      100 requests of people who are signed in had no groups in \(source): `group:` in `for` admits nobody, and in `notBy` \
      excludes nobody; see what the proxy sends
      """)
  }
}
