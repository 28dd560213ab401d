/// An error of sealed bytes, or of the key to them.
package enum SecretFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// A key of that many bytes, not 32.
  case keyLength(Int)
  /// A key is not Base64.
  case notBase64
  /// The database was used with the key of that id, and none is given.
  case missingKey(id: String, file: String)
  /// The database was used with the key of that id, and others are given.
  case wrongKey(expected: String, given: String)
  /// Others than its owner can read the key's file; its mode.
  case exposedFile(path: String, mode: UInt32)
  /// The key's file cannot be read or made; the system's `errno`.
  case file(path: String, errno: Int32)
  /// These bytes were sealed with another key.
  case otherKey
  /// These bytes are not what was sealed here.
  case damaged

  package var description: String {
    switch self {
    case .keyLength(let count): "the key has \(count) bytes; give one of 32 bytes"
    case .notBase64:
      "a key is not Base64; give 32 random bytes as “openssl rand -base64 32” prints them, several keys with commas between them in OKCANCEL_KEY or a line each in the key’s file"
    case .missingKey(let id, let file):
      "the key that sealed this database’s passwords (id \(id)) is missing; put its file back at \(file), or set OKCANCEL_KEY"
    case .wrongKey(let expected, let given):
      "the given key has id \(given), but this database’s passwords were sealed with the key of id \(expected); give that key too, after a comma in OKCANCEL_KEY or on a line of its own in the key’s file"
    case .exposedFile(let path, let mode):
      "\(path) can be used by others (mode \(String(mode, radix: 8))); make it readable only by you: chmod 600 \(path)"
    case .file(let path, let errno): "cannot use the key’s file \(path): \(systemMessage(errno))"
    case .otherKey: "this was sealed with another key"
    case .damaged: "this is not what was sealed here; restore the database from a backup"
    }
  }
}
