internal import Crypto
internal import Foundation
package import Platform

/// Seals what holds a password before it is stored, and opens it again for those who may read it.
///
/// Sealed bytes are, one after the other: `sealed:1:`, 8 bytes of the key's id, a random nonce of 12 bytes, the text
/// enciphered by ChaCha20-Poly1305 (RFC 8439), and its tag of 16 bytes. The header and the context (which ask, which part
/// of it) are authenticated: sealed bytes moved to another place do not open there. Keys for sealing, for fingerprints
/// and for the key's id are derived from the one key by HKDF-SHA256 (RFC 5869).
///
/// Of several keys the first seals, and all of them open: that is how a key is rotated.
package struct SecretBox: Sendable {
  private struct Key: Sendable {
    let sealing: SymmetricKey
    let fingerprinting: SymmetricKey
    let id: String
    let header: [UInt8]

    init(_ key: [UInt8]) throws(PlainError) {
      guard key.count == 32 else { throw PlainError(row: "key.length", ["count": key.count]) }
      let root = SymmetricKey(data: key)
      func derive(_ purpose: String, _ bytes: Int) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
          inputKeyMaterial: root, info: Data("okcancel \(purpose)".utf8), outputByteCount: bytes)
      }
      sealing = derive("sealing", 32)
      fingerprinting = derive("fingerprint", 32)
      let id = derive("key id", 8).bytes
      self.id = id.hexadecimal
      header = Sealable.mark + SecretBox.version + id
    }
  }

  /// The first seals, and all of them open.
  private let keys: [Key]
  /// The fingerprinting keys of removed keys, so that fingerprints made with them are still found.
  private var formerFingerprinting: [SymmetricKey] = []

  private static let version = Array("1:".utf8)
  private static let overhead = 12 + 16

  /// - Parameters:
  ///   - key: 32 bytes, which seal.
  ///   - otherKeys: 32 bytes each, which open too.
  init(key: [UInt8], otherKeys: [[UInt8]] = []) throws(PlainError) {
    keys = try ([key] + otherKeys).map(Key.init)
  }

  private var sealingKey: Key { keys[0] }

  /// Tells the key that seals from others and says nothing about it: 16 hexadecimal digits.
  package var keyID: String { sealingKey.id }

  /// The same of all keys that open.
  var keyIDs: [String] { keys.map(\.id) }

  /// - Parameters:
  ///   - context: where the bytes belong; they open only with the same one.
  ///   - isSecret: whether to seal them, and not to keep them as they are.
  func seal(_ bytes: [UInt8], context: @autoclosure () -> String, if isSecret: Bool = true) -> Sealable {
    guard isSecret else { return Sealable(stored: bytes, context: "") }
    let context = context()
    // Sealing fails only for texts of 256 GiB.
    let box = try! ChaChaPoly.seal(bytes, using: sealingKey.sealing, authenticating: sealingKey.header + context.utf8)
    return Sealable(stored: sealingKey.header + box.combined, context: context)
  }

  /// The plain bytes.
  ///
  /// - Throws: `PlainError` if none of these keys sealed them, or if they are not what was sealed for
  ///   their place.
  package func open(_ kept: Sealable) throws(PlainError) -> [UInt8] {
    guard kept.isSealed else { return kept.stored }
    guard kept.stored.count >= sealingKey.header.count + Self.overhead,
      kept.stored.starts(with: Sealable.mark + Self.version)
    else { throw PlainError(row: "sealed.damaged") }
    guard let key = keys.first(where: { kept.stored.starts(with: $0.header) }) else {
      throw PlainError(row: "sealed.other-key")
    }
    do {
      let box = try ChaChaPoly.SealedBox(combined: kept.stored.dropFirst(key.header.count))
      return Array(try ChaChaPoly.open(box, using: key.sealing, authenticating: key.header + kept.context.utf8))
    } catch {
      throw PlainError(row: "sealed.damaged")
    }
  }

  /// Seals with the first key what another key sealed; `nil` if there is nothing to do.
  ///
  /// - Throws: as `open`.
  func reseal(_ kept: Sealable) throws(PlainError) -> Sealable? {
    guard kept.isSealed, !kept.stored.starts(with: sealingKey.header) else { return nil }
    return seal(try open(kept), context: kept.context)
  }

  // MARK: Fingerprints

  /// The fingerprints of a request's idempotency key and body that makes an ask, one for each key. The first is stored with
  /// a new request; an earlier request may have been stored with any of them.
  ///
  /// - Parameter asker: the name of the program that makes the ask, whose keys are its own; or `nil` if it has none.
  func fingerprints(of key: IdempotencyKey, by asker: String?) -> [RequestFingerprint] {
    fingerprints(of: key, named: asker.map { "key by \($0) " } ?? "key ")
  }

  /// The same of an answer to a standing prompt, in the order in which they are tried: an answer can be kept with the first
  /// that nobody else has used. A person's answers have keys of their own; an older version kept them with those of
  /// visitors without a name.
  func fingerprints(of key: IdempotencyKey, to prompt: String) -> [[RequestFingerprint]] {
    let (shared, own) = ("key of \(prompt) ", "key of \(prompt) by \(key.sender ?? "") ")
    return (key.sender == nil ? [shared, own] : [own, shared]).map { fingerprints(of: key, named: $0) }
  }

  private func fingerprints(of key: IdempotencyKey, named start: String) -> [RequestFingerprint] {
    // No key has a space in it.
    let name = Array((start + key.text).utf8), body = Array("body ".utf8) + key.body
    return fingerprinting.map { RequestFingerprint(key: digest(name, by: $0), body: digest(body, by: $0)) }
  }

  /// The fingerprints of an answer at a link, each of key and body together: only the request that ended the ask is
  /// stored, with the ask, so there is no lookup by the key.
  func answerFingerprints(of key: IdempotencyKey) -> [[UInt8]] {
    fingerprinting.map { digest(Array("answer \(key.text) ".utf8) + key.body, by: $0) }
  }

  /// HMAC-SHA256 (RFC 2104): only the key's holder can make it, so a short or common text cannot be found by trying.
  private func digest(_ bytes: [UInt8], by key: SymmetricKey) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
  }

  private var fingerprinting: [SymmetricKey] {
    keys.map(\.fingerprinting) + formerFingerprinting
  }

  private static let formerContext = "former fingerprints"

  /// The fingerprinting keys of all keys except the first, sealed. They outlive those keys and cannot open anything.
  func formerFingerprints() -> Sealable {
    var former: [SymmetricKey] = []
    for key in fingerprinting.dropFirst() where key != sealingKey.fingerprinting && !former.contains(key) {
      former.append(key)
    }
    return seal(former.flatMap(\.bytes), context: Self.formerContext)
  }

  /// A copy of this box that also finds the fingerprints that removed keys made.
  ///
  /// - Parameter former: what `formerFingerprints` has stored.
  func finding(_ former: [UInt8]) throws(PlainError) -> SecretBox {
    let bytes = try open(Sealable(stored: former, context: Self.formerContext))
    var box = self
    box.formerFingerprinting = stride(from: 0, to: bytes.count, by: 32).map {
      SymmetricKey(data: bytes[$0..<min($0 + 32, bytes.count)])
    }
    return box
  }
}

extension SecretBox {
  /// The parts of an ask, each sealed for its own place.
  enum AskPart: String {
    case definition, values, closed, link, result
  }

  static func context(_ part: AskPart, of id: AskID) -> String { "ask \(id) \(part.rawValue)" }
}

/// The fingerprint of a request's idempotency key and body, made with one of the keys to sealed texts.
struct RequestFingerprint: Sendable {
  let key: [UInt8]
  let body: [UInt8]
}

/// Bytes as a store keeps them: plain, or sealed by a `SecretBox`.
///
/// Sealed bytes begin with `sealed:`, which no JSON text does, so that kept bytes say which they are.
package struct Sealable: Hashable, Sendable {
  /// As they are kept.
  let stored: [UInt8]
  /// The place to which sealed bytes belong: moved to another place, they do not open. Empty for plain ones.
  let context: String

  static let mark = Array("sealed:".utf8)

  init(stored: [UInt8], context: @autoclosure () -> String) {
    self.stored = stored
    self.context = stored.starts(with: Self.mark) ? context() : ""
  }

  /// A part of an ask.
  init(stored: [UInt8], _ part: SecretBox.AskPart, of id: AskID) {
    self.init(stored: stored, context: SecretBox.context(part, of: id))
  }

  var isSealed: Bool { stored.starts(with: Self.mark) }
}
