internal import Glibc

/// A certificate and its key, for HTTPS. TLS 1.2 and 1.3 are spoken, with keys that are forgotten: whoever gets the
/// certificate's key later cannot read what was recorded.
///
/// They are read once; `Server.replaceCertificate` takes those that were read later.
package struct TLS: Sendable {
  /// PEM: the server's certificate, then those that lead to its root.
  let certificates: String
  /// PEM, without a passphrase.
  let key: String
  let credentials: TLSCredentials

  /// GnuTLS's words for what is spoken.
  static let priorities = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-RSA"

  /// Reads two files of PEM.
  package init(certificateFile: String, keyFile: String) throws(Server.Fault) {
    certificates = try Self.read(certificateFile)
    guard certificates.contains("-----BEGIN CERTIFICATE-----") else {
      throw .tls("\(certificateFile) holds no certificate; give a file of PEM with BEGIN CERTIFICATE in it")
    }
    key = try Self.read(keyFile)
    guard !key.contains("ENCRYPTED") else {
      throw .tls("the key in \(keyFile) has a passphrase; give one without")
    }
    guard key.contains("PRIVATE KEY-----") else {
      throw .tls("\(keyFile) holds no private key; give a file of PEM with PRIVATE KEY in it")
    }
    guard let credentials = TLSCredentials(certificates: certificates, key: key) else {
      throw .tls(
        "GnuTLS rejects the certificate in \(certificateFile) or its key in \(keyFile); check that the two belong together"
      )
    }
    self.credentials = credentials
  }

  private static func read(_ path: String) throws(Server.Fault) -> String {
    guard let file = fopen(path, "re") else { throw unreadable(path) }
    defer { fclose(file) }
    // A chain of certificates takes some kilobytes.
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    guard ferror(file) == 0 else { throw unreadable(path) }
    guard count < bytes.count, let text = String(validating: bytes[..<count], as: UTF8.self), !text.utf8.contains(0)
    else { throw .tls("\(path) is not a file of PEM") }
    return text
  }

  private static func unreadable(_ path: String) -> Server.Fault {
    .tls("\(path) cannot be read: \(String(cString: strerror(errno)))")
  }
}
