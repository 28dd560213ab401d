package import Prompts
internal import Crypto
internal import Foundation

/// One closed ask on its way to the program's URL.
package struct Callback: Sendable {
  /// The ask's id. It is the same at every attempt, so it serves as `webhook-id`.
  package let id: AskID
  package let url: String
  /// How often it was tried before.
  package let attempts: Int
  /// The body to send, the same bytes that every reader gets.
  package let closed: ClosedAsk

  /// What is recorded of an attempt.
  package enum Result: Sendable, Equatable {
    case delivered
    /// Try again at that moment.
    case failed(retryAt: Timestamp)
    /// The receiver wants no more (`410`), or the schedule is at its end.
    case givenUp
    /// The sender stopped before it knew: due again at once, and not counted.
    case interrupted

    /// Its state in a store, when it is due again, if that changes, and the attempts that it counts for.
    var kept: (state: String, retryAt: Timestamp?, counts: Int) {
      switch self {
      case .delivered: ("delivered", nil, 1)
      case .failed(let moment): ("waiting", moment, 1)
      case .givenUp: ("given up", nil, 1)
      case .interrupted: ("waiting", nil, 0)
      }
    }
  }

  /// Scheme and authority of its URL: who receives it.
  var origin: String { Self.origin(of: url) }

  /// Scheme and authority of a URL in lower case, and all of it if it has no such part.
  static func origin(of url: String) -> String {
    guard let scheme = url.firstRange(of: "://") else { return url }
    let end = url[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex
    return url[..<end].lowercased()
  }
}

// MARK: Attempts

/// What one attempt to deliver a callback came to.
package enum CallbackAttempt: Sendable, Equatable {
  /// The receiver responded with this status; `retryAfter` is how long it wants to be left alone.
  case response(status: Int, retryAfter: Duration? = nil)
  /// No whole response came, for this reason.
  case noResponse(reason: String)
  /// The operator no longer allows this URL.
  case notAllowed
  /// The closed ask cannot be opened, for this reason.
  case unreadable(reason: String)
  /// The sender stopped before the receiver responded.
  case interrupted
}

extension CallbackAttempt: CustomStringConvertible {
  /// To follow the word "callback …:" in a log.
  package var description: String {
    switch self {
    case .response(let status, nil): "responded \(status)"
    case .response(let status, let pause?): "responded \(status) and asked to wait \(pause.components.seconds) s"
    case .noResponse(let reason): reason
    case .notAllowed: "its URL is not under any prefix that --allow-callback names"
    case .unreadable(let reason): "the outcome cannot be opened: \(reason)"
    case .interrupted: "interrupted because the server stopped"
    }
  }
}

/// When a callback is tried again after a failure.
package struct RetrySchedule: Sendable {
  /// Pauses before the second, third … attempt.
  package let pauses: [Duration]
  /// A pause is lengthened by up to this part of itself, so that callbacks which failed together do not come back
  /// together.
  package let jitter: Double

  package init(pauses: [Duration], jitter: Double) {
    self.pauses = pauses
    self.jitter = jitter
  }

  /// The schedule of Standard Webhooks 1.0 ("Deliverability and reliability"): ten attempts in a little more than three
  /// days.
  package static let standardWebhooks = RetrySchedule(
    pauses: [
      .seconds(5), .seconds(300), .seconds(1800), .seconds(7200), .seconds(18_000),
      .seconds(36_000), .seconds(50_400), .seconds(72_000), .seconds(86_400),
    ],
    jitter: 0.1)

  /// The pause after that many failed attempts, or `nil` to give up.
  ///
  /// - Parameter chance: 0 up to 1, drawn anew each time.
  func pause(afterAttempts attempts: Int, chance: Double) -> Duration? {
    guard attempts >= 1, attempts <= pauses.count else { return nil }
    let pause = pauses[attempts - 1]
    return pause + pause * (jitter * chance)
  }
}

extension Callback {
  /// The longest `Retry-After` (RFC 9110, section 10.2.3) that is granted to a receiver.
  private static let longestRetryAfter: Duration = .seconds(86_400)

  /// What to record of an attempt.
  ///
  /// Any 2xx is a delivery; a redirect is a failure and not followed; 410 asks for no more.
  ///
  /// - Parameter chance: 0 up to 1, drawn anew each time.
  func result(
    of attempt: CallbackAttempt, at now: Timestamp, on schedule: RetrySchedule,
    chance: Double = .random(in: 0..<1)
  ) -> Result {
    var retryAfter: Duration?
    switch attempt {
    case .response(status: 200..<300, _): return .delivered
    case .response(status: 410, _): return .givenUp
    case .interrupted: return .interrupted
    case .response(_, let wish): retryAfter = wish.map { min($0, Self.longestRetryAfter) }
    case .noResponse, .notAllowed, .unreadable: break
    }
    guard let pause = schedule.pause(afterAttempts: attempts + 1, chance: chance) else { return .givenUp }
    return .failed(retryAt: max(now + pause, now + (retryAfter ?? .zero)))
  }
}

// MARK: The signed request

/// What callbacks are signed with, shared with who receives them: a symmetric secret of Standard Webhooks 1.0, `whsec_`
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
  fileprivate func signature(id: String, timestamp: Int64, body: [UInt8]) -> String {
    let text = Array("\(id).\(timestamp).".utf8) + body
    return "v1," + Data(HMAC<SHA256>.authenticationCode(for: text, using: key)).base64EncodedString()
  }
}

extension WebhookSecret: CustomStringConvertible {
  /// Not the secret: a log that prints one by mistake gives nothing away.
  public var description: String { "whsec_…" }
}

extension Callback {
  /// The attempt as it is sent (Standard Webhooks 1.0, "Webhook headers").
  ///
  /// - Parameters:
  ///   - body: the closed ask, the same bytes at every attempt.
  ///   - secrets: all of them sign, so that a receiver can change from one to the next.
  ///   - moment: of this attempt.
  func request(
    to url: CallbackURL, body: [UInt8], signedWith secrets: [WebhookSecret], at moment: Timestamp
  ) -> OutgoingRequest {
    let (id, timestamp) = (id.description, moment.milliseconds / 1000)
    let signatures = secrets.map { $0.signature(id: id, timestamp: timestamp, body: body) }
    return OutgoingRequest(
      "POST", url.text,
      headers: [
        ("Content-Type", "application/json"), ("User-Agent", "OKCancel"), ("webhook-id", id),
        ("webhook-timestamp", "\(timestamp)"), ("webhook-signature", signatures.joined(separator: " ")),
      ], body: body)
  }
}
