internal import Crypto
internal import Foundation
package import Prompts

/// One closed ask on its way to the program's URL.
package struct Callback: Sendable {
  /// The ask's id. It is the same at every attempt, so it serves as `webhook-id`.
  package let id: AskID
  /// Its place in the queue.
  var delivery = ""
  package let url: String
  /// The number of attempts so far.
  package let attempts: Int
  /// The body to send, the same bytes that every reader gets.
  package let closed: ClosedAsk

  /// The recorded result of an attempt.
  package enum Result: Sendable, Equatable {
    case delivered
    /// Try again at that moment.
    case failed(retryAt: Timestamp)
    /// The receiver wants no more (`410`), or the schedule is at its end.
    case givenUp
    /// The sender stopped before it knew: due again at once, and not counted.
    case interrupted

    /// The state to store, when the callback is due again (`nil` for now), and how many attempts to add to its count.
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

  /// The same of any URL. One that cannot be read may hold a secret anywhere.
  static func origin(of url: String) -> String { (try? CallbackURL(url))?.origin ?? "unreadable:" }
}

extension Callback {
  /// The longest `Retry-After` (RFC 9110, section 10.2.3) that is granted to a receiver.
  static let longestRetryAfter: Duration = .seconds(86_400)

  /// Decides what to record of an attempt.
  ///
  /// Any 2xx is a delivery; a redirect is a failure and not followed; 410 asks for no more.
  ///
  /// - Parameter chance: 0 up to 1, drawn anew each time.
  func result(
    of attempt: OutgoingResult, at now: Timestamp, on schedule: RetrySchedule,
    chance: Double = .random(in: 0..<1)
  ) -> Result {
    var retryAfter: Duration?
    switch attempt {
    case .response(status: 200..<300, _, _, _): return .delivered
    case .response(status: 410, _, _, _): return .givenUp
    case .interrupted: return .interrupted
    case .response(_, _, _, let wish): retryAfter = wish.map { min($0, Self.longestRetryAfter) }
    case .noResponse, .lost: break
    }
    guard let pause = schedule.pause(afterAttempts: attempts + 1, chance: chance) else { return .givenUp }
    return .failed(retryAt: max(now + pause, now + (retryAfter ?? .zero)))
  }
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
    let own = [("Content-Type", "application/json"), ("User-Agent", "OKCancel")]
    let signed = secrets.headers(id: id.description, body: body, at: moment)
    return OutgoingRequest("POST", url.text, headers: own + signed, body: body)
  }
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
}

// MARK: The store

extension AskStore {
  /// Takes callbacks that are due, for one sender only, those of the longest overdue receiver first.
  ///
  /// - Parameters:
  ///   - limit: how many to take at most.
  ///   - perOrigin: how many may be on their way to one origin at once, so that a receiver that does not respond
  ///     delays no other.
  ///   - limits: for some origins, the number that replaces `perOrigin`; 0 takes none.
  ///   - lease: how long the sender owns them; a callback that it has not settled by then is due again.
  package func claimCallbacks(
    limit: Int, perOrigin: Int, limits: [String: Int], lease: Duration
  ) async throws -> [Callback] {
    let now = clock.now
    var receivers = try await read(.receivers, ["now": .moment(now)])[...]
    var claimed: [Callback] = []
    while claimed.count < limit, !receivers.isEmpty {
      // Side by side, so that they share a transaction; what a receiver does not need is left to the next ones.
      try await withThrowingTaskGroup(of: [Callback].self) { group in
        var room = limit - claimed.count
        while room > 0, let receiver = receivers.popFirst() {
          // The origin of a URL has a colon, and no channel has.
          guard let origin = receiver.text("origin"), origin.contains(":") else { continue }
          let count = min(room, (limits[origin] ?? perOrigin) - Int(receiver.integer("leased") ?? 0))
          guard count > 0 else { continue }
          room -= count
          group.addTask { try await self.claim(count, of: origin, at: now, until: now + lease) }
        }
        for try await callbacks in group { claimed += callbacks }
      }
    }
    return claimed
  }

  private func claim(
    _ count: Int, of origin: String, at now: Timestamp, until end: Timestamp
  ) async throws -> [Callback] {
    var callbacks: [Callback] = []
    let values: NamedValues = [
      "origin": .text(origin), "now": .moment(now), "limit": .integer(count), "leased_until": .moment(end),
    ]
    for row in try await write(.claim, values) {
      let id = try AskID(row)
      let ask = try await read(.askByID, ["id": .id(id)]).first
      guard let closed = try ask.flatMap({ try Ask($0).closed }) else { continue }
      callbacks.append(
        Callback(
          id: id, delivery: try row.kept(row.text("delivery")), url: try row.kept(row.text("url")),
          attempts: Int(row.integer("attempts") ?? 0), closed: closed))
    }
    return callbacks
  }

  /// Records what became of a claimed callback's attempt.
  package func settleCallback(_ callback: Callback, as result: Callback.Result) async throws {
    let (state, retryAt, counts) = result.kept
    _ = try await write(
      .settleCallback,
      [
        "state": .text(state), "counts": .integer(counts), "due_at": .moment(retryAt ?? clock.now),
        "delivery": .text(callback.delivery), "attempts": .integer(callback.attempts),
      ], locking: [.delivery(callback.delivery)])
  }

  /// The moment at which the next delivery is due or its lease ends, or `nil` if none waits.
  package func nextDelivery() async throws -> Timestamp? {
    try await read(.nextDelivery).first?.timestamp("due_at")
  }
}

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
