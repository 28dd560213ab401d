internal import Platform

/// The sender of a request and the host that it asked for, from the connection or from a trusted proxy's headers.
///
/// One object serves all requests that a connection's own peer sends, so that they cost no copies.
final class Sender: Sendable {
  /// `nil` if the peer has no IP address.
  let address: IPAddress?
  /// The address as text, with its zone if it has one; empty without an address.
  let addressText: String
  /// True if the client's connection is encrypted.
  let isSecure: Bool
  /// The authority that the client asked for, if it is not the `Host` header's.
  let host: String?
  /// The id that the proxy gave the request.
  let requestID: String?
  /// The address of the trusted proxy that speaks for the sender, or `nil` if none does.
  let proxy: String?

  /// The peer of a connection. An IPv4-mapped IPv6 address is written as IPv4.
  convenience init(address: SocketAddress?, isSecure: Bool) {
    let text = address?.text ?? ""
    self.init(
      address: address?.ip, addressText: text.hasPrefix("::ffff:") ? String(text.dropFirst(7)) : text,
      isSecure: isSecure)
  }

  init(
    address: IPAddress?, addressText: String, isSecure: Bool = false, host: String? = nil, requestID: String? = nil,
    proxy: String? = nil
  ) {
    self.address = address
    self.addressText = addressText
    self.isSecure = isSecure
    self.host = host
    self.requestID = requestID
    self.proxy = proxy
  }
}
