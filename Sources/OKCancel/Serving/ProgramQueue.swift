internal import Foundation
internal import Synchronization

/// Lets only so many programs run at once; the others wait, first come, first served.
final class ProgramQueue: Sendable {
  private struct State {
    var running = 0
    var waiting: [(ticket: Int, turn: CheckedContinuation<Bool, Never>)] = []
    var tickets = 0
  }

  private let atOnce: Int
  private let waitingLimit: Int
  private let state = Mutex(State())

  /// That of this process: more at once would only slow each other down, until none ends in time.
  static let shared = ProgramQueue(atOnce: 2 * ProcessInfo.processInfo.activeProcessorCount, waitingLimit: 1000)

  init(atOnce: Int, waitingLimit: Int) {
    self.atOnce = atOnce
    self.waitingLimit = waitingLimit
  }

  /// How many wait for their turn now.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Runs this when its turn has come.
  ///
  /// - Returns: `nil` if too many wait already, or if the task is cancelled before its turn.
  func run<Result: Sendable>(_ program: @Sendable () async -> Result) async -> Result? {
    guard await hasTurn() else { return nil }
    defer { giveTurn() }
    return await program()
  }

  private func hasTurn() async -> Bool {
    let ticket = state.withLock { state in
      state.tickets += 1
      return state.tickets
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { turn in
        let atOnce = state.withLock { enter(&$0, ticket, turn) }
        if let atOnce { turn.resume(returning: atOnce) }
      }
    } onCancel: {
      let turn = state.withLock { state in
        state.waiting.firstIndex { $0.ticket == ticket }.map { state.waiting.remove(at: $0).turn }
      }
      turn?.resume(returning: false)
    }
  }

  /// - Returns: whether its turn is now or never; `nil` if it waits.
  private func enter(_ state: inout State, _ ticket: Int, _ turn: CheckedContinuation<Bool, Never>) -> Bool? {
    if Task.isCancelled { return false }
    if state.running < atOnce {
      state.running += 1
      return true
    }
    guard state.waiting.count < waitingLimit else { return false }
    state.waiting.append((ticket, turn))
    return nil
  }

  private func giveTurn() {
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      if !state.waiting.isEmpty { return state.waiting.removeFirst().turn }
      state.running -= 1
      return nil
    }
    next?.resume(returning: true)
  }
}
