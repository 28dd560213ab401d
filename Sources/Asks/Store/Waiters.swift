internal import Synchronization

/// Who waits in this process for asks to close. A store wakes them after its commit; nobody polls.
///
/// It holds nothing that another process or a restart would need: a program that asks again reads the store. Thousands
/// may wait, so none has a task or a timer of its own.
package final class Waiters: Sendable {
  /// Called once when a wait is over, on any thread: with the outcome; with `nil` if the time was over or all were
  /// released; or with why the store could not be read. It must not block.
  package typealias Completion = @Sendable (Result<ClosedAsk?, any Error>) -> Void

  /// Names one who waits.
  package struct Ticket: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  private struct Waiter {
    let ask: AskID
    /// When its time is over.
    let tick: Int
    let completion: Completion
  }

  private struct State {
    var last: UInt64 = 0
    var waiting: [Ticket: Waiter] = [:]
    var byAsk: [AskID: Set<Ticket>] = [:]
    /// When the timer fires, or `nil` while nobody waits for it.
    var nextTick: Int?
    var timer: Task<Void, Never>?
    /// True when the process stops: nobody is made to wait any more.
    var isReleased = false

    mutating func add(_ waiter: Waiter) -> Ticket {
      last += 1
      let ticket = Ticket(number: last)
      waiting[ticket] = waiter
      byAsk[waiter.ask, default: []].insert(ticket)
      return ticket
    }

    mutating func remove(_ ticket: Ticket) -> Waiter? {
      guard let waiter = waiting.removeValue(forKey: ticket) else { return nil }
      byAsk[waiter.ask]?.remove(ticket)
      if byAsk[waiter.ask]?.isEmpty == true { byAsk[waiter.ask] = nil }
      return waiter
    }
  }

  private let state = Mutex(State())
  private let clock: TickClock

  /// - Parameter clock: what deadlines are told by.
  package init(clock: some Clock<Duration> = ContinuousClock()) { self.clock = TickClock(clock) }

  deinit { state.withLock { $0.timer?.cancel() } }

  /// How many wait now.
  package var count: Int { state.withLock { $0.waiting.count } }

  /// The asks that somebody waits for.
  var awaited: [AskID] { state.withLock { Array($0.byAsk.keys) } }

  /// Those of these asks that somebody waits for.
  func awaited(among ids: [AskID]) -> [AskID] { state.withLock { state in ids.filter { state.byAsk[$0] != nil } } }

  /// Waits until the ask is closed.
  ///
  /// - Parameters:
  ///   - duration: how long at most; up to a tenth of a second is added.
  ///   - look: reads in the store how the ask ended, `nil` while it is open. It is called once, when this waiter is
  ///     already registered: an outcome that comes meanwhile is not missed.
  package func wait(
    for id: AskID, atMost duration: Duration, look: @escaping @Sendable () async throws -> ClosedAsk?,
    completion: @escaping Completion
  ) -> Ticket {
    let waiter = Waiter(ask: id, tick: clock.tick(after: duration), completion: completion)
    let ticket = state.withLock { state in
      let ticket = state.add(waiter)
      startTimer(for: waiter.tick, &state)
      return ticket
    }
    Task.immediate {
      do {
        let closed = try await look()
        if closed != nil || state.withLock({ $0.isReleased }) { end(ticket, with: .success(closed)) }
      } catch {
        end(ticket, with: .failure(error))
      }
    }
    return ticket
  }

  /// Suspends the task until the ask is closed; otherwise as `wait(for:atMost:look:completion:)`.
  ///
  /// - Returns: `nil` if the time was over, the task was cancelled, or all were released.
  /// - Throws: what `look` throws.
  package func wait(
    for id: AskID, atMost duration: Duration, look: @escaping @Sendable () async throws -> ClosedAsk?
  ) async throws -> ClosedAsk? {
    let registered = Mutex<Ticket?>(nil)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let ticket = wait(for: id, atMost: duration, look: look) { continuation.resume(with: $0) }
        registered.withLock { $0 = ticket }
        // A cancellation that came before found nobody registered.
        if Task.isCancelled { release(ticket) }
      }
    } onCancel: {
      if let ticket = registered.withLock({ $0 }) { release(ticket) }
    }
  }

  /// Wakes everyone who waits for this ask. Only for what is on the disk.
  package func wake(_ closed: ClosedAsk) {
    let woken = state.withLock { state in
      (state.byAsk[closed.id] ?? []).compactMap { state.remove($0) }
    }
    guard !woken.isEmpty else { return }
    // In a task of its own, so that the store goes on with the next commit.
    Task { for waiter in woken { waiter.completion(.success(closed)) } }
  }

  /// Ends one wait without an outcome, if it goes on.
  package func release(_ ticket: Ticket) { end(ticket, with: .success(nil)) }

  /// Ends every wait without an outcome, and those to come once they have looked: the process stops.
  package func releaseAll() {
    let released = state.withLock { state in
      state.isReleased = true
      return state.waiting.keys.compactMap { state.remove($0) }
    }
    for waiter in released { waiter.completion(.success(nil)) }
  }

  /// Only the first end counts: the store's result, a wake, the timer and a cancellation may come at once.
  private func end(_ ticket: Ticket, with result: Result<ClosedAsk?, any Error>) {
    state.withLock { $0.remove(ticket) }?.completion(result)
  }

  // MARK: The timer

  /// Makes sure that the timer fires at this tick or before.
  private func startTimer(for tick: Int, _ state: inout State) {
    if let next = state.nextTick, next <= tick { return }
    state.timer?.cancel()
    state.nextTick = tick
    state.timer = Task { [weak self, clock] in
      guard (try? await clock.sleep(until: tick)) != nil else { return }
      self?.fire(at: tick)
    }
  }

  private func fire(at tick: Int) {
    let late = state.withLock { state -> [Waiter] in
      // An earlier one was set meanwhile, and will set the next.
      guard state.nextTick == tick else { return [] }
      state.nextTick = nil
      defer { if let next = state.waiting.values.lazy.map(\.tick).min() { startTimer(for: next, &state) } }
      return state.waiting.filter { $0.value.tick <= tick }.keys.compactMap { state.remove($0) }
    }
    for waiter in late { waiter.completion(.success(nil)) }
  }
}

/// Counts tenths of a second from its making, so that many deadlines fall on one moment.
private struct TickClock: Sendable {
  private static let tick: Duration = .milliseconds(100)

  private let elapsed: @Sendable () -> Duration
  private let sleep: @Sendable (Duration) async throws -> Void

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }

  /// The first tick that is not before the end of this duration from now.
  func tick(after duration: Duration) -> Int { Int(((elapsed() + duration) / Self.tick).rounded(.up)) }

  /// - Throws: `CancellationError`.
  func sleep(until tick: Int) async throws { try await sleep(Self.tick * tick) }
}

extension AskStore {
  /// How the ask ended, as soon as it has.
  ///
  /// - Parameter duration: how long to wait for it at most; zero or less does not wait.
  /// - Returns: `nil` while it is open.
  /// - Throws: `UnknownAsk` if there is none.
  package func outcome(of id: AskID, among waiters: Waiters, atMost duration: Duration) async throws -> ClosedAsk? {
    guard duration > .zero else { return try await outcome(of: id) }
    return try await waiters.wait(for: id, atMost: duration) { try await self.outcome(of: id) }
  }
}

/// There is no ask with this id, or no longer.
package struct UnknownAsk: Error, Hashable, Sendable {}
