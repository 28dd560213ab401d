/// What a handler does with a request.
public enum Reply: Sendable {
  /// Answered where it was asked, on the server's own thread: for whatever does not wait.
  case now(Response)
  /// The connection rests while this runs as a task, and is then answered. The
  /// task is cancelled when the server stops before it ends; that the peer has
  /// gone is found out only when the answer is sent.
  case later(@Sendable () async -> Response)
  /// Answered by the server's `refuse`.
  case refused(Refusal)
}
