extension AskStore {
  /// The closed ask as soon as there is one.
  ///
  /// - Parameter duration: how long to wait for it at most; nothing or less: not at all.
  /// - Returns: nil while it is open, or where there is no such ask.
  public func outcome(
    of id: AskID, among waiters: Waiters, atMost duration: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) async throws -> ClosedAsk? {
    guard duration > .zero else { return try await ask(id)?.closed }
    return try await waiters.wait(for: id, atMost: duration, clock: clock) { try await ask(id)?.closed }
  }
}
