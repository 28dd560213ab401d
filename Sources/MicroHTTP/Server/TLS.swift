internal import CMicroHTTPD
internal import Glibc
internal import Platform
internal import Synchronization

/// A certificate and its private key, for HTTPS. Supports TLS 1.2 and 1.3 with forward secrecy: a stolen private key
/// does not decrypt traffic that was recorded earlier.
///
/// The files are read once; `Server.replaceCertificate` takes a certificate that was read later.
package struct TLS: Sendable {
  /// PEM: the server's certificate, then those that lead to its root.
  let certificates: String
  /// PEM, without a passphrase.
  let key: String
  let credentials: TLSCredentials
  private let certificateFile: String

  /// The protocol versions and cipher suites, as a GnuTLS priority string.
  ///
  /// CBC suites are left out, because padding oracle attacks on them keep being found.
  static let priorities = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-RSA:-AES-128-CBC:-AES-256-CBC"

  /// Reads two files of PEM.
  package init(certificateFile: String, keyFile: String) throws(Server.StartError) {
    self.certificateFile = certificateFile
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
      let (end, key) = ("-----END CERTIFICATE-----", key)
      let others = certificates.split(separator: end).dropFirst().map { String($0) + end }
      if others.contains(where: { TLSCredentials(certificates: $0, key: key) != nil }) {
        throw .tls(
          "\(certificateFile) begins with another certificate than that of the key in \(keyFile); put the server's own first, then those that lead to its root"
        )
      }
      throw .tls(
        "GnuTLS rejects the certificate in \(certificateFile) or its key in \(keyFile); check that the two belong together"
      )
    }
    self.credentials = credentials
  }

  /// The reason clients reject the certificate now, or `nil` if its dates are none.
  package var warning: String? {
    guard let (start, end) = Self.dates(of: certificates) else { return nil }
    let now = time(nil)
    if now > end { return "the certificate in \(certificateFile) expired on \(Self.day(end)); renew it and reload" }
    guard now < start else { return nil }
    return "the certificate in \(certificateFile) is not valid before \(Self.day(start)); check this machine's clock"
  }

  /// The validity period of the first certificate.
  private static func dates(of certificates: String) -> (start: time_t, end: time_t)? {
    var allocated: gnutls_x509_crt_t?
    guard gnutls_x509_crt_init(&allocated) == GNUTLS_E_SUCCESS, let certificate = allocated else { return nil }
    defer { gnutls_x509_crt_deinit(certificate) }
    var certificates = certificates
    return certificates.withUTF8 { bytes in
      var text = TLSCredentials.datum(bytes)
      guard gnutls_x509_crt_import(certificate, &text, GNUTLS_X509_FMT_PEM) == GNUTLS_E_SUCCESS else { return nil }
      return (gnutls_x509_crt_get_activation_time(certificate), gnutls_x509_crt_get_expiration_time(certificate))
    }
  }

  /// `2026-11-23`, in UTC.
  private static func day(_ moment: time_t) -> String {
    var (moment, parts) = (moment, tm())
    gmtime_r(&moment, &parts)
    let numbers = [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)]
    return numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: "-")
  }

  private static func read(_ path: String) throws(Server.StartError) -> String {
    // A chain of certificates takes some kilobytes.
    let limit = 1 << 20
    let file: RegularFile
    do throws(RegularFile.ReadError) { file = try RegularFile(path, first: limit) } catch {
      switch error {
      case .system(let code): throw unreadable(path, code)
      case .irregular(S_IFDIR): throw unreadable(path, EISDIR)
      case .irregular: throw .tls("\(path) is not a file of PEM")
      }
    }
    guard file.bytes.count < limit, let text = String(validating: file.bytes, as: UTF8.self), !text.utf8.contains(0)
    else { throw .tls("\(path) is not a file of PEM") }
    return text
  }

  private static func unreadable(_ path: String, _ code: Int32) -> Server.StartError {
    .tls("\(path) cannot be read: \(String(cString: strerror(code)))")
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
    var allocated: gnutls_certificate_credentials_t?
    guard gnutls_certificate_allocate_credentials(&allocated) == GNUTLS_E_SUCCESS, let pointer = allocated else {
      return nil
    }
    self.pointer = pointer
    var (certificates, key) = (certificates, key)
    let code = certificates.withUTF8 { certificates in
      key.withUTF8 { key in
        var (chain, secret) = (Self.datum(certificates), Self.datum(key))
        return gnutls_certificate_set_x509_key_mem2(pointer, &chain, &secret, GNUTLS_X509_FMT_PEM, nil, 0)
      }
    }
    guard code >= 0 else { return nil }
  }

  deinit { gnutls_certificate_free_credentials(pointer) }

  /// Makes a session use these credentials. Its handshake must not have begun.
  func use(for session: gnutls_session_t) {
    gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(pointer))
  }

  /// GnuTLS reads it only.
  fileprivate static func datum(_ bytes: UnsafeBufferPointer<UInt8>) -> gnutls_datum_t {
    gnutls_datum_t(data: UnsafeMutablePointer(mutating: bytes.baseAddress), size: UInt32(bytes.count))
  }
}

extension Server {
  /// Has connections from now on use this certificate, if the server speaks TLS; those that are open keep theirs.
  ///
  /// - Throws: if clients would reject it for its dates, and not the one before.
  package func replaceCertificate(_ tls: TLS) throws(StartError) {
    try core.tls.withLock { current throws(StartError) in
      guard let before = current else { return }
      if let warning = tls.warning, before.warning == nil { throw .tls(warning) }
      current = tls
    }
  }
}
