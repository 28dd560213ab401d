internal import Foundation
package import Platform

/// The source of the key to sealed passwords, or of several keys: the first seals and all open.
package struct SecretSource: Sendable {
  /// The value of the environment variable `OKCANCEL_KEY`, if it is set: Base64 of 32 bytes, several separated by
  /// commas.
  let environment: String?
  /// The file of mode 0600 that keeps the key if the environment has none: a line of Base64 per key.
  let file: String

  /// The file beside a database: its path and `.key`.
  package static func beside(_ database: String, environment: String?) -> SecretSource {
    SecretSource(environment: environment, file: database + ".key")
  }

  /// Checks that these are keys, whichever database they are for.
  package static func check(environment: String) throws(PlainError) { _ = try box(lines: environment) }

  /// Checks what a server checks when it starts: that the keys can be read and belong to the database. It only looks at
  /// the database file, which another process may have open, and creates nothing.
  package func check(against database: String) throws(PlainError) {
    try check(holdsBytes(database) ? try? SQLite(path: database, isSnapshot: true) : nil)
  }

  /// The same of an open database, or of none.
  func check(_ database: (some StoreSession)?) throws(PlainError) {
    _ = try keys(boundTo: Self.keyIDs(database.flatMap { try? $0.setting("key") }))
  }

  private static func keyIDs(_ kept: String?) -> [String] { kept?.split(separator: ",").map(String.init) ?? [] }

  /// The box with the keys.
  ///
  /// - Parameter keyIDs: the keys that sealed something in the database. Only if there are none, a missing file is made,
  ///   with a new key: a key that was lost is never silently replaced.
  func load(boundTo keyIDs: [String]) throws(PlainError) -> SecretBox {
    if let box = try keys(boundTo: keyIDs) { return box }
    return try make()
  }

  /// - Returns: `nil` if there are none and none are needed yet.
  private func keys(boundTo keyIDs: [String]) throws(PlainError) -> SecretBox? {
    let lines = if let environment { environment as String? } else { try read() }
    guard let lines else {
      if let keyID = keyIDs.first { throw PlainError(row: "key.missing", ["id": keyID, "file": file]) }
      return nil
    }
    let box = try Self.box(lines: lines)
    if let missing = keyIDs.first(where: { !box.keyIDs.contains($0) }) {
      throw PlainError(row: "key.wrong", ["expected": missing, "given": box.keyIDs.joined(separator: ", ")])
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

  private static func box(lines text: String) throws(PlainError) -> SecretBox {
    let text = text.hasSuffix("\n") ? String(text.dropLast()) : text
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "," || $0.isNewline }
    let keys = try lines.map { (line) throws(PlainError) -> [UInt8] in
      let line = line.trimmingCharacters(in: .whitespaces)
      guard !line.isEmpty, let key = Data(base64Encoded: line) else { throw PlainError(row: "key.not-base-64") }
      return Array(key)
    }
    return try SecretBox(key: keys[0], otherKeys: Array(keys.dropFirst()))
  }

  /// - Returns: `nil` if there is no file.
  private func read() throws(PlainError) -> String? {
    let found: RegularFile
    do throws(RegularFile.ReadError) { found = try RegularFile(file, first: 4096) } catch {
      switch error {
      case .system(errno: ENOENT): return nil
      case .system(let errno): throw unusable(errno)
      case .irregular: throw unusable(EISDIR)
      }
    }
    guard found.mode & 0o077 == 0 else {
      let mode = String(found.mode & 0o777, radix: 8)
      throw PlainError(row: "key.exposed", ["path": file, "mode": mode])
    }
    return String(decoding: found.bytes, as: UTF8.self)
  }

  private func make() throws(PlainError) -> SecretBox {
    let key = randomBytes(32)
    let box = try SecretBox(key: key)
    // Written whole under another name first: a crash leaves no half a key behind.
    let failure = makeNewFile(file, with: Array((Data(key).base64EncodedString() + "\n").utf8))
    guard failure == 0 else { throw unusable(failure) }
    return box
  }

  private func unusable(_ errno: Int32) -> PlainError {
    PlainError(row: "key.file", ["path": file, "why": systemMessage(errno)])
  }
}
