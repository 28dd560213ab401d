package import Prompts

/// An ask about a call of a coding agent, of which events of the agent may still tell.
package struct HookedAsk: Sendable {
  package let id: AskID
  /// `nil` while it is open.
  package let outcome: Outcome.Kind?
  /// The key of its call, and more if several such calls were under way at once.
  package let hook: String
}

package extension AskStore {
  /// The asks about calls of a coding agent that are not over, oldest first.
  ///
  /// - Parameter key: `SESSION`, `SESSION/AGENT` or `SESSION/AGENT/CALL`.
  func asks(underHook key: String) async throws -> [HookedAsk] {
    try await read(.asksUnderHook, ["key": .text(key)]).map { row in
      HookedAsk(
        id: try AskID(row), outcome: row.text("outcome").flatMap(Outcome.Kind.init),
        hook: row.text("hook") ?? "")
    }
  }

  /// Notes that a call like the one that an ask is about is under way too: what is said of one of them may be about the
  /// other.
  ///
  /// - Parameter key: of the calls.
  func mixUpCall(of id: AskID, _ key: String) async throws {
    _ = try await write(.mixUpCall, ["id": .id(id), "key": .text(key)], locking: [.ask(id.description)])
  }

  /// Notes that the call is over which an ask is about.
  ///
  /// - Returns: false if that was noted before.
  func endCall(of id: AskID) async throws -> Bool {
    try await !write(.endCall, ["id": .id(id)], locking: [.ask(id.description)]).isEmpty
  }
}
