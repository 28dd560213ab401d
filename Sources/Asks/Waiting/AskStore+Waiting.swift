extension AskStore {
  /// How the ask ended; nil while it is open.
  ///
  /// - Throws: `UnknownAsk` where there is none.
  package func outcome(of id: AskID) async throws -> ClosedAsk? {
    guard let ask = try await ask(id) else { throw UnknownAsk() }
    return ask.closed
  }

  /// How the ask ended, as soon as it has.
  ///
  /// - Parameter duration: how long to wait for it at most; nothing or less: not at all.
  /// - Returns: nil while it is open.
  /// - Throws: `UnknownAsk` where there is none.
  package func outcome(of id: AskID, among waiters: Waiters, atMost duration: Duration) async throws -> ClosedAsk? {
    guard duration > .zero else { return try await outcome(of: id) }
    return try await waiters.wait(for: id, atMost: duration) { try await outcome(of: id) }
  }
}

/// There is no ask with this id, or no longer.
package struct UnknownAsk: Error, Hashable, Sendable {}
