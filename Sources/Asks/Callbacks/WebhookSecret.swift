internal import Crypto
internal import Foundation

/// The secret that signs callbacks, shared with their receiver: a symmetric secret of Standard Webhooks 1.0, `whsec_`
/// and the Base64 of 24 to 64 bytes.
public struct WebhookSecret: Sendable {
  private let key: SymmetricKey
  private static let mark = "whsec_"

  /// - Returns: `nil` if the text is no such secret.
  public init?(_ text: String) {
    guard text.hasPrefix(Self.mark), let bytes = Data(base64Encoded: String(text.dropFirst(Self.mark.count))),
      (24...64).contains(bytes.count)
    else { return nil }
    key = SymmetricKey(data: bytes)
  }

  /// A new one of 32 bytes, as text.
  package static func generate() -> String { mark + Data(randomBytes(32)).base64EncodedString() }

  /// `v1,` and the Base64 of HMAC-SHA256 over `id.timestamp.body`.
  ///
  /// - Parameter timestamp: the attempt's, in whole seconds since 1970.
  func signature(id: String, timestamp: Int64, body: [UInt8]) -> String {
    let text = Array("\(id).\(timestamp).".utf8) + body
    return "v1," + Data(HMAC<SHA256>.authenticationCode(for: text, using: key)).base64EncodedString()
  }
}

extension WebhookSecret: CustomStringConvertible {
  /// Not the secret: a log that prints one by mistake gives nothing away.
  public var description: String { "whsec_…" }
}
