/// A web origin: scheme, host and port (RFC 6454), as browsers send it in `Origin`.
public struct Origin: Sendable, Hashable, CustomStringConvertible {
  public let description: String

  /// nil: not `http://HOST[:PORT]` or `https://HOST[:PORT]` in lower case, or with more after it.
  public init?(_ text: String) {
    guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return nil }
    let authority = text.utf8.dropFirst(scheme.utf8.count)
    guard !authority.isEmpty,
      authority.allSatisfy({ byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
          true
        default: false
        }
      })
    else { return nil }
    description = text
  }

  /// Host and port, as in a `Host` header.
  var authority: Substring { description.split(separator: "/", omittingEmptySubsequences: true).last ?? "" }
}
