internal import CMicroHTTPD

/// A certificate with its key as GnuTLS keeps them. Sessions that use them must end first.
final class TLSCredentials: @unchecked Sendable {
  // Sendable by proof: complete when `init` ends; GnuTLS only reads them after that.
  private let pointer: gnutls_certificate_credentials_t

  /// nil: GnuTLS does not take this certificate with this key.
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
