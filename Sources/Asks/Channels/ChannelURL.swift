internal import Foundation
internal import Platform
internal import Prompts

/// The parts of a channel's URL.
struct ChannelURL {
  let scheme, host: String
  let user, password: String?
  let port: Int?
  let path: String
  let query: [(key: String, value: String)]

  init(_ text: String) throws(PlainError) {
    guard text.utf8.count <= CallbackURL.limit, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw PlainError(row: "channel.characters", ["limit": CallbackURL.limit])
    }
    let parts = text.components(separatedBy: ",").dropFirst().map { $0.components(separatedBy: "://") }
    guard !parts.contains(where: { $0.count > 1 && $0[0].consists(of: "A-Za-z0-9+.-") }) else {
      throw PlainError(row: "channel.several")
    }
    let form = Self.hasOpenLogin(text) ? PlainError(row: "channel.login") : PlainError(row: "channel.form")
    var reader = TextReader(text)
    guard let scheme = reader.take(some: "a-z+-"), scheme.utf8.first.map(ASCII.isLower) == true, reader.take("://")
    else {
      throw form
    }
    var (login, ahead) = (Substring?.none, reader)
    let name = ahead.take(any: "^@/?#")
    if ahead.take("@") { (login, reader) = (name, ahead) }
    guard let host = reader.takeHost("A-Za-z0-9_.#-") else { throw form }
    let port = reader.take(":") ? reader.take(some: "0-9", 1...5) ?? "" : nil
    let path = reader.rest.hasPrefix("/") ? reader.take(some: "^?#") : nil
    let query = reader.take("?") ? reader.take(any: "^#") : nil
    self.scheme = String(scheme)
    self.host = host
    self.path = String(path ?? "")
    self.port = port.flatMap { Int($0) }
    guard reader.isAtEnd, port == nil || (1...65_535).contains(self.port ?? 0) else { throw form }
    func decoded(_ text: Substring) throws(PlainError) -> String {
      let (bytes, fault) = Array(text.utf8)[...].percentDecoded()
      guard fault == nil, !bytes.contains(where: { $0 < 32 }), let text = String(validating: bytes, as: UTF8.self)
      else { throw PlainError(row: "channel.characters", ["limit": CallbackURL.limit]) }
      return text
    }
    let cut = login?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    user = try cut.map { (cut) throws(PlainError) in try decoded(cut[0]) }
    password = try cut.flatMap { (cut) throws(PlainError) in cut.count > 1 ? try decoded(cut[1]) : nil }
    self.query = try (query ?? "").split(separator: "&").map { (item) throws(PlainError) in
      let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (try decoded(pair[0]), pair.count > 1 ? try decoded(pair[1]) : "")
    }
  }

  /// True if a character ends the user or the password that should be written as %XX.
  private static func hasOpenLogin(_ text: String) -> Bool {
    let end = text.lastIndex(of: "?"), hasQuery = end.map { text[$0...].contains("=") } ?? false
    let rest = (hasQuery ? text[..<(end ?? text.endIndex)] : text[...]).components(separatedBy: "://").dropFirst()
    let login = rest.joined(separator: "://")
    return login.lastIndex(of: "@").map { login[..<$0].contains { "@/?#".contains($0) } } ?? false
  }

  /// The same without user, and with what is left of the query.
  func without(scheme: String, _ query: [(key: String, value: String)]) -> String {
    func encoded(_ text: String) -> String { text.percentEncoded(except: "A-Za-z0-9!$'()*,./:;?@_~-") }
    let items = query.map { "\(encoded($0.key))=\(encoded($0.value))" }
    return "\(scheme)://\(host)\(port.map { ":\($0)" } ?? "")\(path)"
      + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
  }

  /// As `Authorization` has it: Basic for a user and a password, Bearer for a token by itself; `nil` without either.
  var authorization: String? {
    guard let user else { return nil }
    guard let password else { return "Bearer \(user)" }
    return "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
  }
}
