package import Prompts

/// The result of ending an ask.
package enum CloseResult: Sendable {
  case closed(ClosedAsk)
  /// Another outcome was first; or the time was over, and this is the expiry.
  case alreadyClosed(ClosedAsk)
  /// It is open, and its time is not over: only for `.expired`.
  case stillOpen
  /// It is open, and this person may not answer it.
  case notAllowed
  case unknown
}

package extension AskStore {
  /// Ends an ask: see `close(_:as:idempotency:)` for one that was read.
  func close(
    _ id: AskID, as ended: Ended, idempotency key: IdempotencyKey? = nil
  ) async throws -> CloseResult {
    guard let row = try await read(.askByID, ["id": .id(id)]).first else { return .unknown }
    return try await close(try Ask(row), as: ended, idempotency: key)
  }

  /// Ends an ask that was read before. The first outcome wins; its callback is queued in the same transaction.
  ///
  /// An outcome that comes when the time is over closes the ask as expired. `.expired` itself closes only an ask whose
  /// time is over.
  ///
  /// - Parameter key: the key of the person's request, by which it is known again: see `SecretBox.hasEnded`.
  func close(
    _ ask: Ask, as ended: Ended, idempotency key: IdempotencyKey? = nil
  ) async throws -> CloseResult {
    var ask = ask
    while true {
      if let closed = ask.closed { return .alreadyClosed(closed) }
      let now = clock.now
      let isDue = ask.expiresAt <= now
      if ended.outcome == .expired, !isDue { return .stillOpen }
      let end = isDue ? Ended(.expired) : ended
      let answerer = ask.terms.answerer(of: end)
      if answerer != nil, !ask.terms.admit(end.by?.person) { return .notAllowed }
      let closed = ClosedAsk(ask, as: end, at: now, with: secrets, key: isDue ? nil : key)
      if try await write(closed, of: ask, answeredBy: answerer) {
        waiters.wake(closed)
        if ask.terms.callback != nil || ask.terms.notices != nil { deliverySignal.wake() }
        return closed.outcome == ended.outcome.kind ? .closed(closed) : .alreadyClosed(closed)
      }
      // Another outcome was first, and it is committed: the update waited for that. Or the ask was changed, or somebody
      // answered another ask who may not answer this one.
      guard let row = try await read(.askByID, ["id": .id(ask.id)]).first else { return .unknown }
      let found = try Ask(row)
      if found.isOpen, found.revision == ask.revision { return .notAllowed }
      ask = found
    }
  }

  /// - Returns: whether the ask was open, as it had been read, and no other ask is in the way.
  private func write(_ closed: ClosedAsk, of ask: Ask, answeredBy answerer: String?) async throws -> Bool {
    let id = ask.id.description
    // The older of two that are kept apart is locked by both: by the younger because it names it.
    let others = ask.terms.apartFrom.map { StoreLock.ask($0) }
    let values = closed.columns.merging([
      "id": .text(id), "revision": .integer(ask.revision), "answered_by": .text(answerer),
      "url": .text(ask.terms.callback), "origin": .text(ask.terms.callback.map { CallbackURL.origin(of: $0) }),
    ])
    return try await !write(ask.revision == nil ? .close : .closeApart, values, locking: [.ask(id)] + others).isEmpty
  }

  /// The program takes its question back.
  func withdraw(_ id: AskID) async throws -> CloseResult { try await close(id, as: Ended(.withdrawn)) }

  /// Closes asks whose time is over, the longest overdue first. One that cannot be read or closed keeps no other open.
  ///
  /// - Parameter limit: how many to close at most, so that other writers get their turn.
  /// - Returns: how many were closed; if that is `limit`, there may be more.
  func expireDue(limit: Int) async throws -> Int {
    try await database.inspect()
    let due = try await read(.due, ["now": .moment(clock.now), "limit": .integer(limit)])
    let results = await due.sideBySide { row in
      if case .closed = try await self.close(try Ask(row), as: Ended(.expired)) { 1 } else { 0 }
    }
    return try results.reduce(0) { try $0 + $1.get() }
  }
}

/// What became of a result that a program gave.
package enum FinishResult: Sendable {
  /// It is kept; or the same was kept before, and `isNew` is false.
  case finished(ClosedAsk, isNew: Bool)
  /// Another one was first.
  case otherResult(AskResult)
  /// The ask is open, or ended without an answer.
  case notAnswered(Outcome.Kind?)
  case unknown
}

extension AskStore {
  /// Keeps what a program did after an answer. The first result wins; what it changes of callbacks and notices is queued in
  /// the same transaction.
  package func finish(_ id: AskID, as result: AskResult) async throws -> FinishResult {
    while let ask = try await ask(id) {
      guard let closed = ask.closed, closed.wasAnswered else {
        return .notAnswered(ask.closed?.outcome)
      }
      if closed.result != nil {
        guard let first = try secrets.result(of: closed, at: nil) else {
          throw StoreFault("read-failed", ["detail": "a result is not known"])
        }
        return first.saysTheSame(as: result) ? .finished(closed, isNew: false) : .otherResult(first)
      }
      let now = clock.now, url = closed.resultWithin == nil ? nil : ask.terms.callback
      let json = AskResult(result.status, result.text, at: now).json.bytes
      let kept = secrets.seal(json, context: SecretBox.context(.result, of: id), if: ask.holdsPasswords)
      let values: NamedValues = [
        "id": .id(id), "result": .bytes(kept.stored), "at": .moment(now), "url": .text(url),
        "origin": .text(url.map { CallbackURL.origin(of: $0) }),
      ]
      guard try await !write(.finish, values, locking: [.positions, .ask(id.description)]).isEmpty else { continue }
      deliverySignal.wake()
      var finished = closed
      finished.result = kept
      return .finished(finished, isNew: true)
    }
    return .unknown
  }
}

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
      let now = clock.now, notices = changed.notices(through: channels, at: now)
      let values: NamedValues = [
        "id": .id(id), "people": changed.terms.columns["people"] ?? .bytes(nil), "revision": .integer(ask.revision),
        "expires_at": .moment(changed.expiresAt), "notices": .text(String(decoding: notices, as: UTF8.self)),
        "moved": .flag(changed.expiresAt != ask.expiresAt), "now": .moment(now),
      ]
      let written = try await write(.change, values, locking: [.ask(id.description)])
      if ask.terms.notices != nil { deliverySignal.wake() }
      if let row = written.first { return .changed(try Ask(row)) }
    }
    return .unknown
  }
}
