internal import MicroHTTP
internal import Prompts

/// Where to report a vulnerability: a `mailto:`, `https:` or `tel:` address of visible ASCII characters.
public struct SecurityContact: Sendable, Equatable {
  /// The address as it was given.
  public let uri: String

  /// `nil` for any other text.
  public init?(_ text: String) {
    let schemes = ["mailto:", "https://", "tel:"]
    guard text.utf8.count <= 500, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      let scheme = schemes.first(where: text.hasPrefix), text.utf8.count > scheme.utf8.count
    else { return nil }
    uri = text
  }
}

/// `GET /.well-known/security.txt`: where to report a vulnerability of this server (RFC 9116).
struct SecurityText {
  let contact: SecurityContact
  let clock: WallClock

  /// Good for half a year from now, since the operator stands by it as long as the server runs.
  func get(_ visit: Visit) throws(Problem) -> Eventual<Response> {
    let text = "Contact: \(contact.uri)\nExpires: \(clock.now + .seconds(180 * 86_400))\n"
    return .now(Response(.ok, type: "text/plain; charset=utf-8", bytes: Array(text.utf8)))
  }
}
