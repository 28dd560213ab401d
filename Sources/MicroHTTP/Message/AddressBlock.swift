package import Base

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
