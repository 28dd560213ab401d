/// What a handler does with a request.
public enum Reply: Sendable {
  /// Answered where it was asked, on the server's own thread: for whatever does not wait.
  case now(Response)
  /// The connection rests while this runs as a task, and is then answered. The
  /// task is cancelled when the server stops before it ends, and when the peer
  /// leaves: at once when it resets the connection, after
  /// `Deadlines.halfClosed` when it closes its side of it. A peer that closed
  /// one side alone still gets what a cancelled task comes to.
  case later(@Sendable () async -> Response)
  /// Answered by the server's `refuse`.
  case refused(Refusal)
}
