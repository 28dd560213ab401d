internal import Crypto
internal import MicroHTTP

/// The tokens that programs show to make asks and to read answers.
package struct APITokens: Sendable {
  /// The minimum length of a token, in characters. A random token of this length cannot be guessed.
  package static let leastLength = 22

  private let digests: [SHA256.Digest]
  private let limiting: RateLimiting
  private let failures = Counters(1)

  init(_ tokens: [String], limiting: RateLimiting) {
    digests = tokens.map { SHA256.hash(data: Array($0.utf8)) }
    self.limiting = limiting
  }

  /// The reason an operator cannot use these tokens, or `nil` if there is none; it repeats none of them.
  package static func fault(in tokens: [String], shortAreTaken: Bool) -> String? {
    if tokens.contains("") { return "there is an empty token; put one comma between two, and none at the ends" }
    guard !shortAreTaken, let short = tokens.first(where: { $0.unicodeScalars.count < leastLength }) else { return nil }
    let length = short.unicodeScalars.count
    return
      "a token of \(length) character\(length == 1 ? "" : "s") can be guessed; give at least \(leastLength), as “openssl rand -hex 16” prints, or accept it anyway with --insecure-token"
  }

  /// The number of requests with a wrong token.
  var failureCount: Int { failures[0] }

  /// - Throws: `Problem` 401 unless the request has `Authorization: Bearer` and one of the tokens; 429 if its client
  ///   showed too many wrong ones. A right token passes whatever its client did before.
  func token(neededBy request: Request) throws(Problem) -> Token {
    guard let token = try token(shownBy: request) else { throw Problem(.missingToken) }
    return token
  }

  /// The token that the request has, or `nil` if it has none.
  ///
  /// - Throws: `Problem` 401 if it has a wrong one, 429 if its client showed too many wrong ones.
  func token(shownBy request: Request) throws(Problem) -> Token? {
    let text = (try request.field("authorization") ?? "").utf8
    let scheme = "bearer ".utf8
    // The scheme may be in capitals, which lack this bit.
    guard text.count > scheme.count, text.prefix(scheme.count).elementsEqual(scheme, by: { $0 | 0x20 == $1 }) else {
      return nil
    }
    // Digests are compared to their ends, and all of them, so that the time taken tells nothing of a token.
    let given = SHA256.hash(data: text.dropFirst(scheme.count).drop { $0 == UInt8(ascii: " ") }.map(\.self))
    if digests.reduce(false, { isKnown, digest in digest == given || isKnown }) { return Token(digest: given) }
    failures.add(at: 0)
    try limiting.admit(Payer(request), as: .token)
    throw Problem(.wrongToken)
  }
}

/// An API token that a program has shown.
struct Token: Sendable {
  fileprivate let digest: SHA256.Digest

  /// The actions that a token allows a program.
  enum Scope: Sendable {
    /// Ask, wait and withdraw.
    case ask
    /// Read answers.
    case answers
    case metrics
  }
}
