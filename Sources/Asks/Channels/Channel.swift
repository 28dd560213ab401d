internal import Base
internal import Prompts

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
    guard !isPlain || IPAddress.isLoopback(host: parts.host) else { throw .noTLS }
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
      guard url.scheme == "https" || IPAddress.isLoopback(host: url.host) else { throw .noTLS }
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

extension [(key: String, value: String)] {
  /// Removes the value of this key and returns it; `nil` if there is none.
  mutating func take(_ key: String) -> String? {
    firstIndex { $0.key == key }.map { remove(at: $0).value }
  }
}
