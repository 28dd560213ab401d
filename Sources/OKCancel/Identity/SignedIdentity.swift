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
  /// The claim that tells a person from all others. A token without it names nobody.
  public var claim = "email"
  /// The claim that lists the groups a person belongs to.
  public var groupsClaim = "groups"

  /// Names what every token has; the claims are those that most issuers use.
  public init(header: String, issuer: String, audience: String, keys: KeyLocation) {
    self.header = header
    self.issuer = issuer
    self.audience = audience
    self.keys = keys
  }
}
