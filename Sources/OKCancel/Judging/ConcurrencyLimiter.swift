internal import Platform
internal import Synchronization

/// Limits how much is done at once. The rest waits: clients take turns, so that the client that sends the most waits the
/// longest, and what one client sends is done in its order.
final class ConcurrencyLimiter: Sendable {
  /// Whose turn it is: an address or, on this machine, a connection.
  enum Client: Hashable {
    case address(IPAddress)
    case connection(UInt64)
  }

  private typealias Waiter = (ticket: Int, turn: CheckedContinuation<Bool, Never>)

  private struct Queue {
    var running = 0
    var waitingCount = 0
    var tickets = 0
    var lines: [Client?: [Waiter]] = [:]
    /// Those with a line, in the order of their turns.
    var turns: [Client?] = []

    mutating func add(_ waiter: Waiter, for client: Client?) {
      waitingCount += 1
      if lines[client] == nil { turns.append(client) }
      lines[client, default: []].append(waiter)
    }

    mutating func remove(at place: Int, of client: Client?) -> CheckedContinuation<Bool, Never>? {
      waitingCount -= 1
      let waiter = lines[client]?.remove(at: place)
      if lines[client]?.isEmpty == true {
        lines[client] = nil
        turns.removeAll { $0 == client }
      }
      return waiter?.turn
    }

    /// The next client's first.
    mutating func next() -> CheckedContinuation<Bool, Never>? {
      guard let client = turns.first else {
        running -= 1
        return nil
      }
      turns.append(turns.removeFirst())
      return remove(at: 0, of: client)
    }
  }

  private let atOnce: Int
  private let waitingLimit: (all: Int, perClient: Int)
  private let state = Mutex(Queue())

  /// - Parameters:
  ///   - waitingLimit: how many may wait in all.
  ///   - limit: how many of one client may, or `nil` for all.
  init(atOnce: Int, waitingLimit: Int, perClient limit: Int? = nil) {
    self.atOnce = atOnce
    self.waitingLimit = (waitingLimit, limit ?? waitingLimit)
  }

  /// The number of jobs that wait for their turn.
  var waitingCount: Int { state.withLock { $0.waitingCount } }

  /// Runs this when its turn has come.
  ///
  /// - Parameter client: whose turn, or `nil` if it is nobody's in particular.
  /// - Returns: `nil` if too many wait already, or if the task is cancelled before its turn.
  func run<Result: Sendable>(for client: Client? = nil, _ work: @Sendable () async -> Result) async -> Result? {
    guard await hasTurn(client) else { return nil }
    defer { state.withLock { $0.next() }?.resume(returning: true) }
    return await work()
  }

  /// Waits for a turn; false if there will be none.
  private func hasTurn(_ client: Client?) async -> Bool {
    let ticket = state.withLock { state in
      state.tickets += 1
      return state.tickets
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { turn in
        let hasTurn: Bool? = state.withLock { state in
          if Task.isCancelled { return false }
          if state.running < atOnce {
            state.running += 1
            return true
          }
          guard state.waitingCount < waitingLimit.all, state.lines[client]?.count ?? 0 < waitingLimit.perClient
          else { return false }
          state.add((ticket, turn), for: client)
          return nil
        }
        if let hasTurn { turn.resume(returning: hasTurn) }
      }
    } onCancel: {
      let turn = state.withLock { state in
        state.lines[client]?.firstIndex { $0.ticket == ticket }.flatMap { state.remove(at: $0, of: client) }
      }
      turn?.resume(returning: false)
    }
  }
}
