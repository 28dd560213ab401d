internal import Asks
internal import MicroHTTP

extension AnswerTerms {
  /// Reads `?receipt`, `?subject=user-7` and `Idempotency-Key`.
  init(_ request: Request) throws(Problem) {
    wantsReceipt =
      try request.parameter("receipt", mustBe: "true or false, or stand alone") { flag in
        flag.isEmpty ? true : Bool(flag)
      } ?? false
    subject = try request.parameter("subject")
    if let scalars = subject?.unicodeScalars,
      !(1...200).contains(scalars.count) || scalars.contains(where: { $0.properties.generalCategory == .control })
    {
      throw Problem("wrong-value", ["name": "subject", "rule": "1 to 200 characters without control characters"])
    }
    // Neither a subject nor a body that can be read has these bytes.
    let terms = wantsReceipt || subject != nil ? Array((subject ?? "").utf8) + [wantsReceipt ? 0 : 1] : []
    key = try request.idempotencyKey(of: terms)
    // A page that sends the answer with a script also goes on to the last page; programs and frames do not.
    followsRedirect = request.wantsPage || request.header("origin") != nil && !wantsReceipt
  }
}

extension Request {
  /// The request's `Idempotency-Key`, by which a retry is recognized, or `nil` if it has none.
  ///
  /// - Parameter terms: bytes that, like the body, must be the same in a retry.
  func idempotencyKey(of terms: [UInt8] = []) throws(Problem) -> IdempotencyKey? {
    guard let text = try field("idempotency-key") else { return nil }
    guard let key = IdempotencyKey(text, body: terms + body) else {
      throw Problem("wrong-value", ["name": "Idempotency-Key", "rule": "1 to 255 visible ASCII characters"])
    }
    return key
  }
}
