internal import Foundation
public import Platform
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
  /// What its URL says that nobody else may read, wherever it comes back from.
  let secrets: [String]

  enum Kind: Sendable {
    case mail(MailServer)
    /// - Parameter root: where messages are posted, whatever their topic.
    case ntfy(root: String, topic: String, authorization: String?)
    case slackHook(String)
    /// - Parameter api: the address below which Slack's methods are.
    case slackBot(api: String, token: String, channel: String)
    case json(String, authorization: String?, receivesClosings: Bool)
  }

  /// - Throws: `PlainError`, which says what to do about it, and not what the URL is.
  public init(name: String, url: String) throws(PlainError) {
    guard NoticePlan.isName(name) else { throw PlainError(row: "channel.name") }
    let parts = try ChannelURL(url)
    var query = parts.query
    self.name = name
    let places =
      parts.scheme.hasPrefix("smtp") ? [] : [parts.user, String(parts.path.dropFirst())] + parts.query.map(\.value)
    secrets = ([parts.password] + places).compactMap(\.self).filter { $0.utf8.count > 3 }
    /// The URL without what is for this server, of which nothing is left but for those of others.
    func plain(_ scheme: String, isOwn: Bool = true) throws(PlainError) -> String {
      if isOwn, let (key, _) = query.first { throw PlainError(row: "channel.query", ["key": key]) }
      do throws(PlainError) { return try CallbackURL(parts.without(scheme: scheme, query)).text } catch {
        throw PlainError(row: "channel.url", ["why": error])
      }
    }
    let pause = query.take("every")
    guard let every = pause == nil ? .seconds(1) : Duration(brief: pause ?? ""), every <= .seconds(86_400) else {
      throw PlainError(row: "channel.every")
    }
    self.every = every
    let isPlain = ["smtp", "http", "ntfy+http", "slack+http"].contains(parts.scheme)
    guard !isPlain || IPAddress.isLoopback(host: parts.host) else { throw PlainError(row: "channel.no-tls") }
    switch parts.scheme {
    case "smtp", "smtps", "smtp+starttls":
      kind = .mail(try MailServer(parts, &query))
      hasSecret = parts.password != nil
    case "ntfy+http", "ntfy+https":
      guard !parts.path.contains("@") else { throw PlainError(row: "channel.login") }
      let url = try plain(String(parts.scheme.dropFirst(5)))
      let topic = url.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
      guard topic.consists(of: "A-Za-z0-9_-"), topic.utf8.count <= 64 else { throw PlainError(row: "channel.topic") }
      kind = .ntfy(
        root: String(url.dropLast(topic.count)), topic: String(topic), authorization: parts.authorization)
      hasSecret = parts.user != nil
    case "slack+http", "slack+https":
      guard parts.user == nil else { throw PlainError(row: "channel.user") }
      kind = .slackHook(try plain(String(parts.scheme.dropFirst(6))))
      hasSecret = true
    case "slack-bot":
      guard let token = parts.user, parts.password == nil, !token.isEmpty, !parts.host.isEmpty else {
        throw PlainError(row: "channel.bot")
      }
      let api = query.take("api") ?? "https://slack.com/api"
      guard let url = try? CallbackURL(api) else { throw PlainError(row: "channel.bot") }
      guard url.isPrivate else { throw PlainError(row: "channel.no-tls") }
      kind = .slackBot(api: api, token: token, channel: parts.host)
      hasSecret = true
    case "http", "https":
      let receivesClosings = query.take("closed").map { ["yes": true, "no": false][$0] } ?? true
      guard let receivesClosings else { throw PlainError(row: "channel.closed") }
      kind = .json(
        try plain(parts.scheme, isOwn: false), authorization: parts.authorization, receivesClosings: receivesClosings)
      hasSecret = parts.user != nil
      return
    default: throw PlainError(row: "channel.scheme")
    }
    if let (key, _) = query.first { throw PlainError(row: "channel.query", ["key": key]) }
  }

  /// True if what it sends is signed, for which there must be a secret.
  package var isSigned: Bool { if case .json = kind { true } else { false } }

  /// The mail server, or `nil` if it is another kind of channel.
  var mail: MailServer? { if case .mail(let server) = kind { server } else { nil } }

  /// True if a message is updated by the name that it was sent under, whoever knows that it arrived.
  var usesOurNames: Bool {
    switch kind {
    case .ntfy: true
    case .json(_, _, let receivesClosings): receivesClosings
    case .mail, .slackHook, .slackBot: false
    }
  }

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

/// The channels of a server.
extension [Channel] {
  subscript(name: String) -> Channel? { first { $0.name == name } }

  /// The channel that mails the people in `for`, or `nil`.
  var forAnswerers: Channel? { first { $0.mail != nil } }

  /// The names that an ask can give, `for` among them if somebody can be mailed.
  package var names: [String] {
    filter { $0.mail?.to.isEmpty != true }.map(\.name) + (forAnswerers == nil ? [] : [NoticePlan.answerers])
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
