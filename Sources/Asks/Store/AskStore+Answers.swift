package import Prompts

/// What came of keeping an answer to a standing prompt.
package enum AppendResult: Sendable {
  /// A new answer.
  case kept(StandingAnswer.Cursor)
  /// The answer that was kept with this key and body before, and its receipt.
  case existing(StandingAnswer, Receipt?)
  /// The key was used with another body.
  case conflict
}

/// How much of what needs doing a store holds.
package struct StoreStatistics: Sendable, Equatable {
  /// Asks without an outcome.
  package let openAsks: Int
  /// Callbacks that are neither delivered nor given up.
  package let waitingCallbacks: Int
}

extension AskStore {
  /// Keeps an answer to a standing prompt, or finds the one that was kept with this key.
  ///
  /// - Parameters:
  ///   - holdsPasswords: whether the prompt has a password field.
  ///   - subject: what the page that asked says that the answer is about, if anything.
  ///   - receipt: what the answer can be looked up by, if anything.
  package func append(
    _ outcome: Outcome, to prompt: String, about subject: String?, holdsPasswords: Bool, receipt: Receipt?,
    idempotency key: IdempotencyKey?
  ) async throws -> AppendResult {
    let (kept, context) = StandingAnswer.sealed(outcome, about: subject, if: holdsPasswords, with: secrets)
    let fingerprints = key.map { secrets.fingerprints(of: $0, to: prompt) } ?? []
    while true {
      if let found = try await answer(keptWith: fingerprints.dropFirst(), of: fingerprints) { return found }
      let values: [StoreValue] = [
        .text(prompt), .moment(clock.now), .text(context), .bytes(kept.stored), .text(receipt?.description),
        .bytes(fingerprints.first?.key), .bytes(fingerprints.first?.body),
      ]
      if let row = try await write(.append, values, lock: .prompt(prompt)).first {
        return .kept(StandingAnswer.Cursor(position: try row.kept(row.integer("position"))))
      }
      if let found = try await answer(keptWith: fingerprints.prefix(1), of: fingerprints) { return found }
      // It was there, and was removed meanwhile.
      guard key != nil else { throw StoreFault.writeFailed(detail: "an answer was not kept") }
    }
  }

  /// What `append` would find by this key, or `nil` if it would keep an answer.
  package func answer(keptWith key: IdempotencyKey, to prompt: String) async throws -> AppendResult? {
    let fingerprints = secrets.fingerprints(of: key, to: prompt)
    return try await answer(keptWith: fingerprints[...], of: fingerprints)
  }

  private func answer(
    keptWith some: ArraySlice<RequestFingerprint>, of fingerprints: [RequestFingerprint]
  ) async throws -> AppendResult? {
    guard let row = try await row(.answerByKey, some) else { return nil }
    guard Self.matches(row, fingerprints) else { return .conflict }
    return .existing(try StandingAnswer(row), row.text("receipt").flatMap { Receipt($0) })
  }

  /// The answer that this receipt was given for, or `nil` if there is none, or no longer.
  package func answer(for receipt: Receipt) async throws -> StandingAnswer? {
    try await read(.answerByReceipt, .text(receipt.description)).first.map { try StandingAnswer($0) }
  }

  /// Answers to a standing prompt, oldest first.
  ///
  /// - Parameters:
  ///   - cursor: where the last reading ended, or `nil` to read from the first.
  ///   - limit: at most so many.
  ///   - bytes: no more once those before have so many together, as they are kept.
  package func answers(
    to prompt: String, after cursor: StandingAnswer.Cursor?, limit: Int, bytes: Int
  ) async throws -> [StandingAnswer] {
    var (found, size): ([StandingAnswer], Int) = ([], 0)
    // Few at once, and more only while they are small: together they may be larger than what is wanted.
    var count = 1
    while found.count < limit, size < bytes {
      let last = found.last?.cursor ?? cursor
      count = min(limit - found.count, 2 * count, 32)
      let rows = try await read(.answers, .text(prompt), .integer(last?.position ?? 0), .integer(count))
      for answer in try rows.map({ try StandingAnswer($0) }) where size < bytes {
        found.append(answer)
        size += answer.outcome.stored.count
      }
      if rows.count < count { break }
    }
    return found
  }
}

// MARK: Callbacks and upkeep

extension AskStore {
  /// Takes callbacks that are due, for one sender only, those of the longest overdue receiver first.
  ///
  /// - Parameters:
  ///   - limit: at most so many.
  ///   - perOrigin: at most so many on their way to one origin at once, so that a receiver that does not respond
  ///     delays no other.
  ///   - limits: numbers of their own for some origins, 0 for none.
  ///   - lease: how long they belong to the sender: what it has not settled by then is due again.
  package func claimCallbacks(
    limit: Int, perOrigin: Int, limits: [String: Int], lease: Duration
  ) async throws -> [Callback] {
    let now = clock.now
    var receivers = try await read(.receivers, .moment(now))[...]
    var claimed: [Callback] = []
    while claimed.count < limit, !receivers.isEmpty {
      // Side by side, so that they share a transaction; what a receiver does not need is left to the next ones.
      try await withThrowingTaskGroup(of: [Callback].self) { group in
        var room = limit - claimed.count
        while room > 0, let receiver = receivers.popFirst() {
          guard let origin = receiver.text("origin") else { continue }
          let count = min(room, (limits[origin] ?? perOrigin) - Int(receiver.integer("leased") ?? 0))
          guard count > 0 else { continue }
          room -= count
          group.addTask { try await self.claim(count, of: origin, at: now, until: now + lease) }
        }
        for try await callbacks in group { claimed += callbacks }
      }
    }
    return claimed
  }

  private func claim(
    _ count: Int, of origin: String, at now: Timestamp, until end: Timestamp
  ) async throws -> [Callback] {
    var callbacks: [Callback] = []
    for row in try await write(.claim, [.text(origin), .moment(now), .integer(count), .moment(end)]) {
      let id = try AskID(row)
      guard let closed = try await read(.askByID, .id(id)).first.flatMap({ try Ask($0).closed }) else { continue }
      callbacks.append(
        Callback(
          id: id, url: try row.kept(row.text("url")), attempts: Int(row.integer("attempts") ?? 0), closed: closed))
    }
    return callbacks
  }

  /// Records what became of a claimed callback's attempt.
  package func settleCallback(_ callback: Callback, as result: Callback.Result) async throws {
    let (state, retryAt, counts) = result.kept
    _ = try await write(
      .settleCallback,
      [.id(callback.id), .text(state), .integer(counts), .moment(retryAt ?? clock.now), .integer(callback.attempts)],
      lock: .callback(callback.id))
  }

  /// When the next callback is due or its lease ends, or `nil` if none waits.
  package func nextCallback() async throws -> Timestamp? {
    try await read(.nextCallback).first?.timestamp("due_at")
  }

  /// How much there is to do.
  package func statistics() async throws -> StoreStatistics {
    let row = try await read(.statistics).first
    return StoreStatistics(
      openAsks: Int(row?.integer("open") ?? 0), waitingCallbacks: Int(row?.integer("waiting") ?? 0))
  }

  /// Writes something meaningless, all the way to the disk.
  package func tryWrite() async throws { _ = try await write(.tryWrite, [.text(clock.now.description)]) }

  /// Removes asks closed, and answers given, before that moment; asks whose callback is still under way stay.
  ///
  /// - Parameter limit: at most so many of each, so that other writers get their turn.
  /// - Returns: how many were removed; 0 if none is left.
  package func purge(before moment: Timestamp, limit: Int) async throws -> Int {
    let values: [StoreValue] = [.moment(moment), .integer(limit)]
    return try await write(.purgeAsks, values).count + write(.purgeAnswers, values).count
  }

  /// Removes all asks closed and answers given before that moment, in batches with room between them for other writers.
  ///
  /// - Returns: how many were removed.
  package func purgeAll(before moment: Timestamp, batch: Int = 100) async throws -> Int {
    var total = 0
    while !Task.isCancelled, case let count = try await purge(before: moment, limit: batch), count > 0 {
      total += count
      await Task.yield()
    }
    return total
  }
}
