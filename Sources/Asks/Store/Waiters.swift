internal import Synchronization

/// The tasks that wait in this process for asks to close. A store wakes them after its commit; nobody polls.
///
/// It holds nothing that another process or a restart would need: a program that asks again reads the store. Thousands
/// may wait, and share one timer.
package final class Waiters: Sendable {
  private struct Waiter {
    let ask: AskID
    /// The moment at which its time is over.
    let tick: Int
    let continuation: CheckedContinuation<ClosedAsk?, any Error>
  }

  private struct Registry {
    var last: UInt64 = 0
    /// By a number that names each.
    var waiting: [UInt64: Waiter] = [:]
    var byAsk: [AskID: Set<UInt64>] = [:]
    /// The moment at which the timer fires, or `nil` while nobody waits for it.
    var nextTick: Int?
    var timer: Task<Void, Never>?
    /// True when the process stops: nobody is made to wait any more.
    var isReleased = false

    mutating func remove(_ number: UInt64) -> Waiter? {
      guard let waiter = waiting.removeValue(forKey: number) else { return nil }
      byAsk[waiter.ask]?.remove(number)
      if byAsk[waiter.ask]?.isEmpty == true { byAsk[waiter.ask] = nil }
      return waiter
    }
  }

  private let state = Mutex(Registry())
  /// Deadlines are tenths of a second since this was made, so that many fall on one moment.
  private static let tick: Duration = .milliseconds(100)
  private let elapsed: @Sendable () -> Duration
  private let sleep: @Sendable (Duration) async throws -> Void

  /// - Parameter clock: what deadlines are told by.
  init(clock: some Clock<Duration> = ContinuousClock()) {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }

  deinit { state.withLock { $0.timer?.cancel() } }

  /// The number of waiting programs.
  package var count: Int { state.withLock { $0.waiting.count } }

  /// True once nobody is made to wait any more: a wait without an outcome is then not to be repeated.
  package var isReleased: Bool { state.withLock { $0.isReleased } }

  /// The asks among `ids` that somebody waits for; with `nil`, all asks that somebody waits for.
  func awaited(among ids: [AskID]? = nil) -> [AskID] {
    state.withLock { state in ids?.filter { state.byAsk[$0] != nil } ?? Array(state.byAsk.keys) }
  }

  /// Suspends the task until the ask is closed.
  ///
  /// - Parameters:
  ///   - duration: how long at most; up to a tenth of a second is added.
  ///   - look: reads in the store how the ask ended, `nil` while it is open. It is called once, when this waiter is
  ///     already registered: an outcome that comes meanwhile is not missed.
  /// - Returns: `nil` if the time was over, the task was cancelled, or all were released.
  /// - Throws: what `look` throws.
  func wait(
    for id: AskID, atMost duration: Duration, look: @escaping @Sendable () async throws -> ClosedAsk?
  ) async throws -> ClosedAsk? {
    let tick = Int(((elapsed() + duration) / Self.tick).rounded(.up))
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        state.withLock { state in
          state.waiting[number] = Waiter(ask: id, tick: tick, continuation: continuation)
          state.byAsk[id, default: []].insert(number)
          startTimer(for: tick, &state)
        }
        // A cancellation that came before found nobody registered.
        if Task.isCancelled { end(number, with: .success(nil)) }
        Task.immediate {
          do {
            let closed = try await look()
            if closed != nil || state.withLock({ $0.isReleased }) { end(number, with: .success(closed)) }
          } catch {
            end(number, with: .failure(error))
          }
        }
      }
    } onCancel: {
      end(number, with: .success(nil))
    }
  }

  /// Wakes everyone who waits for this ask. Only for what is on the disk.
  func wake(_ closed: ClosedAsk) {
    end(with: .success(closed)) { state in state.byAsk[closed.id] ?? [] }
  }

  /// Ends every wait without an outcome, because the process is stopping. A later wait looks once and then ends.
  package func releaseAll() {
    end(with: .success(nil)) { state in
      state.isReleased = true
      return Set(state.waiting.keys)
    }
  }

  private func end(_ number: UInt64, with result: Result<ClosedAsk?, any Error>) { end(with: result) { _ in [number] } }

  /// Only the first end counts: the store's result, a wake, the timer and a cancellation may come at once.
  private func end(with result: Result<ClosedAsk?, any Error>, _ numbers: (inout Registry) -> Set<UInt64>) {
    let ended = state.withLock { state in numbers(&state).compactMap { state.remove($0) } }
    for waiter in ended { waiter.continuation.resume(with: result) }
  }

  // MARK: The timer

  /// Makes sure that the timer fires at this tick or before.
  private func startTimer(for tick: Int, _ state: inout Registry) {
    if let next = state.nextTick, next <= tick { return }
    state.timer?.cancel()
    state.nextTick = tick
    state.timer = Task { [weak self, sleep] in
      guard (try? await sleep(Self.tick * tick)) != nil else { return }
      self?.fire(at: tick)
    }
  }

  private func fire(at tick: Int) {
    end(with: .success(nil)) { state in
      // An earlier one was set meanwhile, and will set the next.
      guard state.nextTick == tick else { return [] }
      state.nextTick = nil
      let late = Set(state.waiting.filter { $0.value.tick <= tick }.keys)
      if let next = state.waiting.values.lazy.map(\.tick).filter({ $0 > tick }).min() { startTimer(for: next, &state) }
      return late
    }
  }
}

extension AskStore {
  /// Waits for the ask to end. Returns how it ended.
  ///
  /// - Parameter duration: how long to wait for it at most; zero or less does not wait.
  /// - Returns: `nil` while it is open.
  /// - Throws: `UnknownAsk` if there is none.
  package func outcome(of id: AskID, atMost duration: Duration) async throws -> ClosedAsk? {
    let look = { @Sendable in
      guard let ask = try await self.ask(id) else { throw UnknownAsk(id: id.description) }
      return ask.closed
    }
    return duration > .zero ? try await waiters.wait(for: id, atMost: duration, look: look) : try await look()
  }
}

/// There is no ask with this id, or no longer.
package struct UnknownAsk: Error, Hashable, Sendable { let id: String }
