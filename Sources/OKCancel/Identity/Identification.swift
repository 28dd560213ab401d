internal import Asks
internal import Logging
internal import MicroHTTP
internal import Prompts
internal import Synchronization

/// Finds out who a visitor is, from what stands in front of the server.
final class Identification: Sendable {
  /// A request's claim of who its visitor is.
  enum Claim: Sendable {
    case nobody
    case person(Ended.By)
    /// A token whose key has to be fetched first.
    case token(String)
  }

  private let identity: Identity
  /// Checks signed tokens, or `nil` if there are none.
  let checker: TokenChecker?
  private let logger: Logger
  private let lastWarning = Mutex(ContinuousClock.Instant?.none)

  init(_ identity: Identity, logger: Logger) {
    self.identity = identity
    self.logger = logger
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
      let person = try headers.person { name throws(Problem) in try Self.text(name, of: request) }
      return person.map { .person(.init(.header, $0)) } ?? .nobody
    case .signed(let signed):
      guard let token = try Self.text(signed.header, of: request), !token.isEmpty, let checker else { return .nobody }
      switch try checker.finding(in: token) {
      case .right(let person): return person.map { .person(.init(.jwt, $0)) } ?? .nobody
      case .unknownKey: return .token(token)
      }
    }
  }

  /// Checks a token whose key is not known yet.
  ///
  /// - Throws: `Problem` 401 if it is wrong.
  func by(_ token: String) async throws(Problem) -> Ended.By {
    try await checker?.person(of: token).map { .init(.jwt, $0) } ?? .link
  }

  private func check(_ name: String, of request: Request) throws(Problem) {
    guard try Self.only(name, of: request) != nil, request.proxy == nil else { return }
    let isQuiet = lastWarning.withLock { last in
      let isQuiet = last.map { .now - $0 < .seconds(60) } ?? false
      if !isQuiet { last = .now }
      return isQuiet
    }
    if !isQuiet {
      logger.warning(
        "\(request.clientAddress) sends \(name) and is not trusted; if it is your proxy, name it with --trust-proxy")
    }
    throw Problem(.identityHeader(name, why: "is only taken from a trusted proxy"))
  }

  /// The value of the only header with this name, or `nil` if there is none.
  private static func only(_ name: String, of request: Request) throws(Problem) -> ArraySlice<UInt8>? {
    let found = request.headers(like: name)
    guard let first = found.first else { return nil }
    guard found.count == 1 else { throw Problem(.identityHeader(name, why: "appears twice")) }
    guard first.isExact else { throw Problem(.identityHeader(name, why: "is spelt with “_”")) }
    return first.value
  }

  private static func text(_ name: String, of request: Request) throws(Problem) -> String? {
    guard let value = try only(name, of: request) else { return nil }
    guard let text = String(validating: value, as: UTF8.self) else {
      throw Problem(.identityValue(name, "is not UTF-8; let the proxy send it in UTF-8"))
    }
    return text
  }
}
