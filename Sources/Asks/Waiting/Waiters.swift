internal import Synchronization

/// Who waits in this process for asks to close. A store wakes them after its commit; nobody looks
/// again and again.
///
/// It holds nothing that another process or a restart would need: whoever asks again reads the store.
/// Thousands may wait, so that none has a task or a timer of its own.
package final class Waiters: Sendable {
  /// Called once when a wait is over, on any thread: with the outcome; with nil when the time was over
  /// or all were released; or with why the store could not be read. It must not wait itself.
  package typealias Completion = @Sendable (Result<ClosedAsk?, any Error>) -> Void

  /// Names one who waits.
  package struct Ticket: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  fileprivate struct Waiter {
    let id: AskID
    /// When its time is over.
    let tick: Int
    let completion: Completion
  }

  fileprivate struct State {
    var last: UInt64 = 0
    var waiting: [Ticket: Waiter] = [:]
    var byAsk: [AskID: Set<Ticket>] = [:]
    var byTick: [Int: Set<Ticket>] = [:]
    /// When the timer rings; nil while nobody waits for it.
    var alarm: Int?
    var timer: Task<Void, Never>?
    /// True when the process stops: nobody is made to wait any more.
    var isReleased = false
  }

  private let state = Mutex(State())
  private let clock: TickClock

  /// - Parameter clock: what deadlines are told by.
  package init(clock: some Clock<Duration> = ContinuousClock()) { self.clock = TickClock(clock) }

  deinit { state.withLock { $0.timer?.cancel() } }

  /// How many wait now.
  package var count: Int { state.withLock { $0.waiting.count } }

  /// Waits until the ask is closed.
  ///
  /// - Parameters:
  ///   - duration: how long at most; up to a tenth of a second is added.
  ///   - look: reads in the store how the ask ended, nil while it is open. It is called once, when
  ///     this waiter is already registered: an outcome that comes meanwhile is not missed.
  package func wait(
    for id: AskID, atMost duration: Duration, look: @escaping @Sendable () async throws -> ClosedAsk?,
    completion: @escaping Completion
  ) -> Ticket {
    let waiter = Waiter(id: id, tick: clock.tick(after: duration), completion: completion)
    let ticket = state.withLock { state in
      let ticket = state.add(waiter)
      ring(nextAt: waiter.tick, &state)
      return ticket
    }
    Task {
      do {
        let closed = try await look()
        if closed != nil || state.withLock({ $0.isReleased }) { end(ticket, with: .success(closed)) }
      } catch {
        end(ticket, with: .failure(error))
      }
    }
    return ticket
  }

  /// Wakes everyone who waits for this ask. Only for what is on the disk.
  package func wake(_ closed: ClosedAsk) {
    let woken = state.withLock { state in
      (state.byAsk[closed.id] ?? []).compactMap { state.remove($0) }
    }
    guard !woken.isEmpty else { return }
    // The store goes on with the next commit.
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

  /// Whoever ends a wait first does: the store's answer, a wake, the timer and a cancellation may come at once.
  private func end(_ ticket: Ticket, with result: Result<ClosedAsk?, any Error>) {
    state.withLock { $0.remove(ticket) }?.completion(result)
  }

  // MARK: The timer

  /// Sees to it that the timer rings at this tick or before.
  private func ring(nextAt tick: Int, _ state: inout State) {
    if let alarm = state.alarm, alarm <= tick { return }
    state.timer?.cancel()
    state.alarm = tick
    state.timer = Task { [weak self, clock] in
      guard (try? await clock.sleep(until: tick)) != nil else { return }
      self?.ring(at: tick)
    }
  }

  private func ring(at tick: Int) {
    let late = state.withLock { state -> [Waiter] in
      // An earlier one was set meanwhile, and will set the next.
      guard state.alarm == tick else { return [] }
      state.alarm = nil
      defer { if let next = state.byTick.keys.min() { ring(nextAt: next, &state) } }
      return (state.byTick[tick] ?? []).compactMap { state.remove($0) }
    }
    for waiter in late { waiter.completion(.success(nil)) }
  }
}

extension Waiters.State {
  fileprivate mutating func add(_ waiter: Waiters.Waiter) -> Waiters.Ticket {
    last += 1
    let ticket = Waiters.Ticket(number: last)
    waiting[ticket] = waiter
    byAsk[waiter.id, default: []].insert(ticket)
    byTick[waiter.tick, default: []].insert(ticket)
    return ticket
  }

  fileprivate mutating func remove(_ ticket: Waiters.Ticket) -> Waiters.Waiter? {
    guard let waiter = waiting.removeValue(forKey: ticket) else { return nil }
    byAsk[waiter.id]?.remove(ticket)
    if byAsk[waiter.id]?.isEmpty == true { byAsk[waiter.id] = nil }
    byTick[waiter.tick]?.remove(ticket)
    if byTick[waiter.tick]?.isEmpty == true { byTick[waiter.tick] = nil }
    return waiter
  }
}
