internal import Prompts

/// A signed JWT (RFC 7519) in its compact form, taken apart. Nothing that it says is true until its signature is
/// checked.
struct SignedToken: Sendable {
  /// The algorithm that it claims; a key decides whether that is so.
  let algorithm: String
  /// The name of the key, or `nil` if it names none. It only chooses among the keys at hand.
  let keyID: String?
  let signature: [UInt8]
  /// The bytes that the signature covers.
  let signedText: [UInt8]
  private let payload: [UInt8]
  /// The kind of token that it says it is, in lower case, or `nil`.
  private let type: String?

  /// Bytes of a token, and code points of its key's name.
  static let limit = 16 << 10
  static let keyIDLimit = 256

  /// Of its header, `alg` and `kid` are read. Keys that it brings along, or says where to find, are never used.
  init(_ text: String) throws(TokenFault) {
    guard text.utf8.count <= Self.limit else { throw .tooLong }
    let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 3, let head = [UInt8](base64URL: parts[0]), let payload = [UInt8](base64URL: parts[1]),
      let signature = [UInt8](base64URL: parts[2]), let header = try? JSON(parsing: head),
      let algorithm = header.text("alg")
    else { throw .malformed }
    // Extensions change what a signature means (RFC 7515, 4.1.11; RFC 7797) or what is signed, and none is known here.
    guard ["crit", "b64", "zip"].allSatisfy({ header[$0] == nil }) else { throw .extended }
    type = header.text("typ").map { $0.lowercased().replacing("application/", with: "") }
    keyID = header.text("kid")
    guard header["kid"] == nil || keyID.map({ $0.unicodeScalars.count <= Self.keyIDLimit }) == true else {
      throw .keyID
    }
    self.algorithm = algorithm
    self.payload = payload
    self.signature = signature
    signedText = Array(text.utf8.prefix(parts[0].count + 1 + parts[1].count))
  }

  /// Whom it names, if it is for this server and for now.
  func naming(by identity: SignedIdentity, at now: Timestamp) throws(TokenFault) -> Naming {
    guard let claims = try? JSON(parsing: payload), case .object = claims else { throw .malformed }
    guard Self.names(identity.issuer, claims["iss"]) else { throw .issuer }
    let audiences = if case .array(let list)? = claims["aud"] { list } else { [claims["aud"]] }
    guard audiences.contains(where: { Self.names(identity.audience, $0) }) else { throw .audience }
    try checkTime(claims, now)
    // One for signing out, or for a program's access, is nobody's sign-in (RFC 8725, 3.11).
    if let type, ["logout+jwt", "at+jwt"].contains(type) { return .nobody }
    return Self.naming(claims, identity)
  }

  private static func names(_ text: String, _ value: JSON?) -> Bool {
    if case .string(let other)? = value { other.utf8.elementsEqual(text.utf8) } else { false }
  }

  // MARK: Time

  /// In seconds.
  private static let leeway = 60.0

  private func checkTime(_ claims: JSON, _ now: Timestamp) throws(TokenFault) {
    let now = Double(now.milliseconds) / 1000
    guard let expiry = Self.date(claims["exp"]) else { throw .noExpiry }
    guard now < expiry + Self.leeway else { throw .expired }
    for (name, fault) in [("nbf", TokenFault.notBefore), ("iat", .issuedAt)] where claims[name] != nil {
      guard let start = Self.date(claims[name]) else { throw fault }
      guard start <= now + Self.leeway else { throw .early }
    }
  }

  /// A NumericDate (RFC 7519, 2) until the year 9999, in seconds since 1970.
  private static func date(_ value: JSON?) -> Double? {
    guard case .number(let literal)? = value, let date = Double(literal), (0...253_402_300_799).contains(date) else {
      return nil
    }
    return date
  }

  // MARK: The person

  private static func naming(_ claims: JSON, _ identity: SignedIdentity) -> Naming {
    var claim = claims.claim(identity.claim)
    if case .array(let list)? = claim, list.count == 1 { claim = list[0] }
    let text: String
    switch claim {
    case nil, .null, .string(""): return .nameless(nil)
    case .string(let one)?: text = one
    default: return .nameless(IDFault("is not one text"))
    }
    // Anybody can write anything into an address that nobody verifies.
    if identity.claim == "email", let isVerified = claims["email_verified"], !isVerified.isTrue {
      return .nameless(IDFault("is an address that was not verified"))
    }
    let id: String
    do throws(IDFault) { id = try Person.id(text) } catch { return .nameless(error) }
    let groups: [JSON]
    switch identity.groupsClaim.flatMap(claims.claim) {
    case .array(let list): groups = list
    case let value: groups = [value ?? .null]
    }
    return .person(
      Person(
        id: id, name: claims.text("name").flatMap { Person.isValidName($0) ? $0 : nil },
        groups: groups.compactMap { if case .string(let name) = $0, Person.isValidName(name) { name } else { nil } }))
  }
}

extension JSON {
  /// The claim of this name, or else at this path of names with dots between them.
  fileprivate func claim(_ name: String) -> JSON? {
    self[name] ?? name.split(separator: ".").reduce(self) { $0?[String($1)] }
  }

  /// True for what programs write for true.
  fileprivate var isTrue: Bool {
    switch self {
    // One that is null was not said.
    case .null, .bool(true), .number("1"): true
    case .string(let text): ["true", "1"].contains(text.lowercased())
    default: false
    }
  }
}

/// Why a token is not believed, to follow its header and a colon.
enum TokenFault: String, Error {
  case tooLong = "it is longer than 16384 bytes; let the proxy put less into it"
  case malformed = "it is not a signed JWT, which has three parts of base64url, and JSON in the first two"
  case extended = "it needs an extension (“crit”, “b64” or “zip”), and none is known here"
  case keyID = "its “kid” is not a text of up to 256 characters"
  // The signature
  case noKeyID = "it has no “kid” to choose one of several keys by"
  case unknownKey = "it is signed with a key that is not one of the issuer's"
  case algorithm = "its “alg” is not what its key is for; only RS256, ES256 and Ed25519 are known"
  case signature = "its signature is wrong"
  // The claims
  case issuer = "its “iss” is another issuer than --identity-issuer names"
  case audience = "its “aud” is another audience than --identity-audience names"
  case noExpiry = "its “exp” is missing, or not a time in seconds since 1970"
  case expired = "it has expired; open the page again, or sign in again"
  case early = "it is not valid yet; see that the clocks of proxy and server are right"
  case notBefore = "its “nbf” is not a number, the time in seconds since 1970"
  case issuedAt = "its “iat” is not a number, the time in seconds since 1970"
}
