internal import Glibc
internal import Synchronization

/// The buffer of a streamed body (`Response.Body.stream`): its task writes bytes, and libmicrohttpd takes them out.
///
/// ```swift
/// return .now(Response(.ok, headers: [("Content-Type", "text/event-stream")], body: .stream { writer in
///   while !Task.isCancelled, writer.write(": still here\n\n") { try? await Task.sleep(for: .seconds(15)) }
/// }))
/// ```
///
/// Any thread may write. Bytes go out at once and in order; nothing waits to fill a buffer. While there are none the
/// connection is suspended. The work begins when libmicrohttpd first asks for bytes, so a response to HEAD never starts
/// it.
///
/// Locks are taken in this order: this one, the connection's, libmicrohttpd's.
package final class BodyWriter: Sendable {
  /// The number of unsent bytes that may wait for a peer that does not read. A write that finds this many waiting ends
  /// the stream instead, so at most this limit plus one write is ever held.
  static let waitingLimit = 256 * 1024

  /// Bytes that may wait for the peer as `writeWhenReady` adds more.
  static let paceLimit = 64 * 1024

  private enum Work {
    case waiting(@Sendable (BodyWriter) async -> Void)
    case running(Task<Void, Never>)
    case over
  }

  private struct Buffer {
    var work: Work
    var bytes: [UInt8] = []
    /// The number of bytes of `bytes` that libmicrohttpd has.
    var taken = 0
    /// True while the connection is suspended until there are bytes.
    var isResting = false
    /// True if the body counts as complete wherever its task is stopped.
    var mayEndEarly = true
    /// True if the peer must see that the body was not sent whole.
    var hasFailed = false
    /// The writers that wait for room.
    var waiting: [CheckedContinuation<Void, Never>] = []

    var unsent: Int { bytes.count - taken }
  }

  private let connection: Connection
  private let state: Mutex<Buffer>
  /// Bytes of the body that libmicrohttpd has taken so far.
  let count = Atomic(0)

  init(_ work: @escaping @Sendable (BodyWriter) async -> Void, on connection: Connection) {
    self.connection = connection
    state = Mutex(Buffer(work: .waiting(work)))
  }

  /// Sends these bytes.
  ///
  /// - Returns: false if the body is over: the peer has gone or does not read, or the server stops. The bytes were
  ///   dropped, and the work may as well return.
  @discardableResult
  package func write(_ bytes: some Collection<UInt8>) -> Bool {
    state.withLock { state in
      guard case .running = state.work else { return false }
      guard state.unsent < Self.waitingLimit else {
        drop(&state)
        // libmicrohttpd is waiting for room in the socket, and might for a long time, so shut the socket down. It is
        // still open: it is closed only after `abandon`, which needs this lock.
        connection.cut()
        return false
      }
      state.bytes.append(contentsOf: bytes)
      connection.phase.held = state.unsent
      wake(&state)
      return true
    }
  }

  /// Sends this text as UTF-8; returns as the other `write`.
  @discardableResult
  package func write(_ text: String) -> Bool { write(text.utf8) }

  /// Sends these bytes at the pace of the connection: waits while `paceLimit` bytes or more have not been
  /// taken. Use it for long bodies, to keep little of them in memory at a time.
  ///
  /// The peer gets the whole body or can tell that it was cut: if the server stops before the task has returned,
  /// the connection ends without a last chunk.
  ///
  /// - Returns: as `write`.
  @discardableResult
  package func writeWhenReady(_ bytes: some Collection<UInt8>) async -> Bool {
    await withCheckedContinuation { continuation in
      let waits = state.withLock { state in
        state.mayEndEarly = false
        guard case .running = state.work, state.unsent >= Self.paceLimit else { return false }
        state.waiting.append(continuation)
        return true
      }
      if !waits { continuation.resume() }
    }
    return write(bytes)
  }

  /// True once the peer has closed its side, or the body is over.
  package var peerHasClosed: Bool {
    state.withLock { state in
      guard case .running = state.work else { return true }
      return connection.peerHasClosed
    }
  }

  /// Ends the body after what was written, and the connection with it, so that the peer sees that the body is
  /// not whole. The work should return.
  package func fail() {
    state.withLock { state in
      state.mayEndEarly = false
      end(&state)
    }
  }

  /// Gives libmicrohttpd the next bytes, on the connection's thread.
  ///
  /// - Returns: how many there are, or a code of libmicrohttpd's.
  func take(into buffer: inout MutableSpan<UInt8>) -> Int {
    state.withLock { state in
      state.isResting = false
      if case .waiting(let work) = state.work { start(work, &state) }
      let count = min(buffer.count, state.unsent)
      guard count > 0 else { return rest(&state) }
      for index in 0..<count { buffer[index] = state.bytes[state.taken + index] }
      state.taken += count
      connection.phase.held = state.unsent
      if state.taken == state.bytes.count {
        state.bytes.removeAll(keepingCapacity: state.taken <= 4096)
        state.taken = 0
      }
      if state.unsent < Self.paceLimit { resumeWaiting(&state) }
      self.count.add(count, ordering: .relaxed)
      connection.beginResponding(bytes: 0)
      return count
    }
  }

  /// Tells the work to end. What it still writes is sent.
  func cancel() {
    state.withLock { if case .running(let task) = $0.work { task.cancel() } }
  }

  /// Ends the body after what was written.
  func end() { state.withLock { end(&$0) } }

  /// Ends the body and drops its unsent bytes: the connection no longer needs it.
  func abandon() {
    state.withLock { state in
      state.isResting = false
      drop(&state)
    }
  }

  private func start(_ work: @escaping @Sendable (BodyWriter) async -> Void, _ state: inout Buffer) {
    // A task that ends at once waits at the lock until this is done.
    let task = Task {
      await work(self)
      self.state.withLock { state in
        state.mayEndEarly = true
        self.end(&state)
      }
    }
    state.work = .running(task)
    if connection.isDraining { task.cancel() }
  }

  /// Suspends the connection until there are bytes, unless there will be none.
  private func rest(_ state: inout Buffer) -> Int {
    if case .running = state.work {
      connection.phase.wait(in: .resting)
      state.isResting = connection.suspend { self.end() }
      if state.isResting { return 0 }
      end(&state)
    }
    return state.hasFailed ? Self.failed : Self.ended
  }

  private func end(_ state: inout Buffer) {
    if case .running(let task) = state.work {
      task.cancel()
      state.hasFailed = !state.mayEndEarly
    }
    state.work = .over
    resumeWaiting(&state)
    wake(&state)
  }

  /// Ends the body and drops the bytes that were not sent.
  private func drop(_ state: inout Buffer) {
    state.mayEndEarly = false
    (state.bytes, state.taken) = ([], 0)
    end(&state)
  }

  /// Resumes the writers that wait for room: there is room now, or the body is over.
  private func resumeWaiting(_ state: inout Buffer) {
    for continuation in state.waiting { continuation.resume() }
    state.waiting = []
  }

  private func wake(_ state: inout Buffer) {
    guard state.isResting else { return }
    state.isResting = false
    connection.resume(by: .part)
  }

  /// `MHD_CONTENT_READER_END_OF_STREAM` and `…_END_WITH_ERROR`, macros with a cast in them.
  private static let ended = -1
  private static let failed = -2
}
