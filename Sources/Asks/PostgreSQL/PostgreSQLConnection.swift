internal import CPQ
internal import Foundation
internal import Synchronization

/// One connection of a `PostgreSQLClient`, and what it does at the moment. It is used only on the client's thread, and
/// nothing here waits: `advance` goes as far as what the server has sent allows.
///
/// What gathers while one batch is under way goes out as the next one, in libpq's pipeline mode: in one round trip, and
/// writes in one transaction.
final class PostgreSQLConnection {
  typealias Instant = ContinuousClock.Instant

  private enum Phase {
    case down(until: Instant)
    case connecting(until: Instant, PostgresPollingStatusType)
    case idle
    case working(Work)
  }

  /// What was sent, and what came back of it.
  private struct Work {
    enum Step { case command, clock, query(Int), commit, sync }
    /// Whether it makes a new connection ready.
    var isSetUp = false
    var steps: [Step] = []
    var next = 0
    var queries: [PostgreSQLQuery] = []
    /// How many of them have their response.
    var responded = 0
    var results: [PQResult] = []
    /// The first that failed; those after it were not tried.
    var error: PQError?
    var isCommitted = false
    let began = Instant.now
  }

  /// How long the server may take to let a connection in, or to finish a batch.
  private static let patience: Duration = .seconds(10)
  /// Pauses between attempts to connect.
  private static let (firstPause, longestPause): (Duration, Duration) = (.milliseconds(100), .seconds(5))
  /// How often a write is tried by itself while other transactions are in its way.
  private static let attempts = 3

  private let role: PostgreSQLRole
  private let address: PostgreSQLAddress
  /// Whether each connection is a session of its own, which keeps what is prepared.
  private let prepares: Bool
  private unowned let client: PostgreSQLClient
  private let pq = PQ.library

  private var connection: OpaquePointer?
  private var phase = Phase.down(until: .now)
  private var failures = 0
  private var hasOutput = false
  /// Whether a failed transaction is still open.
  private var isAborted = false
  /// Writes of a failed batch, each to be tried by itself.
  private var retries: [PostgreSQLQuery] = []

  init(_ role: PostgreSQLRole, to address: PostgreSQLAddress, prepares: Bool, of client: PostgreSQLClient) {
    (self.role, self.address, self.prepares, self.client) = (role, address, prepares, client)
  }

  deinit { pq.PQfinish(connection) }

  // MARK: What the client's thread asks

  /// The socket and the events that it waits for.
  var interest: pollfd? {
    guard let connection else { return nil }
    let events =
      switch phase {
      case .down: Int32(0)
      case .connecting(_, PGRES_POLLING_READING): POLLIN
      case .connecting: POLLOUT
      case .idle, .working: hasOutput ? POLLIN | POLLOUT : POLLIN
      }
    return pollfd(fd: pq.PQsocket(connection), events: Int16(events), revents: 0)
  }

  /// When it has something to do though the server says nothing.
  var alarm: Instant? {
    switch phase {
    case .down(let moment), .connecting(let moment, _): moment
    case .idle: nil
    case .working(let work): work.began + Self.patience
    }
  }

  /// Whether the client can end: nothing is under way, or nothing can be.
  var isAtRest: Bool { if case .working = phase { false } else { retries.isEmpty } }

  /// - Parameter isReady: whether the server has sent something, or takes more.
  func advance(isReady: Bool) {
    switch phase {
    case .down(let moment):
      if moment <= .now { connect() }
    case .connecting(let end, _):
      if isReady { goOnConnecting() } else if end <= .now { lose(.init(message: "it does not let us in")) }
    case .idle, .working:
      if isReady { exchange() }
      if case .working(let work) = phase, work.began + Self.patience <= .now {
        lose(.init(message: "it does not respond"))
      }
    }
    if case .idle = phase { takeWork() }
  }

  // MARK: Connecting

  private func connect() {
    connection = PQ.connect(to: address)
    guard pq.PQstatus(connection) != CONNECTION_BAD else { return lose(PQ.reason(connection)) }
    phase = .connecting(until: .now + Self.patience, PGRES_POLLING_WRITING)
  }

  private func goOnConnecting() {
    guard case .connecting(let end, _) = phase else { return }
    let state = pq.PQconnectPoll(connection)
    switch state {
    case PGRES_POLLING_FAILED: lose(PQ.reason(connection))
    case PGRES_POLLING_OK: setUp()
    default: phase = .connecting(until: end, state)
    }
  }

  private func setUp() {
    _ = pq.PQsetnonblocking(connection, 1)
    _ = pq.PQenterPipelineMode(connection)
    var work = Work(isSetUp: true)
    if role == .listens {
      send("LISTEN okcancel", &work)
      // Ends with the connection. Without it the server works as well.
      send("SELECT pg_try_advisory_lock_shared(\(PostgreSQLSession.usage))", &work)
    } else if prepares {
      // To prepare a statement takes locks too.
      send("SET lock_timeout = '3s'", &work)
      for statement in StoreStatement.allCases {
        _ = pq.PQsendPrepare(connection, statement.rawValue, statement.sql, 0, nil)
        work.steps.append(.command)
      }
    }
    begin(&work)
  }

  /// Gives up the connection. Of what is under way nothing is known, so nothing of it is acknowledged.
  private func lose(_ error: ConnectionError) {
    let fault = error.fault(address)
    var wasUp = true
    switch phase {
    case .working(let work):
      for query in work.queries.dropFirst(work.responded) {
        query.fail(role == .writes ? .interrupted(database: "\(address)") : fault)
      }
      wasUp = !work.isSetUp
    case .idle: break
    case .down, .connecting: wasUp = false
    }
    for query in retries { query.fail(fault) }
    retries = []
    pq.PQfinish(connection)
    (connection, hasOutput, isAborted) = (nil, false, false)
    // Many nodes lose one server at the same moment, and must not come back at the same moment.
    let pause = min(Self.longestPause, Self.firstPause * (1 << min(failures, 10))) * Double.random(in: 0.5..<1)
    failures += 1
    phase = .down(until: .now + (wasUp ? pause / 2 : pause))
    client.lost(role, fault, isWaitedFor: wasUp)
  }

  // MARK: Sending

  private func takeWork() {
    if let query = retries.first {
      retries.removeFirst()
      return start([query])
    }
    let queries = client.take(for: role)
    if !queries.isEmpty { start(queries) }
  }

  private func start(_ queries: [PostgreSQLQuery]) {
    var work = Work()
    work.queries = queries
    switch role {
    case .listens: return
    case .reads:
      // Each in a transaction of its own: one that fails takes no other with it.
      for index in queries.indices {
        send(queries[index], index, &work)
        synchronize(&work)
      }
    case .writes:
      if isAborted { send("ROLLBACK", &work) }
      send("BEGIN", &work)
      // In the transaction, so that it also holds behind a pooler. A stricter setting stays. Without scans of whole
      // tables, since what is prepared while they are small goes on with its plan.
      send(
        """
        SELECT set_config('lock_timeout', '3s', true), set_config('idle_in_transaction_session_timeout', '10s', true),
          set_config('enable_seqscan', 'off', true),
          set_config('synchronous_commit',
            CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true)
        """, &work)
      send(DatabaseClock.select, &work, as: .clock)
      for index in queries.indices { send(queries[index], index, &work) }
      send("COMMIT", &work, as: .commit)
      synchronize(&work)
      // After the commit and not in it: PostgreSQL commits transactions that notify one after the other.
      let closed = queries.compactMap(\.call.closing)
      if !closed.isEmpty {
        let payload = StoreValue.text(closed.map(\.description).joined(separator: ","))
        send(.notify, [payload], .command, &work)
      }
    }
    begin(&work)
  }

  private func send(_ sql: String, _ work: inout Work, as step: Work.Step = .command) {
    _ = pq.PQsendQueryParams(connection, sql, 0, nil, nil, nil, nil, 1)
    work.steps.append(step)
  }

  private func send(_ query: PostgreSQLQuery, _ index: Int, _ work: inout Work) {
    send(query.call.statement, query.call.values, .query(index), &work)
  }

  private func send(
    _ statement: StoreStatement, _ parameters: [StoreValue], _ step: Work.Step, _ work: inout Work
  ) {
    StoreValue.with(parameters) { count, values, lengths, formats in
      _ =
        prepares
        ? pq.PQsendQueryPrepared(connection, statement.rawValue, count, values, lengths, formats, 1)
        : pq.PQsendQueryParams(connection, statement.sql, count, nil, values, lengths, formats, 1)
    }
    work.steps.append(step)
  }

  private func synchronize(_ work: inout Work) {
    _ = pq.PQpipelineSync(connection)
    work.steps.append(.sync)
  }

  /// A call that could not be sent shows as a lost connection, since its result never comes.
  private func begin(_ work: inout Work) {
    if case .sync? = work.steps.last {} else { synchronize(&work) }
    phase = .working(work)
    flush()
  }

  private func flush() {
    let left = pq.PQflush(connection)
    if left < 0 { return lose(PQ.reason(connection)) }
    hasOutput = left > 0
  }

  // MARK: Receiving

  private func exchange() {
    guard pq.PQconsumeInput(connection) == 1 else { return lose(PQ.reason(connection)) }
    if hasOutput { flush() }
    guard connection != nil else { return }
    while let notice = pq.PQnotifies(connection) {
      let payload = String(cString: notice.pointee.extra)
      pq.PQfreemem(notice)
      client.notify(payload)
    }
    guard case .working(var work) = phase else {
      // Between batches the server says nothing but that it ends.
      if pq.PQstatus(connection) != CONNECTION_OK { lose(PQ.reason(connection)) }
      return
    }
    var ends = 0
    while work.next < work.steps.count {
      if pq.PQisBusy(connection) != 0 {
        phase = .working(work)
        return
      }
      guard let pointer = pq.PQgetResult(connection) else {
        // Each statement's results end with one, and a synchronization without.
        ends += 1
        if ends < 3 { continue }
        phase = .working(work)
        return lose(.init(message: "it sent less than it was asked for"))
      }
      ends = 0
      let result = PQResult(pointer)
      if let reason = receive(result, &work) {
        phase = .working(work)
        return lose(.init(message: reason))
      }
      work.next += 1
    }
    finish(work)
  }

  /// Takes the result of the next step.
  ///
  /// - Returns: why the connection is of no use any more, or `nil` if it is.
  private func receive(_ result: PQResult, _ work: inout Work) -> String? {
    let step = work.steps[work.next]
    if result.status == PGRES_PIPELINE_SYNC {
      guard case .sync = step else { return "its results came in another order" }
      if role == .writes { finishTransaction(&work) }
      return nil
    }
    let error = result.error
    // The server stops, or is no longer the primary one: what waits goes to whichever takes its place.
    if let error, error.code.hasPrefix("57P") || error.code.hasPrefix("08") || error.code == "25006" {
      return "\(error)"
    }
    switch (step, role) {
    case (.query(let index), .reads):
      work.responded = index + 1
      if let error {
        work.queries[index].fail(.readFailed(detail: "\(error)"))
      } else {
        work.queries[index].succeed(result)
      }
    case (.query, _): work.results.append(result)
    case (.commit, _): work.isCommitted = error == nil && result.tag == "COMMIT"
    case (.clock, _):
      if error == nil, let moment = result.rows.first?.timestamp("now") { client.clock.set(moment, sent: work.began) }
    case (.command, _): break
    case (.sync, _): return error.map { "\($0)" } ?? "its results came in another order"
    }
    work.error = work.error ?? error
    return nil
  }

  /// The transaction is over: says so to those whose writes were in it.
  private func finishTransaction(_ work: inout Work) {
    guard !work.queries.isEmpty else { return }
    let queries = work.queries
    work.queries = []
    if work.isCommitted {
      isAborted = false
      client.committed(queries.count, in: .now - work.began)
      for (query, result) in zip(queries, work.results) { query.succeed(result) }
      return
    }
    isAborted = true
    let error = work.error ?? PQError(code: "40000", message: "the transaction was not committed")
    work.error = nil
    for var query in queries {
      query.attempts += 1
      // One that has waited for a lock is told so, and does not wait again.
      if queries.count > 1 || error.isConflict && error.code != "55P03" && query.attempts < Self.attempts {
        retries.append(query)
      } else {
        let fault = error.fault(address)
        client.failed(fault)
        query.fail(fault)
      }
    }
  }

  private func finish(_ work: Work) {
    guard work.isSetUp else {
      phase = .idle
      return
    }
    if let error = work.error {
      phase = .working(work)
      return lose(.init(code: error.code, message: "\(error)"))
    }
    (phase, failures) = (.idle, 0)
    client.connected(role)
  }
}
