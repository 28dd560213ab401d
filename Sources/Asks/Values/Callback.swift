/// One closed ask on its way to the program's URL.
package struct Callback: Sendable {
  /// The ask's id. It is the same at every attempt, so it serves as `webhook-id`.
  package let id: AskID
  package let url: String
  /// How often it was tried before this time.
  package let attempts: Int
  /// The body to send, and every reader's bytes too.
  package let closed: ClosedAsk

  /// What became of an attempt.
  package enum Result: Sendable, Equatable {
    case delivered
    /// Try again at that moment.
    case failed(retryAt: Timestamp)
    /// The receiver wants no more (`410`), or the schedule is at its end.
    case givenUp
    /// The sender stopped before it knew: due again at once, and not counted.
    case interrupted
  }
}

extension Callback {
  /// Scheme and authority of its URL: who receives it.
  var origin: String { Self.origin(of: url) }

  /// Scheme and authority of a URL in lower case, and all of it where it has no such part.
  static func origin(of url: String) -> String {
    guard let scheme = url.firstRange(of: "://") else { return url }
    let end = url[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex
    return url[..<end].lowercased()
  }

  /// What to record of an attempt that failed.
  ///
  /// - Parameters:
  ///   - now: when it failed.
  ///   - wish: the moment before which the receiver wants no other (`Retry-After`, RFC 9110,
  ///     section 10.2.3); nil: it said none.
  ///   - chance: 0 up to 1, drawn anew each time.
  package func failure(
    at now: Timestamp, notBefore wish: Timestamp? = nil, on schedule: RetrySchedule = .standardWebhooks,
    chance: Double = .random(in: 0..<1)
  ) -> Result {
    guard let pause = schedule.pause(afterAttempts: attempts + 1, chance: chance) else { return .givenUp }
    return .failed(retryAt: max(now + pause, wish ?? now))
  }
}
