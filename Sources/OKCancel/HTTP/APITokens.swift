internal import Crypto
internal import MicroHTTP

/// The tokens that programs show to make asks and to read answers.
struct APITokens: Sendable {
  private let known: [(digest: SHA256.Digest, token: APIToken)]
  private let limiting: RateLimiting
  private let failures = Counters(1)

  init(_ entries: [String], limiting: RateLimiting) {
    known = entries.map(APITokenEntry.init).map { (SHA256.hash(data: Array($0.text.utf8)), $0.shown) }
    self.limiting = limiting
  }

  /// The number of requests with a wrong token.
  var failureCount: Int { failures[0] }

  /// - Throws: `Problem` 401 unless the request has `Authorization: Bearer` and one of the tokens; 403 if that does not
  ///   allow this; 429 if its client showed too many wrong ones. A right token passes whatever its client did before.
  func token(neededBy request: Request, allowing scope: APIToken.Scope) throws(Problem) -> APIToken {
    guard let token = try token(shownBy: request) else { throw Problem("missing-token") }
    guard token.scopes.contains(scope) else { throw Problem(missing: scope) }
    return token
  }

  /// The token that the request has, or `nil` if it has none.
  ///
  /// - Throws: `Problem` 401 if it has a wrong one, 429 if its client showed too many wrong ones.
  func token(shownBy request: Request) throws(Problem) -> APIToken? {
    let text = Array((try request.field("authorization") ?? "").utf8), scheme = "bearer ".utf8
    // The scheme may be in capitals, which lack this bit.
    guard text.count > scheme.count, zip(text, scheme).allSatisfy({ $0 | 0x20 == $1 }) else { return nil }
    // Digests are compared to their ends, and all of them, so that the time taken tells nothing of a token.
    let given = SHA256.hash(data: text[scheme.count...].drop { $0 == UInt8(ascii: " ") })
    if let found = known.reduce(nil as APIToken?, { found, other in other.digest == given ? other.token : found }) {
      return found
    }
    failures.add(at: 0)
    try limiting.admit(Payer(request), as: .token)
    throw Problem("wrong-token")
  }
}

/// The name and the scopes of an API token that a program has shown.
struct APIToken: Sendable {
  /// The program's name, or `nil` for a bare token. Several tokens of one name are one program's, with the same asks.
  let name: String?
  let scopes: Set<Scope>

  /// The actions that a token allows a program.
  enum Scope: String, CaseIterable, Sendable {
    /// Ask, wait and withdraw.
    case ask
    /// Read answers.
    case answers
    case metrics
    /// Say which person has a link.
    case vouch
  }
}
