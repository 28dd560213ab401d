internal import Platform

/// The proxies whose headers about their clients are trusted: `X-Forwarded-For`, `-Proto` and `-Host`, and
/// `X-Request-Id`. These headers are ignored from any other peer, because anybody can send them.
package struct TrustedProxies: Sendable {
  private let blocks: [AddressBlock]

  package init(_ blocks: [AddressBlock] = []) { self.blocks = blocks }

  func contains(_ address: IPAddress?) -> Bool {
    guard let address else { return false }
    return blocks.contains { $0.contains(address) }
  }

  /// The sender of a request that came through a trusted peer.
  ///
  /// `X-Forwarded-For` is read from the right: each trusted proxy vouches for the address before its own, and the first
  /// address that is not a proxy's is the client's. The client may have made up what is before that one. Hosts are read as
  /// far as addresses; a shorter list is taken to begin at the first proxy.
  func sender(of fields: borrowing HeaderFields, through peer: Sender) -> Sender {
    let addresses = Self.list(fields, "x-forwarded-for")
    var client = peer.address
    var hops = 0
    while hops < addresses.count, contains(client), let address = Self.address(addresses[hops]) {
      client = address
      hops += 1
    }
    let host = Self.element(Self.list(fields, "x-forwarded-host"), hops)
    return Sender(
      address: client, addressText: hops == 0 ? peer.addressText : client?.description ?? "",
      isSecure: Self.isSecure(Self.list(fields, "x-forwarded-proto")) ?? peer.isSecure,
      host: host.flatMap { Self.isAuthority($0) ? String($0) : nil },
      requestID: fields.first("x-request-id").map(HeaderFields.text).flatMap { Self.isRequestID($0) ? $0 : nil },
      proxy: peer.addressText)
  }

  /// True if any proxy was reached by HTTPS: what lies between them and the server is the operator's.
  private static func isSecure(_ schemes: [Substring]) -> Bool? {
    let schemes = schemes.map { $0.lowercased() }
    return schemes.contains("https") ? true : schemes.contains("http") ? false : nil
  }

  /// The elements of all headers with this name, the last one first.
  private static func list(_ fields: borrowing HeaderFields, _ name: String) -> [Substring] {
    fields.elements(name).reversed().map { Substring(HeaderFields.text($0)) }
  }

  private static func element(_ list: [Substring], _ hops: Int) -> Substring? {
    list.isEmpty ? nil : list[min(max(hops, 1), list.count) - 1]
  }

  /// An address with or without a port, `[2001:db8::1]:4711`.
  private static func address(_ text: Substring) -> IPAddress? {
    if let address = IPAddress(text) { return address }
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      return IPAddress(text[text.index(after: text.startIndex)..<end])
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 2 ? IPAddress(parts[0]) : nil
  }

  /// A host, perhaps with a port: what a link can begin with.
  private static func isAuthority(_ text: Substring) -> Bool {
    (1...255).contains(text.utf8.count) && text.utf8.allSatisfy(authority.contains) && !text.hasSuffix(":")
      && HeadReader.isHost(Array(text.utf8).span)
  }

  private static func isRequestID(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count) && text.utf8.allSatisfy(requestID.contains)
  }

  private static let authority = ASCIISet("-._:[]" + ASCIISet.digitsAndLetters)
  private static let requestID = ASCIISet("-._:=+/@" + ASCIISet.digitsAndLetters)
}

/// Addresses that begin alike, `10.0.0.0/8`; a single address is its own block.
public struct AddressBlock: Hashable, Sendable {
  private let start: IPAddress
  /// As for IPv6.
  private let length: Int

  /// `nil` if the text is not ADDRESS or ADDRESS/LENGTH, or has bits set after the length, so that another block may be
  /// meant.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = IPAddress(parts[0]) else { return nil }
    let longest = address.isIPv4 && !parts[0].contains(":") ? 32 : 128
    var length = longest
    if parts.count == 2 {
      guard let given = Int(parts[1]), (0...longest).contains(given), parts[1].utf8.allSatisfy({ $0 >= 0x30 })
      else { return nil }
      length = given
    }
    self.length = length + 128 - longest
    start = address
    guard address.prefix(self.length) == address.bits else { return nil }
  }

  func contains(_ address: IPAddress) -> Bool { address.prefix(length) == start.bits }
}
