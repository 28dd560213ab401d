internal import Foundation
package import Prompts

/// A way to tell people of questions: mail, ntfy, Slack, or JSON to a URL.
///
/// Its URL says which: `smtp+starttls://user@host:587/?from=…&to=…&domains=…`, `smtps://…`, `ntfy+https://host/topic`,
/// `slack+https://hooks.slack.com/…`, `slack-bot://TOKEN@CHANNEL` or `https://…`; without TLS only on this machine.
public struct Channel: Sendable {
  /// The name by which asks and definitions mean it.
  public let name: String
  let kind: Kind
  /// The time between two messages to one receiver.
  let every: Duration
  /// True if the URL has a password, a token, or a path that is one: it may not stand on a command line.
  package let hasSecret: Bool

  enum Kind: Sendable {
    case mail(MailServer)
    /// - Parameter root: where messages are posted, whatever their topic.
    case ntfy(root: String, topic: String, authorization: String?)
    case slackHook(String)
    /// - Parameter api: the address below which Slack's methods are.
    case slackBot(api: String, token: String, channel: String)
    case json(String, authorization: String?, hearsEnds: Bool)
  }

  /// - Throws: `ChannelFault`, which says what to do about it, and not what the URL is.
  public init(name: String, url: String) throws(ChannelFault) {
    guard NoticePlan.isName(name) else { throw .name }
    let parts = try ChannelURL(url)
    var query = parts.query
    self.name = name
    /// The URL without what is for this server, of which nothing is left but for those of others.
    func plain(_ scheme: String, isOwn: Bool = true) throws(ChannelFault) -> String {
      if isOwn, let (key, _) = query.first { throw .query(key) }
      do throws(CallbackURLFault) { return try CallbackURL(parts.without(scheme: scheme, query)).text } catch {
        throw .url(error)
      }
    }
    let pause = query.take("every")
    guard let every = pause == nil ? .seconds(1) : Duration(brief: pause ?? ""), every <= .seconds(86_400) else {
      throw .every
    }
    self.every = every
    let isPlain = ["smtp", "http", "ntfy+http", "slack+http"].contains(parts.scheme)
    guard !isPlain || parts.isLoopback else { throw .noTLS }
    switch parts.scheme {
    case "smtp", "smtps", "smtp+starttls":
      kind = .mail(try MailServer(parts, &query))
      hasSecret = parts.password != nil
    case "ntfy+http", "ntfy+https":
      let url = try plain(String(parts.scheme.dropFirst(5)))
      guard let (_, root, topic) = url.wholeMatch(of: #/(.+/)([-_A-Za-z0-9]{1,64})/#)?.output else { throw .topic }
      kind = .ntfy(root: String(root), topic: String(topic), authorization: parts.authorization)
      hasSecret = parts.user != nil
    case "slack+http", "slack+https":
      guard parts.user == nil else { throw .userInfo }
      kind = .slackHook(try plain(String(parts.scheme.dropFirst(6))))
      hasSecret = true
    case "slack-bot":
      guard let token = parts.user, parts.password == nil, !token.isEmpty, !parts.host.isEmpty else { throw .bot }
      let api = query.take("api") ?? "https://slack.com/api"
      guard let url = try? CallbackURL(api) else { throw .bot }
      guard url.scheme == "https" || ChannelURL.isLoopback(url.host) else { throw .noTLS }
      kind = .slackBot(api: api, token: token, channel: parts.host)
      hasSecret = true
    case "http", "https":
      let hearsEnds = query.take("closed").map { ["yes": true, "no": false][$0] } ?? true
      guard let hearsEnds else { throw .closed }
      kind = .json(try plain(parts.scheme, isOwn: false), authorization: parts.authorization, hearsEnds: hearsEnds)
      hasSecret = parts.user != nil
      return
    default: throw .scheme
    }
    if let (key, _) = query.first { throw .query(key) }
  }

  /// True if what it sends is signed, for which there must be a secret.
  package var isSigned: Bool { if case .json = kind { true } else { false } }

  /// The mail server, or `nil` if it is another kind of channel.
  var mail: MailServer? { if case .mail(let server) = kind { server } else { nil } }

  /// Where what is to be sent waits: the channel, or one address of it.
  func origin(of address: String? = nil) -> String { name + (address.map { " " + $0 } ?? "") }
}

extension Channel: CustomStringConvertible {
  /// Not its URL, which can be a secret.
  public var description: String { name }
}

/// The channels of a server.
package struct Channels: Sendable {
  package let all: [Channel]

  package init(_ all: [Channel] = []) { self.all = all }

  subscript(name: String) -> Channel? { all.first { $0.name == name } }

  /// The channel that mails the people in `for`, or `nil`.
  var forAnswerers: Channel? { all.first { $0.mail != nil } }

  /// The names that an ask can give, `for` among them if somebody can be mailed.
  package var names: [String] {
    all.filter { $0.mail?.to.isEmpty != true }.map(\.name) + (forAnswerers == nil ? [] : [NoticePlan.answerers])
  }

  /// The first name that no channel has, or `nil`.
  package func unknown(in noticePlan: NoticePlan) -> String? {
    noticePlan.channels.first { !names.contains($0) }
  }

  /// Where the notices of an ask wait, each once.
  func origins(for notices: Notices, admitting admits: (String) -> Bool, _ people: [String]) -> [(
    channel: String, origin: String
  )] {
    var found: [(channel: String, origin: String)] = []
    func add(_ channel: Channel, _ address: String?) {
      let origin = channel.origin(of: address)
      if !found.contains(where: { $0.origin == origin }) { found.append((channel.name, origin)) }
    }
    for name in notices.noticePlan.channels {
      if name == NoticePlan.answerers, let channel = forAnswerers {
        for id in people where channel.mail?.mayReach(id) == true && admits(id) { add(channel, id) }
      } else if let channel = self[name] {
        if let server = channel.mail { for address in server.to { add(channel, address) } } else { add(channel, nil) }
      }
    }
    return found
  }
}

/// The parts of a channel's URL.
struct ChannelURL {
  let scheme, host: String
  let user, password: String?
  let port: Int?
  let path: String
  let query: [(key: String, value: String)]

  init(_ text: String) throws(ChannelFault) {
    guard text.utf8.count <= CallbackURL.limit, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .characters
    }
    guard
      let (_, scheme, login, host, port, path, query) = text.wholeMatch(
        of:
          #/([a-z][a-z+-]*):\/\/(?:([^@\/?#]*)@)?([\w.#-]*|\[[0-9a-fA-F:.]+\])(?::([0-9]{1,5}))?(\/[^?#]*)?(?:\?([^#]*))?/#
      )?.output
    else { throw .form }
    self.scheme = String(scheme)
    self.host = String(host)
    self.path = String(path ?? "")
    self.port = port.flatMap { Int($0) }
    guard port == nil || (1...65_535).contains(self.port ?? 0) else { throw .form }
    func decoded(_ text: Substring) throws(ChannelFault) -> String {
      guard let text = text.removingPercentEncoding, !text.unicodeScalars.contains(where: { $0.value < 32 }) else {
        throw .characters
      }
      return text
    }
    let cut = login?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    user = try cut.map { (cut) throws(ChannelFault) in try decoded(cut[0]) }
    password = try cut.flatMap { (cut) throws(ChannelFault) in cut.count > 1 ? try decoded(cut[1]) : nil }
    self.query = try (query ?? "").split(separator: "&").map { (item) throws(ChannelFault) in
      let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (try decoded(pair[0]), pair.count > 1 ? try decoded(pair[1]) : "")
    }
  }

  /// The same without user, and with what is left of the query.
  func without(scheme: String, _ query: [(key: String, value: String)]) -> String {
    var allowed = CharacterSet.urlQueryAllowed
    allowed.remove(charactersIn: "&=+#")
    func encoded(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: allowed) ?? "" }
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

  var isLoopback: Bool { Self.isLoopback(host) }

  static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "[::1]" || host.wholeMatch(of: #/127(\.[0-9]{1,3}){3}/#) != nil
  }
}

extension [(key: String, value: String)] {
  /// Removes the value of this key and returns it; `nil` if there is none.
  mutating func take(_ key: String) -> String? {
    firstIndex { $0.key == key }.map { remove(at: $0).value }
  }
}

/// The reason a channel cannot be used.
public enum ChannelFault: Error, Hashable, Sendable, CustomStringConvertible {
  case name, characters, form, scheme, noTLS, every, topic, userInfo, bot, closed, mail(String), query(String)
  case url(CallbackURLFault)

  /// The fault and its remedy, without the URL, which can be a secret.
  public var description: String {
    switch self {
    case .name: "its name is not a to z, then a to z, 0 to 9 and hyphens, or it is `for`; write it like ops=https://…"
    case .characters:
      "its URL has a character that must be written as %XX, or is longer than \(CallbackURL.limit) bytes"
    case .form: "its URL cannot be read; write it like ntfy+https://ntfy.example.com/topic"
    case .scheme:
      "its URL does not begin with smtp+starttls, smtps, ntfy+https, slack+https, slack-bot or https; use one of those"
    case .noTLS: "its URL is not encrypted, which is only allowed on this machine; use TLS"
    case .every: "`every` is not a time from 1s to 1d; write it like every=60s"
    case .topic: "its URL does not end in a topic; write it like ntfy+https://ntfy.example.com/topic"
    case .userInfo: "its URL has a user, which Slack does not take; leave that out"
    case .bot: "it is not slack-bot://TOKEN@CHANNEL; take the token (xoxb-…) and the channel's id from Slack"
    case .closed: "`closed` is not yes or no"
    case .mail(let what): what
    case .query(let key): "nothing reads `\(key)` in its URL; leave it out"
    case .url(let fault): "its URL cannot be used: \(fault)"
    }
  }
}
