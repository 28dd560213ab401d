package import Prompts

/// The result of changing an ask.
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
  ///   - channels: tell who was added, and remind at the new time.
  package func change(
    _ id: AskID, for only: [Answerers.Entry]? = nil, expiresAt: Timestamp? = nil,
    through channels: [Channel] = []
  ) async throws -> ChangeResult {
    while let ask = try await ask(id) {
      if let closed = ask.closed { return .alreadyClosed(closed) }
      var changed = ask
      if let only { changed.terms.answerers.only = only }
      if let expiresAt { changed.expiresAt = expiresAt }
      let notices = changed.notices(through: channels, at: clock.now)
      let values: NamedValues = [
        "id": .id(id), "people": changed.terms.columns["people"] ?? .bytes(nil), "revision": .integer(ask.revision),
        "expires_at": .moment(changed.expiresAt), "notices": .text(String(decoding: notices, as: UTF8.self)),
      ]
      let written = try await write(.change, values, locking: [.ask(id.description)])
      if ask.terms.notices != nil { deliverySignal.wake() }
      if let row = written.first { return .changed(try Ask(row)) }
    }
    return .unknown
  }
}
