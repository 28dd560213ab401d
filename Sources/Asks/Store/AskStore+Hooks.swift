package import Prompts

/// An ask about a call of a coding agent, of which events of the agent may still tell.
package struct HookedAsk: Sendable {
  package let id: AskID
  /// `AGENT/CALL`, as the ask was made.
  package let hook: String
  /// `nil` while it is open.
  package let outcome: Outcome.Kind?
}

extension AskStore {
  /// The asks about calls of an agent that are not over, oldest first.
  ///
  /// - Parameter agent: hexadecimal digits.
  package func asks(ofAgent agent: String) async throws -> [HookedAsk] {
    try await read(.asksOfAgent, ["agent": .text(agent)]).map { row in
      HookedAsk(
        id: try AskID(row), hook: try row.kept(row.text("hook")),
        outcome: row.text("outcome").flatMap(Outcome.Kind.init))
    }
  }

  /// Notes that the call is over which an ask is about.
  ///
  /// - Returns: false if that was noted before.
  package func endCall(of id: AskID) async throws -> Bool {
    try await !write(.endCall, ["id": .id(id)], locking: [.ask(id.description)]).isEmpty
  }
}
