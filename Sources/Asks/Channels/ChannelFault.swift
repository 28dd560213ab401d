internal import Foundation

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
