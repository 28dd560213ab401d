internal import Crypto
internal import Foundation
internal import Prompts

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

extension [WebhookSecret] {
  /// The headers of a signed message.
  func headers(id: String, body: [UInt8], at moment: Timestamp) -> [(name: String, value: String)] {
    let timestamp = moment.milliseconds / 1000
    let signatures = map { $0.signature(id: id, timestamp: timestamp, body: body) }
    return [
      ("webhook-id", id), ("webhook-timestamp", "\(timestamp)"),
      ("webhook-signature", signatures.joined(separator: " ")),
    ]
  }

  /// The request of a callback (Standard Webhooks 1.0, "Webhook headers"). All secrets sign, so that a receiver can change
  /// from one to the next.
  ///
  /// - Parameters:
  ///   - id: the same at every attempt, and of nothing else: the ask's for its end.
  ///   - body: the closed ask without its result, the same bytes that every reader gets; or the result.
  ///   - moment: of this attempt.
  func callback(to url: CallbackURL, id: String, body: [UInt8], at moment: Timestamp) -> OutgoingRequest {
    let own = [("Content-Type", "application/json"), ("User-Agent", "OKCancel")]
    return OutgoingRequest(
      "POST", url.text, headers: own + headers(id: id, body: body, at: moment), body: body)
  }
}
