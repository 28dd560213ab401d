package import Prompts

/// What came of changing an ask.
package enum ChangeResult: Sendable {
  /// The ask as it is now.
  case changed(Ask)
  case alreadyClosed(ClosedAsk)
  case unknown
}

extension AskStore {
  /// Changes who may answer an open ask, or until when. One whose time is over is closed as expired first.
  ///
  /// - Parameters:
  ///   - only: its `for` from now on, or `nil` to leave it as it is.
  ///   - expiresAt: its end from now on, or `nil` to leave it as it is.
  package func change(
    _ id: AskID, for only: [Answerers.Entry]? = nil, expiresAt: Timestamp? = nil
  ) async throws -> ChangeResult {
    while let ask = try await ask(id) {
      if let closed = ask.closed { return .alreadyClosed(closed) }
      var terms = ask.terms
      if let only { terms.answerers.only = only }
      let values: NamedValues = [
        "id": .id(id), "people": terms.columns["people"] ?? .bytes(nil), "revision": .integer(ask.revision),
        "expires_at": .moment(expiresAt ?? ask.expiresAt),
      ]
      let written = try await write(.change, values, locking: [.ask(id.description)])
      if let row = written.first { return .changed(try Ask(row)) }
    }
    return .unknown
  }
}
