internal import Asks
internal import MicroHTTP
internal import Synchronization

/// Finds out if this server can keep its promises now: an answer that it accepts must reach the disk.
final class Readiness: Sendable {
  private struct Check {
    let began: ContinuousClock.Instant
    var hasEnded = false
    let obstacle: Task<Problem?, Never>
  }

  private let store: AskStore
  /// The time for which a check is valid. Anybody may ask, and the disk is not busier however often they do.
  private let interval: Duration
  private static let patience: Duration = .milliseconds(1500)
  private let latest = Mutex<Check?>(nil)
  private let stopping = Atomic(false)
  /// True once the server lets its requests end.
  var isStopping: Bool { stopping.load(ordering: .relaxed) }

  init(_ store: AskStore, interval: Duration = .seconds(1)) {
    self.store = store
    self.interval = interval
  }

  /// It is not ready any more, whatever its store says.
  func stop() { stopping.store(true, ordering: .relaxed) }

  /// The obstacle that keeps the server from accepting answers, or `nil` if there is none.
  ///
  /// It tries the store with a write that reaches the disk. A server that is not ready gets no requests, so without
  /// this write nobody would notice that a failed store has recovered.
  func obstacle() async -> Problem? {
    if isStopping { return Problem("database-unavailable.stopping") }
    let now = ContinuousClock.now
    let check = latest.withLock { latest in
      if let current = latest, !current.hasEnded || current.began + interval > now { return current }
      let next = Check(began: now, obstacle: checking())
      latest = next
      return next
    }
    if let obstacle = await check.obstacle.value { return obstacle }
    // A write that failed since then is known without another.
    if let fault = store.fault { return Self.problem("\(fault)") }
    return nil
  }

  /// Whoever asks must hear in time of a database that does not respond.
  private func checking() -> Task<Problem?, Never> {
    let (obstacles, found) = AsyncStream.makeStream(of: Problem?.self)
    Task { found.yield(await tryStore()) }
    Task {
      try? await Task.sleep(for: Self.patience)
      found.yield(Self.problem("the database does not respond"))
    }
    return Task {
      for await obstacle in obstacles { return obstacle }
      return nil
    }
  }

  private func tryStore() async -> Problem? {
    defer { latest.withLock { $0?.hasEnded = true } }
    do { try await store.tryWrite() } catch { return Self.problem("\(error)") }
    return nil
  }

  private static func problem(_ why: String) -> Problem { Problem("database-unavailable.answers", ["why": why]) }

  /// `GET /healthz`: the process is alive.
  func alive(_ visit: Visit) throws(Problem) -> Eventual<Response> { .now(Self.ok) }

  /// `GET /readyz`: whether to send it requests; a server that is stopping says 503.
  func ready(_ visit: Visit) throws(Problem) -> Eventual<Response> {
    .later { () throws(Problem) in
      guard let obstacle = await self.obstacle() else { return Self.ok }
      throw obstacle
    }
  }

  private static let ok = Response.json(Array(#"{"status":"ok"}"#.utf8))
}
