import Foundation
import Testing

@testable import Asks
@testable import Prompts

@Suite struct `One callback, before and after it is sent` {
  /// 32 bytes 0, 1, 2 …
  static let secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

  /// Promise 4.11 | Callbacks are signed (Standard Webhooks 1.0), also while the secret is being changed.
  @Test func `is signed by every secret, as other libraries sign it`() throws {
    let secrets = try [Self.secret, Self.secret].map { try #require(WebhookSecret($0)) }
    let request = secrets.callback(
      to: try CallbackURL("https://a.example"), id: "0123456789abcdefghjkmnpqrs",
      body: bytes(#"{"id":"ü"}"#), at: Timestamp(milliseconds: 1_795_253_400_999))
    let headers = Dictionary(uniqueKeysWithValues: request.headers.map { ($0.name, $0.value) })
    #expect(headers["webhook-id"] == "0123456789abcdefghjkmnpqrs")
    #expect(headers["webhook-timestamp"] == "1795253400")
    // From PyPI's standardwebhooks 1.1.0.
    let expected = "v1,UmZq/FCDs1461DH6L430LyjQNL9PoMWjCVq7nYXQO3A="
    #expect(headers["webhook-signature"] == "\(expected) \(expected)")
    #expect(request.body == bytes(#"{"id":"ü"}"#))
  }

  @Test(arguments: [0, 23, 24, 64, 65])
  func `a secret is whsec_ and 24 to 64 bytes of Base64`(count: Int) {
    let text = "whsec_" + Data(repeating: 7, count: count).base64EncodedString()
    #expect((WebhookSecret(text) != nil) == (24...64).contains(count))
    #expect(WebhookSecret(String(text.dropFirst())) == nil)
    #expect(WebhookSecret(text + "!") == nil)
  }

  @Test func `a new secret is one, another each time, and does not print itself`() throws {
    let (one, other) = (WebhookSecret.generate(), WebhookSecret.generate())
    #expect(one != other)
    #expect("\(try #require(WebhookSecret(one)))" == "whsec_…")
  }

  private static let schedule = RetrySchedule(pauses: [.seconds(5)], jitter: 0.1)
  private static let again = Delivery.Result.failed(retryAfter: .seconds(5))

  @Test(arguments: [
    (OutgoingResult.response(status: 200), Delivery.Result.delivered()),
    (.response(status: 299, retryAfter: .seconds(9)), .delivered()),
    (.response(status: 410), .givenUp),
    (.response(status: 301), again), (.response(status: 404), again), (.response(status: 500), again),
    (.response(status: 503, retryAfter: .seconds(3)), again),
    (.response(status: 429, retryAfter: .seconds(60)), .failed(retryAfter: .seconds(60))),
    // Nobody may put it off for ever.
    (.response(status: 503, retryAfter: .seconds(1 << 60)), .failed(retryAfter: .seconds(86_400))),
    (.noResponse(reason: "no"), again), (.lost(reason: "no"), again),
    (.interrupted, .interrupted),
  ])
  func `what becomes of it after an attempt`(attempt: OutgoingResult, expected: Delivery.Result) {
    let result = Delivery.Result(ofCallback: attempt)
    #expect(result.scheduled(afterAttempts: 1, on: Self.schedule, chance: 0) == expected)
  }

  @Test func `it is given up at the end of the schedule`() {
    let results = [500, 200].map { Delivery.Result(ofCallback: .response(status: $0)) }
    #expect(results.map { $0.scheduled(afterAttempts: 2, on: Self.schedule) } == [.givenUp, .delivered()])
  }
}
