internal import Crypto
internal import MicroHTTP

/// The tokens that programs show to make asks and to read answers.
package struct APITokens: Sendable {
  /// Characters of a token. One as long as this, chosen at random, cannot be guessed.
  package static let leastLength = 22

  private let digests: [[UInt8]]
  private let limiting: RateLimiting
  private let failures = Counters(1)

  init(_ tokens: [String], limiting: RateLimiting) {
    digests = tokens.map(Self.digest)
    self.limiting = limiting
  }

  /// Why these cannot be an operator's tokens, or `nil` if they can; it repeats none of them.
  package static func fault(in tokens: [String], shortAreTaken: Bool) -> String? {
    if tokens.contains("") { return "there is an empty token; put one comma between two, and none at the ends" }
    guard !shortAreTaken, let short = tokens.first(where: { $0.unicodeScalars.count < leastLength }) else { return nil }
    let length = short.unicodeScalars.count
    return
      "a token of \(length) character\(length == 1 ? "" : "s") can be guessed; give at least \(leastLength), as “openssl rand -hex 16” prints, or take it nevertheless with --insecure-token"
  }

  /// Requests that showed a token which is none of these.
  var failureCount: Int { failures[0] }

  /// - Throws: `Problem` 401 unless the request has `Authorization: Bearer` and one of the tokens; 429 if its client
  ///   showed too many wrong ones. A right token passes whatever its client did before.
  func check(_ request: Request) throws(Problem) {
    let words = (try request.field("authorization") ?? "").split(separator: " ", maxSplits: 1)
    if words.count == 2, words[0].lowercased() == "bearer" {
      if knows(String(words[1])) { return }
      failures.add(at: 0)
      try limiting.admit(request, as: .token)
    }
    throw Problem(
      status: .unauthorized,
      detail: "This needs the API token; send it as “Authorization: Bearer TOKEN”.",
      headers: [("WWW-Authenticate", "Bearer")])
  }

  /// Compares digests, all of them and to their ends, so that time tells nothing of a token.
  private func knows(_ token: String) -> Bool {
    let given = Self.digest(token)
    return digests.reduce(false) { known, digest in
      let difference = zip(digest, given).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
      return known || difference == 0
    }
  }

  private static func digest(_ text: String) -> [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }
}
