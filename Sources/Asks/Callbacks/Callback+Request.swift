extension Callback {
  /// The attempt as it is sent (Standard Webhooks 1.0, "Webhook headers").
  ///
  /// - Parameters:
  ///   - body: the closed ask, the same bytes at every attempt.
  ///   - secrets: all of them sign, so that a receiver can change from one to the next.
  ///   - moment: of this attempt.
  func request(
    to url: CallbackURL, body: [UInt8], signedWith secrets: [WebhookSecret], at moment: Timestamp
  ) -> PostRequest {
    let (id, timestamp) = (id.description, moment.milliseconds / 1000)
    let signatures = secrets.map { $0.signature(id: id, timestamp: timestamp, body: body) }
    return PostRequest(
      url: url.text,
      headers: [
        ("Content-Type", "application/json"), ("User-Agent", "OKCancel"), ("webhook-id", id),
        ("webhook-timestamp", "\(timestamp)"), ("webhook-signature", signatures.joined(separator: " ")),
      ], body: body)
  }
}

/// A POST to some other server.
struct PostRequest: Sendable {
  let url: String
  /// In this order. Values hold no CR, LF or NUL.
  let headers: [(name: String, value: String)]
  let body: [UInt8]
}
