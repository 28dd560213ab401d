internal import Crypto
internal import Foundation
internal import Glibc

/// Where the key to sealed passwords comes from.
public struct SecretSource: Sendable {
  /// What the environment variable `OKCANCEL_KEY` says: Base64 of 32 bytes. nil: not set.
  public let environment: String?
  /// The file of mode 0600 that keeps the key where the environment has none: Base64 and a line end.
  public let file: String

  public init(environment: String?, file: String) {
    self.environment = environment
    self.file = file
  }

  /// The file beside a database: its path and `.key`.
  public static func beside(_ database: String, environment: String?) -> SecretSource {
    SecretSource(environment: environment, file: database + ".key")
  }

  /// The box with the key.
  ///
  /// - Parameter keyID: the key that the database was used with; nil: none yet. Only then a file
  ///   that is missing is made, with a new key: a key that was lost is never silently replaced.
  public func load(boundTo keyID: String?) throws(SecretFault) -> SecretBox {
    let box: SecretBox
    if let environment {
      box = try Self.box(base64: environment)
    } else if let text = try read() {
      box = try Self.box(base64: text)
    } else if let keyID {
      throw .missingKey(id: keyID, file: file)
    } else {
      box = try make()
    }
    if let keyID, keyID != box.keyID { throw .wrongKey(expected: keyID, given: box.keyID) }
    return box
  }

  private static func box(base64 text: String) throws(SecretFault) -> SecretBox {
    let text = text.hasSuffix("\n") ? String(text.dropLast()) : text
    guard let key = Data(base64Encoded: text) else { throw .notBase64 }
    return try SecretBox(key: Array(key))
  }

  /// nil where there is no file.
  private func read() throws(SecretFault) -> String? {
    let descriptor = Glibc.open(file, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 {
      if errno == ENOENT { return nil }
      throw .file(path: file, errno: errno)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .file(path: file, errno: errno) }
    guard status.st_mode & 0o077 == 0 else {
      throw .exposedFile(path: file, mode: status.st_mode & 0o777)
    }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw .file(path: file, errno: errno) }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  private func make() throws(SecretFault) -> SecretBox {
    let key = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
    let box = try SecretBox(key: key)
    let text = Array((Data(key).base64EncodedString() + "\n").utf8)
    // Written whole under another name first: a crash leaves no half a key behind.
    let draft = file + ".new"
    unlink(draft)
    let descriptor = Glibc.open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .file(path: file, errno: errno) }
    let written = write(descriptor, text, text.count) == text.count && fsync(descriptor) == 0
    let failure = errno
    close(descriptor)
    guard written else { throw .file(path: file, errno: failure) }
    guard rename(draft, file) == 0 else { throw .file(path: file, errno: errno) }
    synchronizeDirectory(of: file)
    return box
  }
}
