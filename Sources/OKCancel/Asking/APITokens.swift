internal import Crypto
internal import MicroHTTP

/// The tokens that programs show to make asks and to read answers.
struct APITokens: Sendable {
  private let digests: [[UInt8]]

  init(_ tokens: [String]) { digests = tokens.map(Self.digest) }

  /// - Throws: `Problem` 401 unless the request has `Authorization: Bearer` and one of the tokens.
  func check(_ request: Request) throws(Problem) {
    let words = (request.header("authorization") ?? "").split(separator: " ", maxSplits: 1)
    if words.count == 2, words[0].lowercased() == "bearer", knows(String(words[1])) { return }
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
