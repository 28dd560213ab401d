/// What one attempt to deliver a callback came to.
package enum CallbackAttempt: Sendable, Equatable {
  /// The receiver answered with this status; `retryAfter`: how long it wants to be left alone.
  case answered(status: Int, retryAfter: Duration? = nil)
  /// No whole answer came, for this reason.
  case unanswered(reason: String)
  /// The operator no longer allows this URL.
  case notAllowed
  /// The closed ask cannot be opened, for this reason.
  case unreadable(reason: String)
  /// The sender stopped before the receiver answered.
  case interrupted
}

extension Callback {
  /// The longest pause that a receiver may ask for.
  static let longestWish: Duration = .seconds(86_400)

  /// What to record of an attempt.
  ///
  /// Any 2xx is a delivery; a redirect is a failure and followed by nobody; 410 asks for no more.
  ///
  /// - Parameter chance: 0 up to 1, drawn anew each time.
  func result(
    of attempt: CallbackAttempt, at now: Timestamp, on schedule: RetrySchedule,
    chance: Double = .random(in: 0..<1)
  ) -> Result {
    switch attempt {
    case .answered(status: 200..<300, _): return .delivered
    case .answered(status: 410, _): return .givenUp
    case .answered(_, let wish):
      return failure(
        at: now, notBefore: wish.map { now + min($0, Self.longestWish) }, on: schedule, chance: chance)
    case .unanswered, .notAllowed, .unreadable: return failure(at: now, on: schedule, chance: chance)
    case .interrupted: return .interrupted
    }
  }
}

extension CallbackAttempt: CustomStringConvertible {
  /// To follow the word "callback …:" in a log.
  package var description: String {
    switch self {
    case .answered(let status, nil): "answered \(status)"
    case .answered(let status, let pause?): "answered \(status), and to wait \(pause.components.seconds) s"
    case .unanswered(let reason): reason
    case .notAllowed: "its URL is not under any --allow-callback of this start"
    case .unreadable(let reason): "the outcome cannot be opened: \(reason)"
    case .interrupted: "interrupted by the end of the server"
    }
  }
}
