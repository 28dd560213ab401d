internal import CMicroHTTPD
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

/// A certificate with its key as GnuTLS keeps them. Sessions that use them must end first.
final class TLSCredentials: @unchecked Sendable {
  // Sendable by proof: complete when `init` ends; GnuTLS only reads them after that.
  private let pointer: gnutls_certificate_credentials_t

  /// `nil` if GnuTLS rejects this certificate or its key.
  ///
  /// - Parameters:
  ///   - certificates: PEM.
  ///   - key: PEM.
  init?(certificates: String, key: String) {
    var made: gnutls_certificate_credentials_t?
    guard gnutls_certificate_allocate_credentials(&made) == GNUTLS_E_SUCCESS, let made else { return nil }
    pointer = made
    var (certificates, key) = (certificates, key)
    let code = certificates.withUTF8 { certificates in
      key.withUTF8 { key in
        var (chain, secret) = (Self.datum(certificates), Self.datum(key))
        return gnutls_certificate_set_x509_key_mem2(made, &chain, &secret, GNUTLS_X509_FMT_PEM, nil, 0)
      }
    }
    guard code >= 0 else { return nil }
  }

  deinit { gnutls_certificate_free_credentials(pointer) }

  /// Has a connection use them, whose handshake has not begun.
  func use(for connection: OpaquePointer) {
    guard let session = cmhd_connection_info(connection, .CONNECTION_INFO_GNUTLS_SESSION)?.pointee.tls_session
    else { return }
    gnutls_credentials_set(OpaquePointer(session), GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(pointer))
  }

  /// GnuTLS reads it only.
  private static func datum(_ bytes: UnsafeBufferPointer<UInt8>) -> gnutls_datum_t {
    gnutls_datum_t(data: UnsafeMutablePointer(mutating: bytes.baseAddress), size: UInt32(bytes.count))
  }
}
