internal import Synchronization

/// Wakes those who wait in this process for asks that another one closed.
///
/// The fast way is LISTEN. The sure way is a look at what has changed, for all of them together, once a second while
/// somebody waits.
final class PostgreSQLWaking: Sendable {
  private struct State {
    /// The last look's snapshot of the database, or `nil` if what happened before the next one is not known.
    var snapshot: String?
    var isLooking = false
  }

  private let client: PostgreSQLClient
  private let waiters: Waiters
  private let state = Mutex(State())

  init(_ client: PostgreSQLClient, _ waiters: Waiters) { (self.client, self.waiters) = (client, waiters) }

  /// Called on the client's thread, which must not wait.
  func handle(_ event: PostgreSQLClient.Event) {
    switch event {
    case .notified(let ids):
      let ids = waiters.awaited(among: ids)
      if !ids.isEmpty { Task { try? await wake(ids) } }
    case .connected: look(anew: true)
    case .tick: look(anew: waiters.count == 0)
    }
  }

  /// - Parameter anew: whether something may have been missed.
  private func look(anew: Bool) {
    let begins = state.withLock { state in
      if anew { state.snapshot = nil }
      guard !state.isLooking, waiters.count > 0 else { return false }
      state.isLooking = true
      return true
    }
    guard begins else { return }
    Task {
      // One that fails is made up for by the next.
      try? await look()
      state.withLock { $0.isLooking = false }
    }
  }

  private func look() async throws {
    let last = state.withLock(\.snapshot)
    let row = try await client.perform(StoreCall(statement: .changes, values: [.text(last)]), .reads).first
    // Without a snapshot, or if the database is another one since a failover, each who waits is looked after.
    let ids =
      last == nil
      ? waiters.awaited : (row?.text("ids") ?? "").split(separator: ",").compactMap { AskID(String($0)) }
    try await wake(waiters.awaited(among: ids))
    state.withLock { state in
      // A connection that came meanwhile has forgotten it.
      if state.snapshot == last { state.snapshot = row?.text("snapshot") }
    }
  }

  private func wake(_ ids: [AskID]) async throws {
    for start in stride(from: 0, to: ids.count, by: 1000) {
      let part = ids[start..<min(ids.count, start + 1000)]
      for row in try await client.perform(StoreCall(statement: .endings, values: [.ids(part)]), .reads) {
        let id = try AskID(row)
        if let closed = try ClosedAsk(row, id: id) { waiters.wake(closed) }
      }
    }
  }
}
