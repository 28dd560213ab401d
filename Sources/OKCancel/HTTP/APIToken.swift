/// An API token as an operator writes it: `NAME[:SCOPE+SCOPE]=TOKEN`, or a bare token, which may do everything.
///
/// It has a name only if at least 22 characters follow the first `=`, since Base64 ends in `=`.
package struct APIToken: Sendable, Equatable {
  /// The minimum length of a token, in characters. A random token of this length cannot be guessed.
  static let leastLength = 22

  /// The token itself, as programs send it.
  package let text: String
  let name: String?
  /// The words for what it may do, or `nil` if it may do everything.
  let scopeWords: [String]?

  package init(_ entry: String) {
    let form = #/([a-z][a-z0-9-]*)(?::([^=]*))?=(.{22,})/#.matchingSemantics(.unicodeScalar)
    let found = entry.wholeMatch(of: form)?.output
    text = found.map { String($0.3) } ?? entry
    name = found.map { String($0.1) }
    scopeWords = found?.2?.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
  }

  var shown: Token {
    Token(name: name, scopes: scopeWords.map { Set($0.compactMap(Token.Scope.init)) } ?? Set(Token.Scope.allCases))
  }

  /// The reason an operator cannot use these tokens, or `nil` if there is none; it repeats none of them.
  package static func fault(in entries: [String], shortAreTaken: Bool) -> String? {
    let tokens = entries.map(APIToken.init)
    if entries.contains("") { return "there is an empty token; put one comma between two, and none at the ends" }
    for token in tokens {
      guard let word = token.scopeWords?.first(where: { Token.Scope(rawValue: $0) == nil }) else { continue }
      let known = Token.Scope.allCases.map(\.rawValue).joined(separator: ", ")
      return "the token “\(token.name ?? "")” has the scope “\(word)”, which there is not; the scopes are \(known)"
    }
    for (index, token) in tokens.enumerated() {
      if tokens[..<index].contains(where: { $0.text == token.text && $0 != token }) {
        return "two entries have the same token and another name or scope; give each a token of its own"
      }
    }
    guard !shortAreTaken, let short = tokens.first(where: { $0.text.unicodeScalars.count < leastLength }) else {
      return nil
    }
    let length = short.text.unicodeScalars.count
    return
      "a token of \(length) character\(length == 1 ? "" : "s") can be guessed; give at least \(leastLength), as “openssl rand -hex 16” prints, or accept it anyway with --insecure-token"
  }
}
