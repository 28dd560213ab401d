/// One entry of the queue, as a sender has claimed it: a callback, or a notice of a question.
package struct Delivery: Sendable {
  /// Its place in the queue.
  let id: String
  package let ask: AskID
  /// The occasion of a notice; a callback has `closed`.
  let message: Message
  /// The URL of a callback, or `nil` for a notice.
  let url: String?
  /// Names the message at the channel, or `nil` if none was sent that can be updated.
  let sent: String?
  /// The notice that a message was named after with which it arrived, or may have; or `nil`.
  let tried: String?
  /// True if it is sent by itself, because a sender ended while it was under way.
  let isAlone: Bool
  /// The number of attempts so far.
  package let attempts: Int

  init(_ row: StoreRow) throws {
    id = try row.kept(row.text("delivery"))
    ask = try AskID(row)
    let kind = try row.kept(row.text("kind").flatMap { Message(rawValue: $0) })
    message = id.hasSuffix(" result") ? .result : kind
    (url, sent, tried) = (row.text("url"), row.text("sent"), row.text("tried"))
    isAlone = row.integer("strikes") ?? 0 > 0
    attempts = Int(row.integer("attempts") ?? 0)
  }

  /// True if it changes a message that was sent, or may have been.
  var isUpdate: Bool { sent != nil || message.kind == Message.closed.rawValue }

  /// The result of an attempt.
  package enum Result: Sendable, Equatable {
    /// It was taken; the name by which the message can be updated, or `nil` if it cannot.
    case delivered(sent: String? = nil)
    /// Another attempt may succeed, not before that time.
    case failed(retryAfter: Duration?)
    /// The receiver wants no more, or the schedule is at its end.
    case givenUp
    /// The sender stopped before it knew: due again at once, and not counted.
    case interrupted
  }
}

extension Delivery.Result {
  /// The longest `Retry-After` (RFC 9110, section 10.2.3) that is granted to a receiver.
  private static let longestRetryAfter: Duration = .seconds(86_400)

  /// What a callback's receiver means: any 2xx is a delivery; a redirect is a failure and not followed; 410 asks for no
  /// more.
  init(ofCallback attempt: OutgoingResult) {
    switch attempt {
    case .response(status: 200..<300, _, _, _): self = .delivered()
    case .response(status: 410, _, _, _): self = .givenUp
    case .interrupted: self = .interrupted
    case .response, .noResponse, .lost: self = .failed(retryAfter: attempt.retryAfter)
    }
  }

  /// The same with the pause of a schedule: a failure at its end is given up.
  ///
  /// - Parameters:
  ///   - attempts: how many there were, with this one.
  ///   - chance: 0 up to 1, drawn anew each time.
  func scheduled(
    afterAttempts attempts: Int, on schedule: RetrySchedule, chance: Double = .random(in: 0..<1)
  ) -> Self {
    guard case .failed(let requested) = self else { return self }
    guard let pause = schedule.pause(afterAttempts: attempts, chance: chance) else { return .givenUp }
    return .failed(retryAfter: max(pause, min(requested ?? .zero, Self.longestRetryAfter)))
  }

  /// The state to store, the name of what was sent, when it is due again, and how many attempts to add to its count.
  var kept: (state: String, sent: String?, retryAfter: Duration, counts: Int) {
    switch self {
    case .delivered(let sent): ("delivered", sent, .zero, 1)
    case .failed(let pause): ("waiting", nil, pause ?? .zero, 1)
    case .givenUp: ("given up", nil, .zero, 1)
    case .interrupted: ("waiting", nil, .zero, 0)
    }
  }
}

/// Deliveries to one receiver that one attempt after the other sends: a callback, or the notices of a channel.
package struct Claim: Sendable {
  /// `nil` for a callback.
  let channel: Channel?
  /// Who receives them: the origin of a URL, or the channel and, by mail, the address.
  let origin: String
  package let deliveries: [Delivery]

  /// Whose failures and messages count together: the channel, or the origin of a URL.
  var limited: String { channel?.name ?? origin }
}

/// What a sender has found in the queue.
package struct Claimed: Sendable {
  /// To send now, each by itself.
  package var claims: [Claim] = []
  /// Given up, because the program ended each time that they were sent.
  var setAside: [Claim] = []
  /// True if there may be more.
  var foundAny = false
  /// True if something that was struck can be sent as soon as nothing else is under way.
  var isStruckDue = false

  mutating func add(_ other: Claimed) {
    claims += other.claims
    setAside += other.setAside
    foundAny = foundAny || other.foundAny
  }
}
