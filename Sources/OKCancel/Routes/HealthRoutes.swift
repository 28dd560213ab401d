internal import Asks
internal import MicroHTTP
internal import Synchronization

/// `/healthz` says that the process is alive, `/readyz` whether to send it requests; a server that is stopping says 503.
struct HealthRoutes: Sendable {
  let readiness: Readiness

  func alive(_ request: Request) throws(Problem) -> Reply { .now(Self.ok) }

  func ready(_ request: Request) throws(Problem) -> Reply {
    .later { () throws(Problem) in
      guard let obstacle = await readiness.obstacle() else { return Self.ok }
      throw Problem(.notReady(obstacle))
    }
  }

  private static let ok = Response.json(Array(#"{"status":"ok"}"#.utf8))
}

/// Whether this server can keep its promises now: an answer that it accepts must reach the disk.
final class Readiness: Sendable {
  private struct Check {
    let began: ContinuousClock.Instant
    var hasEnded = false
    let obstacle: Task<String?, Never>
  }

  private let store: AskStore
  /// How long a check is valid. However often somebody asks, and anybody may, the disk is not busier.
  private let interval: Duration
  private let latest = Mutex<Check?>(nil)
  private let stopping = Atomic(false)
  /// Whether the server lets its requests end.
  var isStopping: Bool { stopping.load(ordering: .relaxed) }

  init(_ store: AskStore, interval: Duration = .seconds(1)) {
    self.store = store
    self.interval = interval
  }

  /// It is not ready any more, whatever its store says.
  func stop() { stopping.store(true, ordering: .relaxed) }

  /// What keeps the server from accepting answers, as a sentence, or `nil` if nothing does.
  ///
  /// The store is tried by a write that reaches the disk. Without it a store that failed would never be seen to have
  /// recovered, since a server that is not ready gets nothing to write.
  func obstacle() async -> String? {
    if isStopping { return "The server is stopping." }
    let now = ContinuousClock.now
    let check = latest.withLock { latest in
      if let current = latest, !current.hasEnded || current.began + interval > now { return current }
      let next = Check(began: now, obstacle: Task { await self.tryStore() })
      latest = next
      return next
    }
    if let obstacle = await check.obstacle.value { return obstacle }
    // A write that failed since then is known without another.
    if case .unhealthy(let fault) = store.health { return Self.sentence(fault) }
    return nil
  }

  private func tryStore() async -> String? {
    defer { latest.withLock { $0?.hasEnded = true } }
    do { try await store.tryWrite() } catch { return Self.sentence(error) }
    return nil
  }

  private static func sentence(_ error: any Error) -> String { "No answer can be kept: \(error)." }
}
