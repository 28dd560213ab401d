internal import Synchronization

/// Who waits in this process for asks to close. A store wakes them after its commit; nobody looks
/// again and again.
///
/// It holds nothing that another process or a restart would need: whoever asks again reads the store.
public final class Waiters: Sendable {
  /// One who waits: first looking in the store, then suspended.
  fileprivate enum Waiter {
    case looking
    /// Woken before it was suspended.
    case woken(ClosedAsk?)
    case suspended(CheckedContinuation<ClosedAsk?, Never>)
  }

  fileprivate struct State {
    var next: UInt64 = 0
    var waiting: [AskID: [UInt64: Waiter]] = [:]
    var count = 0
  }

  private let state = Mutex(State())

  public init() {}

  /// How many wait now.
  public var count: Int { state.withLock { $0.count } }

  /// Waits until the ask is closed.
  ///
  /// - Parameters:
  ///   - duration: how long at most.
  ///   - look: reads how the ask stands in the store. It is called once, when this waiter is
  ///     already registered: an outcome that comes meanwhile is not missed.
  /// - Returns: nil when the time was over, the task was cancelled, or all were released.
  /// - Throws: what `look` throws.
  public func wait(
    for id: AskID, atMost duration: Duration, clock: any Clock<Duration> = ContinuousClock(),
    look: () async throws -> ClosedAsk?
  ) async throws -> ClosedAsk? {
    let number = register(id)
    do {
      if let closed = try await look() {
        forget(number, of: id)
        return closed
      }
    } catch {
      forget(number, of: id)
      throw error
    }
    let timer = Task { [self] in
      try await clock.sleep(for: duration)
      resolve(number, of: id, with: nil)
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { suspend(number, of: id, $0) }
    } onCancel: {
      resolve(number, of: id, with: nil)
    }
  }

  /// Wakes everyone who waits for this ask. Only for what is on the disk.
  public func wake(_ closed: ClosedAsk) {
    let suspended = state.withLock { $0.wake(closed.id, with: closed) }
    for continuation in suspended { continuation.resume(returning: closed) }
  }

  /// Ends every wait without an outcome, before the process stops.
  public func releaseAll() {
    let suspended = state.withLock { state in
      Array(state.waiting.keys).flatMap { state.wake($0, with: nil) }
    }
    for continuation in suspended { continuation.resume(returning: nil) }
  }

  // MARK: One waiter

  private func register(_ id: AskID) -> UInt64 {
    state.withLock { state in
      state.next += 1
      state.count += 1
      state.waiting[id, default: [:]][state.next] = .looking
      return state.next
    }
  }

  private func suspend(
    _ number: UInt64, of id: AskID, _ continuation: CheckedContinuation<ClosedAsk?, Never>
  ) {
    let early: Waiter? = state.withLock { state in
      guard case .woken? = state.waiting[id]?[number] else {
        state.waiting[id]?[number] = .suspended(continuation)
        return nil
      }
      return state.forget(number, of: id)
    }
    if case .woken(let closed)? = early { continuation.resume(returning: closed) }
  }

  /// Whoever resolves a waiter first does: wake, timer and cancellation may come at once.
  private func resolve(_ number: UInt64, of id: AskID, with closed: ClosedAsk?) {
    let continuation: CheckedContinuation<ClosedAsk?, Never>? = state.withLock { state in
      switch state.waiting[id]?[number] {
      case .suspended(let continuation):
        state.forget(number, of: id)
        return continuation
      case .looking:
        state.waiting[id]?[number] = .woken(closed)
        return nil
      case .woken, nil: return nil
      }
    }
    continuation?.resume(returning: closed)
  }

  private func forget(_ number: UInt64, of id: AskID) {
    _ = state.withLock { $0.forget(number, of: id) }
  }
}

extension Waiters.State {
  /// Takes out all that are suspended, and leaves word to those that are still looking.
  fileprivate mutating func wake(
    _ id: AskID, with closed: ClosedAsk?
  ) -> [CheckedContinuation<ClosedAsk?, Never>] {
    guard let waiters = waiting.removeValue(forKey: id) else { return [] }
    var suspended: [CheckedContinuation<ClosedAsk?, Never>] = []
    for (number, waiter) in waiters {
      switch waiter {
      case .suspended(let continuation):
        suspended.append(continuation)
        count -= 1
      case .looking: waiting[id, default: [:]][number] = .woken(closed)
      case .woken: waiting[id, default: [:]][number] = waiter
      }
    }
    return suspended
  }

  @discardableResult
  fileprivate mutating func forget(_ number: UInt64, of id: AskID) -> Waiters.Waiter? {
    guard let waiter = waiting[id]?.removeValue(forKey: number) else { return nil }
    if waiting[id]?.isEmpty == true { waiting[id] = nil }
    count -= 1
    return waiter
  }
}
