internal import Asks
internal import Synchronization

/// Whether this server can keep its promises now: an answer that it takes must reach the disk.
final class Readiness: Sendable {
  private struct Check {
    let began: ContinuousClock.Instant
    var hasEnded = false
    let finding: Task<String?, Never>
  }

  private let store: any AskStore
  /// How long a finding stands. Whoever asks more often, and anybody may, costs the disk nothing.
  private let interval: Duration
  private let latest = Mutex<Check?>(nil)
  private let isStopping = Atomic(false)

  init(_ store: any AskStore, interval: Duration = .seconds(1)) {
    self.store = store
    self.interval = interval
  }

  /// It is not ready any more, whatever its store says.
  func stop() { isStopping.store(true, ordering: .relaxed) }

  /// What keeps the server from taking answers, as a sentence; nil: nothing.
  ///
  /// The store is tried by a write that reaches the disk: one that failed before would never be seen
  /// to be well again, since a server that is not ready gets nothing to write.
  func obstacle() async -> String? {
    if isStopping.load(ordering: .relaxed) { return "The server is stopping." }
    let now = ContinuousClock.now
    let check = latest.withLock { latest in
      if let current = latest, !current.hasEnded || current.began + interval > now { return current }
      let next = Check(began: now, finding: Task { await self.tryStore() })
      latest = next
      return next
    }
    if let obstacle = await check.finding.value { return obstacle }
    // A write that failed since then is known without another.
    if case .unhealthy(let fault) = store.health { return Self.sentence(fault) }
    return nil
  }

  private func tryStore() async -> String? {
    defer { latest.withLock { $0?.hasEnded = true } }
    do {
      try await store.tryWrite()
      return nil
    } catch {
      return Self.sentence(error)
    }
  }

  private static func sentence(_ error: any Error) -> String { "No answer can be kept: \(error)." }
}
