internal import StrictJSON

/// Why a token is not believed.
enum TokenFault: Error, Hashable, Sendable, CustomStringConvertible {
  case tooLong, malformed, extended, keyID
  // The signature
  case noKeyID, unknownKey, algorithm, signature
  // The claims
  case issuer, audience, noExpiry, expired, early
  /// The claim that names a person has something else.
  case person(String)

  /// The fault, to follow the token's header and a colon.
  var description: String {
    switch self {
    case .tooLong: "it is longer than \(SignedToken.limit) bytes; let the proxy put less into it"
    case .malformed: "it is not a signed JWT, which has three parts of base64url, and JSON in the first two"
    case .extended: "it needs an extension (“crit” or “b64”), and none is known here"
    case .keyID: "its “kid” is not a text of up to \(SignedToken.keyIDLimit) characters"
    case .noKeyID: "it has no “kid” to choose one of several keys by"
    case .unknownKey: "it is signed with a key that is not one of the issuer's"
    case .algorithm: "its “alg” is not what its key is for; only RS256, ES256 and Ed25519 are known"
    case .signature: "its signature is wrong"
    case .issuer: "its “iss” is another issuer than --identity-issuer names"
    case .audience: "its “aud” is another audience than --identity-audience names"
    case .noExpiry: "its “exp” is missing, or not a time in seconds since 1970"
    case .expired: "it has expired; open the page again, or sign in again"
    case .early: "it is not valid yet; see that the clocks of proxy and server are right"
    case .person(let claim): "its “\(claim)” is not the name of a person"
    }
  }
}
