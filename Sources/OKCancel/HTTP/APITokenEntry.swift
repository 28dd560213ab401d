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

  /// What is wrong with a bare token that was meant to have scopes: with known ones between a colon and the first `=`.
  private var faultOfName: String? {
    guard name == nil, let end = text.utf8.firstIndex(of: UInt8(ascii: "=")),
      let colon = text.utf8[..<end].lastIndex(of: UInt8(ascii: ":"))
    else { return nil }
    let words = text[text.utf8.index(after: colon)..<end].split(separator: "+").map { $0.lowercased() }
    let scopes = APIToken.Scope.allCases.map(\.rawValue)
    guard words.contains(where: scopes.contains) else { return nil }
    let name = text[..<colon]
    return name.consists(of: "a-z0-9-") && ASCII.isLower(name.utf8[name.startIndex])
      ? "a token with scopes has fewer than \(Self.leastLength) characters after “=”; give it more, as “openssl rand -hex 16” prints"
      : "a token has scopes between “:” and “=”, and no name before them; write a to z, 0 to 9 and hyphens there, beginning with a letter"
  }

  /// The reason an operator cannot use these tokens, or `nil` if there is none; it repeats none of them.
  package static func fault(in entries: [String], shortAreTaken: Bool) -> String? {
    let tokens = entries.map(APITokenEntry.init)
    if entries.contains("") { return "there is an empty token; put one comma between two, and none at the ends" }
    for scalars in tokens.map(\.text.unicodeScalars) {
      let what =
        if scalars.first == " " {
          "a space before it"
        } else if scalars.contains(where: { $0 == "\n" || $0 == "\r" }) {
          "a line break"
        } else if scalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
          "a control character"
        } else {
          nil as String?
        }
      if let what { return "a token has \(what), and no header can carry that; remove it" }
    }
    if let fault = tokens.lazy.compactMap(\.faultOfName).first { return fault }
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
