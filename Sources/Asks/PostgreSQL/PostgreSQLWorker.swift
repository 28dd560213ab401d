internal import CPQ
internal import Foundation
internal import Platform
internal import Synchronization

/// A PostgreSQL connection on its own thread, and the calls that wait for it. Calls that gather while one batch is
/// under way are sent as the next batch, in one round trip; the writes of a batch share one transaction.
///
/// A lost connection is reopened automatically. Calls wait for it until the first attempt has failed; after that they
/// are refused until there is a connection again.
final class PostgreSQLWorker: Sendable {
  enum Role: Sendable {
    case reads
    /// - Parameters:
    ///   - clock: set by what the database says of its own.
    ///   - onCommit: told of each transaction: how long it took, and its writes.
    case writes(clock: DatabaseClock, onCommit: @Sendable (Duration, Int) -> Void)
    /// Takes no calls, and is told of the asks that a node has closed.
    case listens(@Sendable ([AskID]) -> Void)
  }

  /// As with SQLite: writes that may wait, and calls that share a round trip.
  private static let (capacity, batch) = (1024, 128)
  /// Pauses between attempts to connect.
  private static let (firstPause, longestPause): (Duration, Duration) = (.milliseconds(100), .seconds(5))
  /// The number of times that a write is tried by itself while other transactions are in its way.
  private static let attempts = 3

  private struct PendingCall: Sendable {
    let call: StoreCall
    let continuation: CheckedContinuation<[StoreRow], any Error>
  }

  private struct Calls {
    var waiting: [PendingCall] = []
    /// The reason there is no connection.
    var lost: StoreFault?
    /// True once an attempt to connect has failed: until then, calls wait.
    var isRefusing = false
    /// The reason the last write failed, if it did.
    var failure: StoreFault?
    var isClosed = false
  }

  private let address: PostgreSQLAddress
  private let prepares: Bool
  private let role: Role
  private let onConnect: @Sendable () -> Void
  private let state = Mutex(Calls())
  /// Finishes with the thread.
  private let end = AsyncStream<Never>.makeStream()
  /// Signalled with each call, and to stop.
  private let news = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))

  /// - Parameters:
  ///   - prepares: whether each connection is a session of its own, which keeps what is prepared.
  ///   - onConnect: called whenever it has a new connection.
  init(
    _ role: Role, to address: PostgreSQLAddress, prepares: Bool, onConnect: @escaping @Sendable () -> Void
  ) {
    self.role = role
    self.address = address
    self.prepares = prepares
    self.onConnect = onConnect
    OwnThread.run { self.work() }
  }

  deinit { Glibc.close(news) }

  /// The reason calls would fail now, or `nil` if none is known.
  var fault: StoreFault? { state.withLock { $0.lost ?? $0.failure } }

  /// Does the statement, and with a write returns after the commit.
  func perform(_ call: StoreCall) async throws -> [StoreRow] {
    try await withCheckedThrowingContinuation { continuation in
      let refusal: StoreFault? = state.withLock { state in
        if state.isClosed { return StoreFault("closed") }
        if state.isRefusing, let fault = state.lost { return fault }
        if case .writes = role, state.waiting.count >= Self.capacity { return StoreFault("overloaded") }
        state.waiting.append(PendingCall(call: call, continuation: continuation))
        return nil
      }
      if let refusal { continuation.resume(throwing: refusal) } else { eventfd_write(news, 1) }
    }
  }

  /// Refuses new calls, and returns when those that wait are done.
  func close() async {
    stop()
    for await _ in end.stream {}
  }

  /// Refuses new calls, and ends the thread when those that wait are done.
  func stop() {
    state.withLock { $0.isClosed = true }
    eventfd_write(news, 1)
  }

  // MARK: On the thread

  private func work() {
    var failures = 0
    repeat {
      do {
        let session = try connect()
        failures = 0
        while state.withLock({ !$0.isClosed || !$0.waiting.isEmpty }) {
          // Between batches the server says nothing but that it ends, unless it is listened to.
          let payloads = try session.takeNotifications()
          if case .listens(let hear) = role { for payload in payloads { hear(AskID.list(payload)) } }
          let calls = take(Self.batch)
          if calls.isEmpty { wait(for: session.socket) } else { try perform(calls, on: session) }
        }
      } catch let error as ConnectionError {
        // Many nodes lose one server at the same moment, and must not come back at the same moment.
        state.withLock { $0.lost = error.fault(address) }
        pause(Self.firstPause / 2)
      } catch {
        refuse(error as? StoreFault ?? StoreFault("unreachable", ["database": "\(address)", "detail": "\(error)"]))
        pause(min(Self.longestPause, Self.firstPause * (1 << min(failures, 10))))
        failures += 1
      }
    } while state.withLock { !$0.isClosed || $0.lost == nil && !$0.waiting.isEmpty }
    for pending in take(.max) { pending.continuation.resume(throwing: StoreFault("closed")) }
    end.continuation.finish()
  }

  private func connect() throws(StoreFault) -> PostgreSQLSession {
    let session = try PostgreSQLSession(address, isWanted: { !state.withLock(\.isClosed) })
    do throws(PQError) {
      if case .listens = role { try session.listen() } else { try session.beginExchanges(prepares: prepares) }
    } catch {
      throw ConnectionError(code: error.code, message: error.message).fault(address)
    }
    state.withLock { ($0.lost, $0.isRefusing) = (nil, false) }
    onConnect()
    return session
  }

  private func refuse(_ fault: StoreFault) {
    state.withLock { ($0.lost, $0.isRefusing) = (fault, true) }
    for pending in take(.max) { pending.continuation.resume(throwing: fault) }
  }

  private func pause(_ duration: Duration) {
    let end = ContinuousClock.now + duration * .random(in: 0.5..<1)
    while !state.withLock(\.isClosed), case let left = ContinuousClock.now.duration(to: end), left > .zero {
      wait(atMost: Int32(left / .milliseconds(1)) + 1)
    }
  }

  /// Waits for a call, for the end or for what the server sends.
  ///
  /// - Parameter milliseconds: no longer than that, or -1 for no limit.
  private func wait(for socket: Int32 = -1, atMost milliseconds: Int32 = -1) {
    var descriptors = [news, socket].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    poll(&descriptors, 2, milliseconds)
    var count: eventfd_t = 0
    eventfd_read(news, &count)
  }

  private func take(_ count: Int) -> [PendingCall] { state.withLock { $0.waiting.take(count) } }

  private func perform(_ calls: [PendingCall], on session: PostgreSQLSession) throws(ConnectionError) {
    switch role {
    case .reads: try read(calls, on: session)
    case .writes(let clock, let onCommit):
      try commit(calls.sorted { StoreCall.precedes($0.call, $1.call) }, on: session, clock, onCommit)
    case .listens: break
    }
  }

  private func read(_ calls: [PendingCall], on session: PostgreSQLSession) throws(ConnectionError) {
    var left = calls[...]
    do {
      // Each in a transaction of its own: one that fails takes no other with it.
      try session.exchange(calls.flatMap { [.call($0.call), .sync] }) { request, result in
        guard case .call = request, let pending = left.popFirst() else { return }
        let failure = result.error.map { StoreFault("read-failed", ["detail": "\($0)"]) }
        pending.continuation.resume(with: failure.map { .failure($0) } ?? .success(result.rows))
      }
    } catch {
      for pending in left { pending.continuation.resume(throwing: error.fault(address)) }
      throw error
    }
  }

  /// Commits these together, or if that fails each by itself.
  private func commit(
    _ calls: [PendingCall], on session: PostgreSQLSession, _ clock: DatabaseClock,
    _ onCommit: (Duration, Int) -> Void
  ) throws(ConnectionError) {
    var transactions = [(calls: calls, attempt: 1)]
    while let (calls, attempt) = transactions.first {
      var (results, error, isCommitted, isOver): ([[StoreRow]], PQError?, Bool, Bool) = ([], nil, false, false)
      let began = ContinuousClock.now
      do {
        try session.exchange(Self.transaction(of: calls.map(\.call))) { request, result in
          if isOver { return }
          error = error ?? result.error
          switch request {
          case .sql(PostgreSQLSession.selectNow):
            if let moment = result.rows.first?.timestamp("now") { clock.set(moment, sent: began) }
          case .sql: isCommitted = result.tag == "COMMIT"
          case .call(let call): if call.statement != .lock { results.append(result.rows) }
          case .sync:
            isOver = true
            guard isCommitted else { return }
            state.withLock { $0.failure = nil }
            onCommit(.now - began, calls.count)
            for (pending, rows) in zip(calls, results) { pending.continuation.resume(returning: rows) }
          }
        }
        if !isCommitted { try session.exchange([.sql("ROLLBACK"), .sync]) { _, _ in } }
      } catch {
        // Whether the calls under way were committed is unknown, so none of them is acknowledged.
        if !isOver {
          for pending in calls {
            pending.continuation.resume(throwing: StoreFault("interrupted", ["database": "\(address)"]))
          }
        }
        for pending in transactions[(isCommitted || !isOver ? 1 : 0)...].flatMap(\.calls) {
          pending.continuation.resume(throwing: error.fault(address))
        }
        throw error
      }
      transactions.removeFirst()
      if isCommitted { continue }
      let cause = error ?? PQError(code: "40000", message: "the transaction was not committed")
      if calls.count > 1 {
        transactions += calls.map { ([$0], 1) }
      } else if cause.isConflict, cause.code != "55P03", attempt < Self.attempts {
        // A call that has waited for a lock in vain fails and is not retried.
        transactions.append((calls, attempt + 1))
      } else {
        let fault = cause.fault(address)
        state.withLock { $0.failure = fault }
        for pending in calls { pending.continuation.resume(throwing: fault) }
      }
    }
  }

  /// The settings of a transaction that writes; set in it, so that they also apply behind a pooler. A stricter one stays.
  ///
  /// Sequential scans are off, because statements that were prepared while the tables were small keep their plans. A
  /// plan that needs one then seems so expensive that PostgreSQL would compile it at each use, for 100 ms: so nothing is
  /// compiled.
  static let settings = """
    SELECT set_config('lock_timeout', '3s', true), set_config('idle_in_transaction_session_timeout', '10s', true),
      set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true),
      set_config('synchronous_commit',
        CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true)
    """

  /// - Parameter calls: in the order of their locks.
  static func transaction(of calls: [StoreCall]) -> [PostgreSQLSession.Request] {
    var requests: [PostgreSQLSession.Request] = [
      .sql("BEGIN"),
      .sql(settings),
      .sql(PostgreSQLSession.selectNow),
    ]
    // Mostly a call locks one row, as it is written. Otherwise all are locked before.
    if calls.contains(where: \.locksFirst) {
      let locks = calls.flatMap(\.locks)
      if locks.contains(.positions) { requests.append(.sql("SELECT FROM positions WHERE prompt = '' FOR UPDATE")) }
      let asks = locks.compactMap { if case .ask(let id) = $0 { id } else { nil } }
      requests.append(.call(StoreCall(.lock, ["ids": .array(asks)])))
    }
    requests += calls.map { .call($0) } + [.sql("COMMIT"), .sync]
    // After the commit and not in it: PostgreSQL commits transactions that notify one after the other.
    let closed = calls.filter { [.close, .closeApart].contains($0.statement) }.compactMap { $0["id"]?.text }
    if !closed.isEmpty {
      requests += [.call(StoreCall(.notify, ["ids": .text(closed.joined(separator: ","))])), .sync]
    }
    return requests
  }
}
