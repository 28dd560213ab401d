internal import Prompts

/// An API token as an operator writes it: `NAME[:SCOPE+SCOPE]=TOKEN`, or a bare token, which may do everything.
///
/// It has a name only if at least 22 characters follow the first `=`, since Base64 ends in `=`.
package struct APITokenEntry: Sendable, Equatable {
  /// The minimum length of a token, in characters. A random token of this length cannot be guessed.
  static let leastLength = 22

  /// The token itself, as programs send it.
  package let text: String
  let name: String?
  /// The words for what it may do, or `nil` if it may do everything.
  let scopeWords: [String]?

  package init(_ entry: String) {
    var reader = TextReader(entry)
    let name = reader.take(some: "a-z0-9-"), scopes = reader.take(":") ? reader.take(any: "^=") : nil
    guard let name, name.utf8.first.map(ASCII.isLower) == true, reader.take("="),
      reader.rest.unicodeScalars.count >= Self.leastLength
    else {
      (text, self.name, scopeWords) = (entry, nil, nil)
      return
    }
    (text, self.name) = (String(reader.rest), String(name))
    scopeWords = scopes?.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
  }

  /// The token as it is known once a program has shown it.
  var shown: APIToken {
    APIToken(
      name: name, scopes: scopeWords.map { Set($0.compactMap(APIToken.Scope.init)) } ?? Set(APIToken.Scope.allCases))
  }

  /// True for a bare token that was meant to have scopes: with known ones between a colon and the first `=`.
  private var isMisnamed: Bool {
    guard name == nil, let end = text.utf8.firstIndex(of: UInt8(ascii: "=")),
      let colon = text.utf8[..<end].lastIndex(of: UInt8(ascii: ":"))
    else { return false }
    let words = text[text.utf8.index(after: colon)..<end].split(separator: "+").map { $0.lowercased() }
    return words.contains { word in APIToken.Scope.allCases.contains { word == $0.rawValue } }
  }

  /// The reason an operator cannot use these tokens, or `nil` if there is none; it repeats none of them.
  package static func fault(in entries: [String], shortAreTaken: Bool) -> String? {
    let tokens = entries.map(APITokenEntry.init)
    if entries.contains("") { return "there is an empty token; put one comma between two, and none at the ends" }
    let isUnsendable = { (scalar: Unicode.Scalar) in scalar.value < 0x20 || scalar.value == 0x7F }
    if tokens.contains(where: { $0.text.unicodeScalars.contains(where: isUnsendable) || $0.text.hasPrefix(" ") }) {
      return "a token has a line break or another control character, or a space before it, and no header can carry that"
    }
    if tokens.contains(where: \.isMisnamed) {
      return
        "a token has scopes between “:” and “=”, but before them no name, which is a to z, 0 to 9 and hyphens, beginning with a letter; or fewer than \(leastLength) characters after “=”"
    }
    for token in tokens {
      guard let word = token.scopeWords?.first(where: { APIToken.Scope(rawValue: $0) == nil }) else { continue }
      let known = APIToken.Scope.allCases.map(\.rawValue).joined(separator: ", ")
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
