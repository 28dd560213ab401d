internal import Crypto
internal import Foundation

/// Seals what holds a password before it is stored, and opens it again for who may read it.
///
/// Sealed bytes are, one after the other: `sealed:1:`, 8 bytes of the key's id, a random nonce of
/// 12 bytes, the text enciphered by ChaCha20-Poly1305 (RFC 8439), and its tag of 16 bytes. The
/// header and the context (which ask, which part of it) are authenticated: sealed bytes moved to
/// another place do not open there. Keys for sealing, for fingerprints and for the key's id are
/// derived from the one key by HKDF-SHA256 (RFC 5869).
public struct SecretBox: Sendable {
  private let sealing: SymmetricKey
  private let fingerprinting: SymmetricKey
  /// Tells keys apart and says nothing about them: 16 hexadecimal digits.
  public let keyID: String
  private let header: [UInt8]

  private static let version = Array("1:".utf8)
  private static let overhead = 12 + 16

  /// - Parameter key: 32 bytes.
  public init(key: [UInt8]) throws(SecretFault) {
    guard key.count == 32 else { throw .keyLength(key.count) }
    let root = SymmetricKey(data: key)
    func derive(_ purpose: String, _ bytes: Int) -> SymmetricKey {
      HKDF<SHA256>.deriveKey(
        inputKeyMaterial: root, info: Data("okcancel \(purpose)".utf8), outputByteCount: bytes)
    }
    sealing = derive("sealing", 32)
    fingerprinting = derive("fingerprint", 32)
    let id = derive("key id", 8).withUnsafeBytes { Array($0) }
    keyID = id.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    header = Sealable.mark + Self.version + id
  }

  /// A box with a new key, which is nowhere kept: what it seals is lost with it.
  public static func temporary() -> SecretBox {
    // A key of this size is what the initializer asks for.
    try! SecretBox(key: SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) })
  }

  /// - Parameter context: where the bytes belong; they open only with the same one.
  func seal(_ bytes: [UInt8], context: String) -> Sealable {
    // Sealing fails only for texts of 256 GiB.
    let box = try! ChaChaPoly.seal(bytes, using: sealing, authenticating: header + context.utf8)
    return Sealable(stored: header + box.combined)
  }

  func keep(_ bytes: [UInt8], sealed: Bool, context: String) -> Sealable {
    sealed ? seal(bytes, context: context) : Sealable(stored: bytes)
  }

  /// The plain bytes.
  ///
  /// - Throws: `SecretFault.otherKey` where another key sealed them, `.damaged` where they are not
  ///   what was sealed for this place.
  func open(_ kept: Sealable, context: String) throws(SecretFault) -> [UInt8] {
    guard kept.isSealed else { return kept.stored }
    guard kept.stored.count >= header.count + Self.overhead,
      kept.stored.starts(with: Sealable.mark + Self.version)
    else { throw .damaged }
    guard kept.stored.starts(with: header) else { throw .otherKey }
    do {
      let box = try ChaChaPoly.SealedBox(combined: kept.stored.dropFirst(header.count))
      return Array(try ChaChaPoly.open(box, using: sealing, authenticating: header + context.utf8))
    } catch {
      throw .damaged
    }
  }

  /// A digest that only this key's holder can make: it gives a short or common text no chance to be
  /// found by trying (HMAC-SHA256, RFC 2104).
  func fingerprint(_ bytes: [UInt8]) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: bytes, using: fingerprinting))
  }
}
