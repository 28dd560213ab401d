/// One closed ask on its way to the program's URL.
public struct Callback: Sendable {
  /// The ask's id. It is the same at every attempt, so it serves as `webhook-id`.
  public let id: AskID
  public let url: String
  /// How often it was tried before this time.
  public let attempts: Int
  /// The body to send, and every reader's bytes too.
  public let closed: ClosedAsk

  /// What became of an attempt.
  public enum Result: Sendable, Equatable {
    case delivered
    /// Try again at that moment.
    case failed(retryAt: Timestamp)
    /// The receiver wants no more (`410`), or the schedule is at its end.
    case givenUp
  }
}
