/// A request's `Idempotency-Key`, and the body that came with it.
///
/// The same key with the same body names the same ask, or the same answer; with another body it is a conflict. A key lasts
/// as long as the ask or the answer is kept.
package struct IdempotencyKey: Sendable {
  /// 1 to 255 bytes of visible ASCII.
  let text: String
  /// The request's body, byte by byte.
  let body: [UInt8]
  /// The person who answers with it (`Person.key`), or `nil` for one without a name: what somebody else sends with the same
  /// key is another request. `DialogRoutes` sets it, once it knows who may answer.
  package var sender: String?

  /// - Returns: `nil` if the text is empty, longer than 255 bytes, or not visible ASCII.
  package init?(_ text: String, body: [UInt8]) {
    let utf8 = text.utf8
    guard (1...255).contains(utf8.count), utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    self.text = text
    self.body = body
  }
}
