/// Who sends requests, and what for, as the connection shows it or as a trusted proxy says.
///
/// One object serves all requests that a connection's own peer sends, so that they cost no copies.
final class Sender: Sendable {
  /// nil: the peer has no IP address.
  let address: IPAddress?
  /// The address as text, with its zone if it has one; empty without an address.
  let addressText: String
  /// True where the client's connection is encrypted.
  let isSecure: Bool
  /// The authority that the client asked for, where it is not the `Host` header's.
  let host: String?
  /// The id that the proxy gave the request.
  let requestID: String?

  init(
    address: IPAddress?, addressText: String, isSecure: Bool = false, host: String? = nil, requestID: String? = nil
  ) {
    self.address = address
    self.addressText = addressText
    self.isSecure = isSecure
    self.host = host
    self.requestID = requestID
  }
}
