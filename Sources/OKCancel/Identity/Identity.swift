internal import Prompts

/// The way in which a proxy in front of the server says who a visitor is.
public enum Identity: Sendable {
  /// A proxy, in headers.
  case headers(IdentityHeaders)
  /// A proxy, in a signed token.
  case signed(SignedIdentity)

  /// The names of those that `--identity` knows, each with what it needs.
  package static let known = [
    "authelia", "oauth2-proxy", "authentik", "tailscale", "cloudflare:TEAM:AUD", "pomerium:HOST", "iap:AUD",
  ]

  /// A proxy as its makers ship it, with the mail address as the id.
  ///
  /// - Parameter text: one of `known`, with the names of your own in place of the capitals.
  /// - Returns: `nil` if it is none of them.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init), rest = parts.dropFirst().first
    switch (parts.first, rest) {
    case ("authelia", nil):
      self.init(IdentityHeaders(id: "Remote-Email", name: "Remote-Name", groups: "Remote-Groups"))
    case ("oauth2-proxy", nil):
      func headers(_ start: String) -> IdentityHeaders {
        .init(id: "\(start)-Email", name: "\(start)-Preferred-Username", groups: "\(start)-Groups")
      }
      // Ingress controllers pass on what oauth2-proxy responds with, and cannot rename it.
      self.init(headers("X-Forwarded"), or: [headers("X-Auth-Request")])
    case ("authentik", nil):
      self.init(
        IdentityHeaders(id: "X-authentik-email", name: "X-authentik-name", groups: "X-authentik-groups", separator: "|")
      )
    case ("tailscale", nil):
      var headers = IdentityHeaders(id: "Tailscale-User-Login", name: "Tailscale-User-Name")
      headers.stranger = "Tailscale-Funnel-Request"
      self = .headers(headers)
    case ("cloudflare", let rest?):
      let names = rest.split(separator: ":").map(String.init)
      guard names.count == 2, names[0].consists(of: "a-z0-9-") else { return nil }
      let team = "https://\(names[0]).cloudflareaccess.com"
      self.init(
        signedIn: "Cf-Access-Jwt-Assertion", by: team, for: names[1], keys: "\(team)/cdn-cgi/access/certs",
        groups: "custom.groups")
    case ("pomerium", let host?):
      var reader = TextReader(host)
      guard reader.take(some: "0-9A-Za-z.-") != nil,
        reader.isAtEnd || reader.take(":") && reader.take(some: "0-9", 1...5) != nil && reader.isAtEnd
      else { return nil }
      self.init(
        signedIn: "X-Pomerium-Jwt-Assertion", by: host, for: host,
        keys: "https://\(host)/.well-known/pomerium/jwks.json")
    case ("iap", let audience?):
      self.init(
        signedIn: "X-Goog-Iap-Jwt-Assertion", by: "https://cloud.google.com/iap", for: audience,
        keys: "https://www.gstatic.com/iap/verify/public_key-jwk", groups: nil)
    default: return nil
    }
  }

  /// Of a proxy that sends UTF-8 as it is: an encoded word is no more than its characters.
  private init(_ headers: IdentityHeaders, or alternatives: [IdentityHeaders] = []) {
    var headers = headers
    headers.alternatives = alternatives
    for place in alternatives.indices { headers.alternatives[place].hasEncodedWords = false }
    headers.hasEncodedWords = false
    self = .headers(headers)
  }

  private init?(
    signedIn header: String, by issuer: String, for audience: String, keys: String, groups: String? = "groups"
  ) {
    guard !audience.isEmpty, let keys = try? KeyLocation(keys) else { return nil }
    var signed = SignedIdentity(header: header, issuer: issuer, audience: audience, keys: keys)
    signed.groupsClaim = groups
    self = .signed(signed)
  }

  /// The header or the claim that says who belongs to which group, or `nil` if nothing does.
  var groups: String? {
    switch self {
    case .headers(let headers): headers.groups
    case .signed(let signed): signed.groupsClaim
    }
  }
}

/// A proxy that says in a signed token (a JWT, RFC 7519) who visits, as Cloudflare Access, Pomerium and Google IAP do.
///
/// Because it is signed, it is believed from any peer.
public struct SignedIdentity: Sendable {
  /// The request header that carries the token.
  public var header: String
  /// The token's `iss`, compared byte by byte.
  public var issuer: String
  /// The token's `aud`, or one of several there, compared byte by byte.
  public var audience: String
  /// The keys that tokens may be signed with.
  public var keys: KeyLocation
  /// The claim that tells a person from all others: its name, else a path like `custom.email`. A token without it names
  /// nobody, and neither does one whose `email` was not verified.
  public var claim = "email"
  /// The claim that lists the groups a person belongs to, in the same way; or `nil` if none does.
  public var groupsClaim: String? = "groups"

  /// Names what every token has; the claims are those that most issuers use.
  public init(header: String, issuer: String, audience: String, keys: KeyLocation) {
    self.header = header
    self.issuer = issuer
    self.audience = audience
    self.keys = keys
  }
}
