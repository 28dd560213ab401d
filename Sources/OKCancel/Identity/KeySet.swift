internal import Crypto
internal import CryptoExtras
internal import Foundation
internal import Platform
internal import Prompts

/// The public keys of a JWK Set (RFC 7517, 5) that can check signatures here.
struct KeySet: Sendable {
  private struct Key: Sendable {
    let id: String?
    let key: SigningKey
  }

  private let keys: [Key]

  /// A set that no token is signed with.
  static let empty = KeySet(keys: [])

  private init(keys: [Key]) { self.keys = keys }

  var isEmpty: Bool { keys.isEmpty }

  /// Bytes of a set. The largest issuers publish some 10 KiB.
  static let limit = 256 << 10

  /// Reads a set. Keys of other kinds and for other uses may stand in it, and are not used.
  init(parsing bytes: [UInt8]) throws(PlainError) {
    let json: JSON
    do throws(JSONFault) { json = try JSON(parsing: bytes, limits: .file) } catch {
      throw PlainError("this is not valid JSON: \(error)")
    }
    guard case .array(let list)? = json["keys"] else {
      throw PlainError("this is not a JWK Set; it needs a list “keys”")
    }
    keys = list.compactMap { jwk in SigningKey(jwk).map { Key(id: jwk.text("kid"), key: $0) } }
    if keys.isEmpty {
      throw PlainError("none of its keys can be used; it needs one for RS256 (of 2048 to 8192 bits), ES256 or Ed25519")
    }
  }

  /// Checks a token's signature. Which algorithm that takes is for the key to say, never for the token.
  func check(_ token: SignedToken) throws(TokenFault) {
    let named = keys.filter { key in
      // As bytes: two names that look the same are two names.
      token.keyID.map { id in key.id?.utf8.elementsEqual(id.utf8) == true } ?? true
    }
    if token.keyID == nil, named.count > 1 { throw .noKeyID }
    if named.isEmpty { throw .unknownKey }
    let fitting = named.filter { $0.key.algorithms.contains(token.algorithm) }
    if fitting.isEmpty { throw .algorithm }
    guard fitting.contains(where: { $0.key.isValid(token.signature, for: token.signedText) }) else {
      // The only key, which has no name to be missed by, may have been replaced.
      throw token.keyID == nil ? .unknownKey : .signature
    }
  }
}

/// A public key, with the one algorithm that it is for.
private enum SigningKey: Sendable {
  case rsa(_RSA.Signing.PublicKey)
  case p256(P256.Signing.PublicKey)
  case ed25519(Curve25519.Signing.PublicKey)

  /// - Returns: `nil` if it is of another kind, for another use, too short, or no key at all.
  init?(_ jwk: JSON) {
    func bytes(_ name: String) -> [UInt8]? { jwk.text(name).flatMap { [UInt8](base64URL: $0.utf8) } }
    switch (jwk.text("kty"), jwk.text("crv")) {
    case ("RSA", _):
      // A check takes 0.2 ms with 8192 bits and four times as long with twice as many, on an event loop that has 1 ms.
      // Of fewer than 2048 bits, the library makes no key.
      guard let n = bytes("n"), let e = bytes("e"), n.count <= 1024,
        let key = try? _RSA.Signing.PublicKey(n: n, e: e)
      else { return nil }
      self = .rsa(key)
    case ("EC", "P-256"):
      guard let x = bytes("x"), let y = bytes("y"), x.count == 32,
        let key = try? P256.Signing.PublicKey(rawRepresentation: x + y)
      else { return nil }
      self = .p256(key)
    case ("OKP", "Ed25519"):
      guard let key = try? bytes("x").map({ try Curve25519.Signing.PublicKey(rawRepresentation: $0) }) else {
        return nil
      }
      self = .ed25519(key)
    default: return nil
    }
    if jwk["use"] != nil, jwk.text("use") != "sig" { return nil }
    if jwk["alg"] != nil, !algorithms.contains(jwk.text("alg") ?? "") { return nil }
    if let operations = jwk["key_ops"] {
      guard case .array(let list) = operations,
        list.contains(where: { if case .string("verify") = $0 { true } else { false } })
      else { return nil }
    }
  }

  /// The names that a token with this key may give its algorithm. RFC 9864 gave Ed25519 its second name.
  var algorithms: [String] {
    switch self {
    case .rsa: ["RS256"]
    case .p256: ["ES256"]
    case .ed25519: ["EdDSA", "Ed25519"]
    }
  }

  func isValid(_ signature: [UInt8], for text: [UInt8]) -> Bool {
    switch self {
    case .rsa(let key):
      key.isValidSignature(
        .init(rawRepresentation: signature), for: SHA256.hash(data: text), padding: .insecurePKCS1v1_5)
    case .p256(let key):
      (try? P256.Signing.ECDSASignature(rawRepresentation: signature)).map { key.isValidSignature($0, for: text) }
        ?? false
    case .ed25519(let key): key.isValidSignature(signature, for: text)
    }
  }
}

extension [UInt8] {
  /// Decodes base64url without padding (RFC 7515, 2), of which each value has one spelling.
  init?(base64URL text: some Collection<UInt8>) {
    let standard = text.map { byte in
      byte == UInt8(ascii: "-") ? UInt8(ascii: "+") : byte == UInt8(ascii: "_") ? UInt8(ascii: "/") : byte
    }
    let padding = repeatElement(UInt8(ascii: "="), count: -standard.count & 3)
    let characters: CharacterClass = "A-Za-z0-9_-"
    guard text.allSatisfy(characters.contains), let data = Data(base64Encoded: Data(standard + padding)),
      data.base64EncodedData().starts(with: standard)
    else { return nil }
    self = Array(data)
  }
}
