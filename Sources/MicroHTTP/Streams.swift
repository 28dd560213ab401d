internal import Synchronization

/// The streamed bodies whose work is running, so that it can be told when the server stops.
final class Streams: Sendable {
  private struct State {
    var isStopping = false
    var running: [ObjectIdentifier: StreamedBody] = [:]
  }

  private let state = Mutex(State())

  /// False when the server is stopping already.
  func add(_ body: StreamedBody) -> Bool {
    state.withLock { state in
      guard !state.isStopping else { return false }
      state.running[ObjectIdentifier(body)] = body
      return true
    }
  }

  func remove(_ body: StreamedBody) {
    state.withLock { _ = $0.running.removeValue(forKey: ObjectIdentifier(body)) }
  }

  /// Cancels the work of each, and of those to come. What they still write is sent.
  func stop() {
    let running = state.withLock { state in
      state.isStopping = true
      return Array(state.running.values)
    }
    for body in running { body.cancel() }
  }
}
