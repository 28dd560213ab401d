internal import Crypto
internal import Base
internal import Foundation
package import Prompts
internal import StrictJSON

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

    init(_ key: [UInt8]) throws(SecretFault) {
      guard key.count == 32 else { throw .keyLength(key.count) }
      let root = SymmetricKey(data: key)
      func derive(_ purpose: String, _ bytes: Int) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
          inputKeyMaterial: root, info: Data("okcancel \(purpose)".utf8), outputByteCount: bytes)
      }
      sealing = derive("sealing", 32)
      fingerprinting = derive("fingerprint", 32)
      let id = derive("key id", 8).withUnsafeBytes { Array($0) }
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
  package init(key: [UInt8], otherKeys: [[UInt8]] = []) throws(SecretFault) {
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
  func seal(_ bytes: [UInt8], context: String, if isSecret: Bool = true) -> Sealable {
    guard isSecret else { return Sealable(stored: bytes, context: context) }
    // Sealing fails only for texts of 256 GiB.
    let box = try! ChaChaPoly.seal(bytes, using: sealingKey.sealing, authenticating: sealingKey.header + context.utf8)
    return Sealable(stored: sealingKey.header + box.combined, context: context)
  }

  /// The plain bytes.
  ///
  /// - Throws: `SecretFault.otherKey` if none of these keys sealed them, `.damaged` if they are not what was sealed for
  ///   their place.
  package func open(_ kept: Sealable) throws(SecretFault) -> [UInt8] {
    guard kept.isSealed else { return kept.stored }
    guard kept.stored.count >= sealingKey.header.count + Self.overhead,
      kept.stored.starts(with: Sealable.mark + Self.version)
    else { throw .damaged }
    guard let key = keys.first(where: { kept.stored.starts(with: $0.header) }) else { throw .otherKey }
    do {
      let box = try ChaChaPoly.SealedBox(combined: kept.stored.dropFirst(key.header.count))
      return Array(try ChaChaPoly.open(box, using: key.sealing, authenticating: key.header + kept.context.utf8))
    } catch {
      throw .damaged
    }
  }

  /// Seals with the first key what another key sealed; `nil` if there is nothing to do.
  ///
  /// - Throws: as `open`.
  func reseal(_ kept: Sealable) throws(SecretFault) -> Sealable? {
    guard kept.isSealed, !kept.stored.starts(with: sealingKey.header) else { return nil }
    return seal(try open(kept), context: kept.context)
  }

  // MARK: Fingerprints

  /// The fingerprints of a request's idempotency key and body, one for each key. The first is stored with a new
  /// request; an earlier request may have been stored with any of them.
  ///
  /// - Parameters:
  ///   - prompt: the standing prompt that the request answers, or `nil` if it makes an ask.
  ///   - asker: the name of the program that makes the ask, whose keys are its own; or `nil` if it has none.
  func fingerprints(
    of key: IdempotencyKey, to prompt: String? = nil, by asker: String? = nil
  ) -> [RequestFingerprint] {
    // No key has a space in it.
    let name = (prompt.map { "key of \($0) " } ?? asker.map { "key by \($0) " } ?? "key ") + key.text
    return fingerprinting.map {
      RequestFingerprint(
        key: digest(Array(name.utf8), by: $0), body: digest(Array("body ".utf8) + key.body, by: $0))
    }
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
    return seal(former.flatMap { $0.withUnsafeBytes { Array($0) } }, context: Self.formerContext)
  }

  /// A copy of this box that also finds the fingerprints that removed keys made.
  ///
  /// - Parameter former: what `formerFingerprints` has stored.
  func finding(_ former: [UInt8]) throws(SecretFault) -> SecretBox {
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
  enum Part: String {
    case definition, values, closed, link
  }

  static func context(_ part: Part, of id: AskID) -> String { "ask \(id) \(part.rawValue)" }

  /// The closed ask as JSON, the same bytes for every reader: `{"prompt","createdAt","id","status":"closed","outcome",…}`.
  /// It holds passwords: only for readers with the API token, and for the callback.
  package func json(of closed: ClosedAsk) throws(SecretFault) -> [UInt8] {
    let kept = try open(closed.json)
    return JSONWriter.object { json in
      json.member("prompt", ifPresent: closed.prompt)
      json.member("createdAt", closed.createdAt.description)
      json.members(of: kept)
    }
  }

  /// The end of the ask.
  ///
  /// - Throws: `SecretFault` as `json(of:)`, or `StoreFault` if it is not readable.
  package func ended(_ closed: ClosedAsk) throws -> Ended { try Ended(kept: try open(closed.json)) }

  /// Who ended the ask and when: `ada@example.com, 2026-11-26 14:02 UTC`; `nil` if nobody says who it was.
  package func author(of closed: ClosedAsk) throws -> String? {
    try ended(closed).by?.person.map { "\($0.shownName), \(closed.closedAt.inMinutes)" }
  }

  /// True if this request ended the ask: it has the same idempotency key and body.
  package func hasEnded(_ closed: ClosedAsk, _ key: IdempotencyKey) -> Bool {
    closed.request.map { answerFingerprints(of: key).contains($0) } ?? false
  }
}

extension Ended {
  /// Reads what a store keeps of an answer.
  init(kept json: [UInt8]) throws {
    guard let ended = Ended(try JSON(parsing: json, limits: .file)) else {
      throw StoreFault.readFailed(detail: "an outcome is not known")
    }
    self = ended
  }
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
  package let stored: [UInt8]
  /// The place to which they belong. Moved to another place, sealed bytes do not open.
  let context: String

  static let mark = Array("sealed:".utf8)

  init(stored: [UInt8], context: String) {
    self.stored = stored
    self.context = context
  }

  /// A part of an ask.
  init(stored: [UInt8], _ part: SecretBox.Part, of id: AskID) {
    self.init(stored: stored, context: SecretBox.context(part, of: id))
  }

  package var isSealed: Bool { stored.starts(with: Self.mark) }
}

// MARK: Where its keys come from

/// The source of the key to sealed passwords, or of several keys: the first seals and all open.
package struct SecretSource: Sendable {
  /// The value of the environment variable `OKCANCEL_KEY`, if it is set: Base64 of 32 bytes, several separated by
  /// commas.
  package let environment: String?
  /// The file of mode 0600 that keeps the key if the environment has none: a line of Base64 per key.
  package let file: String

  package init(environment: String?, file: String) {
    self.environment = environment
    self.file = file
  }

  /// The file beside a database: its path and `.key`.
  package static func beside(_ database: String, environment: String?) -> SecretSource {
    SecretSource(environment: environment, file: database + ".key")
  }

  /// Checks that these are keys, whichever database they are for.
  package static func check(environment: String) throws(SecretFault) { _ = try box(lines: environment) }

  /// Checks what a server checks when it starts: that the keys can be read and belong to the database. It only looks at
  /// the database file, which another process may have open, and creates nothing.
  package func check(against database: String) throws(SecretFault) {
    try check(holdsBytes(database) ? try? SQLite(path: database, isSnapshot: true) : nil)
  }

  /// The same of an open database, or of none.
  func check(_ database: (some StoreSession)?) throws(SecretFault) {
    _ = try keys(boundTo: Self.keyIDs(database.flatMap { try? $0.setting("key") }))
  }

  private static func keyIDs(_ kept: String?) -> [String] { kept?.split(separator: ",").map(String.init) ?? [] }

  /// The box with the keys.
  ///
  /// - Parameter keyIDs: the keys that sealed something in the database. Only if there are none, a missing file is made,
  ///   with a new key: a key that was lost is never silently replaced.
  func load(boundTo keyIDs: [String]) throws(SecretFault) -> SecretBox {
    if let box = try keys(boundTo: keyIDs) { return box }
    return try make()
  }

  /// - Returns: `nil` if there are none and none are needed yet.
  private func keys(boundTo keyIDs: [String]) throws(SecretFault) -> SecretBox? {
    let lines = if let environment { environment as String? } else { try read() }
    guard let lines else {
      if let keyID = keyIDs.first { throw .missingKey(id: keyID, file: file) }
      return nil
    }
    let box = try Self.box(lines: lines)
    if let missing = keyIDs.first(where: { !box.keyIDs.contains($0) }) {
      throw .wrongKey(expected: missing, given: box.keyIDs.joined(separator: ", "))
    }
    return box
  }

  /// The box with the keys, which a database remembers once it is used with them: a lost or changed key is noticed now
  /// and not when a sealed answer is asked for.
  func bind(to database: some StoreSession) throws -> SecretBox {
    let keyIDs = Self.keyIDs(try database.setting("key"))
    let secrets = try load(boundTo: keyIDs)
    if !keyIDs.contains(secrets.keyID) {
      try database.set("key", to: (keyIDs + [secrets.keyID]).joined(separator: ","))
    }
    guard let former = try database.setting("fingerprints").flatMap({ Data(base64Encoded: $0) }) else { return secrets }
    return try secrets.finding(Array(former))
  }

  private static func box(lines text: String) throws(SecretFault) -> SecretBox {
    let text = text.hasSuffix("\n") ? String(text.dropLast()) : text
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "," || $0.isNewline }
    let keys = try lines.map { (line) throws(SecretFault) -> [UInt8] in
      let line = line.trimmingCharacters(in: .whitespaces)
      guard !line.isEmpty, let key = Data(base64Encoded: line) else { throw .notBase64 }
      return Array(key)
    }
    return try SecretBox(key: keys[0], otherKeys: Array(keys.dropFirst()))
  }

  /// - Returns: `nil` if there is no file.
  private func read() throws(SecretFault) -> String? {
    let found: RegularFile
    do throws(RegularFile.Fault) { found = try RegularFile(file, first: 4096) } catch {
      switch error {
      case .system(errno: ENOENT): return nil
      case .system(let errno): throw .file(path: file, errno: errno)
      case .irregular: throw .file(path: file, errno: EISDIR)
      }
    }
    guard found.mode & 0o077 == 0 else { throw .exposedFile(path: file, mode: found.mode & 0o777) }
    return String(decoding: found.bytes, as: UTF8.self)
  }

  private func make() throws(SecretFault) -> SecretBox {
    let key = randomBytes(32)
    let box = try SecretBox(key: key)
    // Written whole under another name first: a crash leaves no half a key behind.
    let failure = makeNewFile(file, with: Array((Data(key).base64EncodedString() + "\n").utf8))
    guard failure == 0 else { throw .file(path: file, errno: failure) }
    return box
  }
}
