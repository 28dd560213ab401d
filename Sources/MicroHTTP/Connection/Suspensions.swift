internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// The connections that rest until what they send next is there.
///
/// Each is resumed exactly once, by the first who takes it out of the table: its response, or the server as it stops.
/// libmicrohttpd aborts the process if it is stopped with a connection still suspended, and does not notice that the peer
/// of one has left: `ConnectionMonitor` does.
final class Suspensions: Sendable {
  /// libmicrohttpd's connection, which may be resumed from any thread, and its socket.
  struct Pointer: @unchecked Sendable {
    let value: OpaquePointer
    let descriptor: Int32
  }

  private struct Resting {
    let pointer: Pointer
    /// What the response goes to, or `nil` if it is a body that rests.
    let connection: Connection?
    /// Called once the peer has left and when the server stops, never under the lock; `nil` until it is known.
    var giveUp: (@Sendable () -> Void)?
    var isGivenUp = false
  }

  private struct State {
    var isStopping = false
    var lastKey: UInt64 = 0
    var resting: [UInt64: Resting] = [:]
  }

  private let monitor: ConnectionMonitor
  private let state = Mutex(State())

  init(monitor: ConnectionMonitor) { self.monitor = monitor }

  /// Suspends a connection from its own thread.
  ///
  /// - Returns: what to resume it by, or `nil` if the server is stopping.
  func suspend(
    _ pointer: Pointer, for connection: Connection? = nil, giveUp: (@Sendable () -> Void)? = nil
  ) -> UInt64? {
    state.withLock { state in
      guard !state.isStopping else { return nil }
      MHD_suspend_connection(pointer.value)
      state.lastKey += 1
      state.resting[state.lastKey] = Resting(pointer: pointer, connection: connection, giveUp: giveUp)
      monitor.follow(pointer.descriptor, key: state.lastKey)
      return state.lastKey
    }
  }

  /// Suspends a connection from its own thread until a task has its response; false if the server is stopping.
  ///
  /// - Parameter work: runs here until it first waits.
  func suspend(
    _ pointer: Pointer, for connection: Connection, until work: @escaping @Sendable () async -> Response
  ) -> Bool {
    guard let key = suspend(pointer, for: connection) else { return false }
    let task = Task.immediate { resume(key, with: await work()) }
    let isWanted = state.withLock { state in
      guard let resting = state.resting[key], !resting.isGivenUp else { return false }
      state.resting[key]?.giveUp = { task.cancel() }
      return true
    }
    if !isWanted { task.cancel() }
    return true
  }

  /// Resumes a connection, if it rests.
  ///
  /// - Parameter response: `nil` if a body goes on.
  func resume(_ key: UInt64, with response: Response? = nil) {
    state.withLock { state in
      guard let resting = state.resting.removeValue(forKey: key) else { return }
      resting.connection?.response = response
      resume(resting)
    }
  }

  /// Tells the work for a connection that its peer has left. The connection rests until its response is there.
  func leave(_ key: UInt64) {
    let giveUp = state.withLock { state in
      state.resting[key]?.isGivenUp = true
      return state.resting[key]?.giveUp
    }
    giveUp?()
  }

  /// Resumes all connections, with the response that the server is stopping or the end of their bodies, and lets no more
  /// rest.
  func stop() {
    let all = state.withLock { state in
      state.isStopping = true
      defer { state.resting.removeAll() }
      for resting in state.resting.values {
        if let connection = resting.connection { connection.response = connection.draining }
        resume(resting)
      }
      return Array(state.resting.values)
    }
    for resting in all { resting.giveUp?() }
  }

  private func resume(_ resting: Resting) {
    // The socket may be closed as soon as its thread goes on.
    monitor.unfollow(resting.pointer.descriptor)
    MHD_resume_connection(resting.pointer.value)
  }
}

/// A body on its way: bytes put in by its work, taken out by libmicrohttpd.
///
/// While there is nothing to take the connection is suspended. The work begins with the first call for bytes, so that a
/// response to HEAD never starts it.
///
/// Locks are taken in this order: this one, that of `Suspensions` or `Streams`, libmicrohttpd's.
final class StreamedBody: Sendable {
  private enum Work {
    case waiting(@Sendable (BodyWriter) async -> Void)
    case running(Task<Void, Never>)
    case over
  }

  private struct State {
    var work: Work
    var bytes: [UInt8] = []
    /// How many of `bytes` libmicrohttpd has.
    var taken = 0
    /// What to resume the connection by, while it rests.
    var resting: UInt64?
    var isCutOff = false
    /// True if the end of the work is the end of the body, whoever brings it about.
    var mayEndEarly = true
    /// True if the peer must see that the body was not sent whole.
    var hasFailed = false
    /// What waits for room.
    var waiting: [CheckedContinuation<Void, Never>] = []

    var unsent: Int { bytes.count - taken }
  }

  private let connection: Suspensions.Pointer
  private let phase: ConnectionPhase
  private let core: Core
  private let state: Mutex<State>
  /// Bytes of the body that libmicrohttpd has taken so far.
  let count = Atomic(0)

  init(
    _ work: @escaping @Sendable (BodyWriter) async -> Void, on connection: Suspensions.Pointer,
    phase: ConnectionPhase, core: Core
  ) {
    self.connection = connection
    self.phase = phase
    self.core = core
    state = Mutex(State(work: .waiting(work)))
  }

  /// Takes bytes from the work; false if they have nowhere to go.
  func append(_ bytes: some Collection<UInt8>) -> Bool {
    state.withLock { state in
      guard case .running(let task) = state.work, !state.isCutOff else { return false }
      guard state.unsent < BodyWriter.waitingLimit else {
        state.isCutOff = true
        task.cancel()
        resumeWaiting(&state)
        // libmicrohttpd waits for room in the socket, and would for long. The socket is open: it is closed after
        // `abandon`, which waits at the lock.
        shutdown(connection.descriptor, Int32(SHUT_RDWR))
        return false
      }
      state.bytes.append(contentsOf: bytes)
      phase.held = state.unsent
      wake(&state)
      return true
    }
  }

  /// Returns once there is room for more bytes, or nowhere for them to go.
  func room() async {
    await withCheckedContinuation { continuation in
      let waits = state.withLock { state in
        state.mayEndEarly = false
        guard case .running = state.work, !state.isCutOff, state.unsent >= BodyWriter.paceLimit else { return false }
        state.waiting.append(continuation)
        return true
      }
      if !waits { continuation.resume() }
    }
  }

  /// Gives libmicrohttpd the next bytes, on the connection's thread.
  ///
  /// - Returns: how many there are, or a code of libmicrohttpd's.
  func take(into buffer: inout MutableSpan<UInt8>) -> Int {
    state.withLock { state in
      state.resting = nil
      if case .waiting(let work) = state.work { start(work, &state) }
      guard !state.isCutOff else { return Self.failed }
      let count = min(buffer.count, state.unsent)
      guard count > 0 else { return rest(&state) }
      for index in 0..<count { buffer[index] = state.bytes[state.taken + index] }
      state.taken += count
      phase.held = state.unsent
      if state.taken == state.bytes.count {
        state.bytes.removeAll(keepingCapacity: state.taken <= 4096)
        state.taken = 0
      }
      if state.unsent < BodyWriter.paceLimit { resumeWaiting(&state) }
      self.count.add(count, ordering: .relaxed)
      phase.enter(.responding, within: core.deadlines.response(bytes: 0))
      return count
    }
  }

  /// Tells the work to end. What it still writes is sent.
  func cancel() {
    state.withLock { if case .running(let task) = $0.work { task.cancel() } }
  }

  /// Ends the body after what was written.
  func end() {
    state.withLock { state in
      if case .running(let task) = state.work {
        task.cancel()
        if !state.mayEndEarly { state.hasFailed = true }
      }
      state.work = .over
      resumeWaiting(&state)
      wake(&state)
    }
  }

  /// The same, and lets the peer see that it was not the body's own end.
  func fail() {
    state.withLock { $0.mayEndEarly = false }
    end()
  }

  /// The connection has no more use for it.
  func abandon() {
    core.streams.remove(self)
    state.withLock { state in
      if case .running(let task) = state.work { task.cancel() }
      state.work = .over
      state.bytes = []
      state.taken = 0
      resumeWaiting(&state)
    }
  }

  private func start(_ work: @escaping @Sendable (BodyWriter) async -> Void, _ state: inout State) {
    // A task that ends at once waits at the lock until this is done.
    let task = Task {
      await work(BodyWriter(body: self))
      self.finish()
    }
    state.work = .running(task)
    if !core.streams.add(self) { task.cancel() }
  }

  /// Suspends the connection until there are bytes, unless there will be none.
  private func rest(_ state: inout State) -> Int {
    guard case .running(let task) = state.work else { return state.hasFailed ? Self.failed : Self.ended }
    phase.wait(in: .resting)
    state.resting = core.suspensions.suspend(connection) { self.end() }
    guard state.resting == nil else { return 0 }
    task.cancel()
    state.work = .over
    return state.mayEndEarly ? Self.ended : Self.failed
  }

  private func finish() {
    core.streams.remove(self)
    state.withLock { state in
      state.work = .over
      wake(&state)
    }
  }

  /// Resumes what waits for room: there is some, or there will be none.
  private func resumeWaiting(_ state: inout State) {
    for continuation in state.waiting { continuation.resume() }
    state.waiting = []
  }

  private func wake(_ state: inout State) {
    guard let key = state.resting else { return }
    state.resting = nil
    core.suspensions.resume(key)
  }

  /// `MHD_CONTENT_READER_END_OF_STREAM` and `…_END_WITH_ERROR`, macros with a cast in them.
  private static let ended = -1
  private static let failed = -2
}

/// Where the work of a streamed body (`Response.Body.stream`) puts its bytes.
///
/// ```swift
/// return .now(Response(.ok, headers: [("Content-Type", "text/event-stream")], body: .stream { writer in
///   while !Task.isCancelled, writer.write(": still here\n\n") { try? await Task.sleep(for: .seconds(15)) }
/// }))
/// ```
///
/// Any thread may write. Bytes go out at once and in order; nothing waits to fill a buffer.
package struct BodyWriter: Sendable {
  /// Bytes that may wait for a peer that does not read. A write that finds as many ends the stream instead, so no more
  /// is ever held than this and one write.
  package static let waitingLimit = 256 * 1024

  /// Bytes that may wait for the peer as `writeWhenReady` adds more.
  package static let paceLimit = 64 * 1024

  let body: StreamedBody

  /// Sends these bytes.
  ///
  /// - Returns: false if the body is over: the peer has gone or does not read, or the server stops. The bytes were
  ///   dropped, and the work may as well return.
  @discardableResult
  package func write(_ bytes: some Collection<UInt8>) -> Bool { body.append(bytes) }

  /// Sends this text as UTF-8; returns as the other `write`.
  @discardableResult
  package func write(_ text: String) -> Bool { body.append(text.utf8) }

  /// Sends these bytes at the pace of the connection: waits while `paceLimit` bytes or more have not been
  /// taken. For long bodies, of which little should be in memory at a time.
  ///
  /// Such a body is either sent whole or seen to be cut: if the server stops before the work has returned,
  /// the connection ends without a last chunk.
  ///
  /// - Returns: as `write`.
  @discardableResult
  package func writeWhenReady(_ bytes: some Collection<UInt8>) async -> Bool {
    await body.room()
    return body.append(bytes)
  }

  /// Ends the body after what was written, and the connection with it, so that the peer sees that the body is
  /// not whole. The work should return.
  package func fail() { body.fail() }
}

/// The streamed bodies whose work is running, so that it can be told when the server stops.
final class Streams: Sendable {
  private struct State {
    var isStopping = false
    var running: [ObjectIdentifier: StreamedBody] = [:]
  }

  private let state = Mutex(State())

  /// False if the server is stopping already.
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
