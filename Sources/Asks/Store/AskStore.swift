package import Prompts

/// Where asks, answers and callbacks are kept.
///
/// Several servers can share a store that all of them can reach: whatever must outlive a process, or be known to another
/// one, is in the store. What a method returns is on the disk first.
///
/// Every method throws `StoreFault`; after one, nothing of that call is acknowledged.
package protocol AskStore: Sendable {
  /// Opens what this store sealed.
  var secrets: SecretBox { get }

  /// By which it decides what is due: one for all servers that share the store.
  var clock: WallClock { get }

  /// Whether the store can acknowledge writes now.
  var health: StoreHealth { get }

  /// Wakes the sender when this process has queued a callback.
  var callbackSignal: WakeSignal { get }

  /// Makes an ask, or finds the one that was made with this key.
  func create(_ draft: AskDraft, idempotency: IdempotencyKey?) async throws -> CreateResult

  /// Lets go of the key that an ask was made with: the next request with it makes a new ask. Nothing if it had none.
  func releaseKey(of id: AskID) async throws

  /// The ask of that id, or `nil` if there is none. One whose time is over is closed as expired first.
  func ask(_ id: AskID) async throws -> Ask?

  /// How the ask ended, or `nil` while it is open. One whose time is over is closed as expired first.
  ///
  /// - Throws: `UnknownAsk` if there is none.
  func outcome(of id: AskID) async throws -> ClosedAsk?

  /// The ask that this token's link leads to, or `nil` if there is none. Otherwise as `ask(_:)`.
  func ask(linkedBy token: LinkToken) async throws -> Ask?

  /// What `asks(areOpen:of:after:limit:)` reads of the open ones or of the closed ones.
  func asks(areOpen: Bool, of prompt: String?, after cursor: ListedAsk.Cursor, limit: Int) async throws -> [ListedAsk]

  /// Ends an ask. The first outcome wins; its callback is queued in the same transaction.
  ///
  /// An outcome that comes when the time is over closes the ask as expired. `.expired` itself closes only an ask whose
  /// time is over.
  ///
  /// - Parameter idempotency: the key of the person's request, by which it is known again: see `SecretBox.hasEnded`.
  func close(_ id: AskID, as outcome: Outcome, idempotency: IdempotencyKey?) async throws -> CloseResult

  /// Closes asks whose time is over, the longest overdue first.
  ///
  /// - Parameter limit: at most so many, so that other writers get their turn.
  /// - Returns: how many were closed; if that is `limit`, there may be more.
  func expireDue(limit: Int) async throws -> Int

  /// When the next open ask's time is over, or `nil` if none is open.
  func nextExpiry() async throws -> Timestamp?

  /// Keeps an answer to a standing prompt, or finds the one that was kept with this key.
  ///
  /// - Parameters:
  ///   - holdsPasswords: whether the prompt has a password field.
  ///   - subject: what the page that asked says that the answer is about, if anything.
  ///   - receipt: what the answer can be looked up by, if anything.
  func append(
    _ outcome: Outcome, to prompt: String, about subject: String?, holdsPasswords: Bool, receipt: Receipt?,
    idempotency: IdempotencyKey?
  ) async throws -> AppendResult

  /// What `append` would find by this key, or `nil` if it would keep an answer.
  func answer(keptWith key: IdempotencyKey, to prompt: String) async throws -> AppendResult?

  /// The answer that this receipt was given for, or `nil` if there is none, or no longer.
  func answer(for receipt: Receipt) async throws -> StandingAnswer?

  /// Answers to a standing prompt, oldest first.
  ///
  /// - Parameters:
  ///   - cursor: where the last reading ended, or `nil` to read from the first.
  ///   - limit: at most so many.
  ///   - bytes: no more once those before have so many together, as they are kept.
  func answers(to prompt: String, after cursor: StandingAnswer.Cursor?, limit: Int, bytes: Int) async throws
    -> [StandingAnswer]

  /// Takes callbacks that are due, for one sender only.
  ///
  /// - Parameters:
  ///   - limit: at most so many.
  ///   - perOrigin: at most so many on their way to one origin at once, so that a receiver that does not respond
  ///     delays no other.
  ///   - limits: numbers of their own for some origins, 0 for none.
  ///   - lease: how long they belong to the sender: what it has not settled by then is due again.
  func claimCallbacks(limit: Int, perOrigin: Int, limits: [String: Int], lease: Duration) async throws -> [Callback]

  /// Records what became of a claimed callback's attempt.
  func settleCallback(_ callback: Callback, as result: Callback.Result) async throws

  /// When the next callback is due or its lease ends, or `nil` if none waits.
  func nextCallback() async throws -> Timestamp?

  /// How much there is to do.
  func statistics() async throws -> StoreStatistics

  /// Writes something meaningless, all the way to the disk.
  func tryWrite() async throws

  /// Removes asks closed, and answers given, before that moment; asks whose callback is still under way stay.
  ///
  /// - Parameter limit: at most so many of each, so that other writers get their turn.
  /// - Returns: how many were removed; 0 if none is left.
  func purge(before moment: Timestamp, limit: Int) async throws -> Int

  /// Finishes what waits and lets go of the database; every later call throws `.closed`.
  func close() async throws
}

/// What came of making an ask.
package enum CreateResult: Sendable {
  /// A new ask.
  case created(Ask, LinkToken)
  /// The ask that was made with this key and body before. There is no token once the ask is closed.
  case existing(Ask, LinkToken?)
  /// The key was used with another body.
  case conflict
}

/// What came of ending an ask.
package enum CloseResult: Sendable {
  case closed(ClosedAsk)
  /// Another outcome was first; or the time was over, and this is the expiry.
  case alreadyClosed(ClosedAsk)
  /// It is open, and its time is not over: only for `.expired`.
  case stillOpen
  case unknown
}

/// What came of keeping an answer.
package enum AppendResult: Sendable {
  /// A new answer.
  case kept(StandingAnswer.Cursor)
  /// The answer that was kept with this key and body before, and its receipt.
  case existing(StandingAnswer, Receipt?)
  /// The key was used with another body.
  case conflict
}

extension AskStore {
  /// Ends an ask by something that has no idempotency key.
  package func close(_ id: AskID, as outcome: Outcome) async throws -> CloseResult {
    try await close(id, as: outcome, idempotency: nil)
  }

  /// The program takes its question back.
  package func withdraw(_ id: AskID) async throws -> CloseResult { try await close(id, as: .withdrawn) }

  /// Removes all asks closed and answers given before that moment, in batches with room between them for other writers.
  ///
  /// - Returns: how many were removed.
  package func purgeAll(before moment: Timestamp, batch: Int = 100) async throws -> Int {
    var total = 0
    while !Task.isCancelled {
      let count = try await purge(before: moment, limit: batch)
      if count == 0 { break }
      total += count
      await Task.yield()
    }
    return total
  }
}

/// How much of what needs doing a store holds.
package struct StoreStatistics: Sendable, Equatable {
  /// Asks without an outcome.
  package let openAsks: Int
  /// Callbacks that are neither delivered nor given up.
  package let waitingCallbacks: Int
}
