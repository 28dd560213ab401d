internal import CPQ
internal import Glibc

/// A connection to a PostgreSQL, for one thread at a time, which waits for each response.
final class PostgreSQLSession: StoreSession {
  var lockingClause: String { "FOR UPDATE" }

  private let connection: OpaquePointer
  private let pq: cpq
  /// Whether the store's statements are prepared.
  private var isPrepared = false

  /// How long the server may take to let this connection in, or to do what is sent in one go.
  private static let patience: Duration = .seconds(10)

  /// - Throws: `StoreFault`.
  init(_ address: PostgreSQLAddress) throws(StoreFault) {
    pq = try PQ.open()
    guard let connection = PQ.connect(to: address) else {
      throw .unreachable(database: "\(address)", detail: "there is no memory")
    }
    self.connection = connection
    let end = ContinuousClock.now + Self.patience
    var state = pq.PQstatus(connection) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
    while state == PGRES_POLLING_READING || state == PGRES_POLLING_WRITING {
      guard wait(for: state == PGRES_POLLING_READING ? POLLIN : POLLOUT, until: end) else {
        throw .unreachable(database: "\(address)", detail: "it does not let us in")
      }
      state = pq.PQconnectPoll(connection)
    }
    guard state != PGRES_POLLING_OK else { return }
    let error = PQ.reason(connection)
    guard !error.message.contains("session is read-only") else {
      throw .unsuitable(database: "\(address)", .replica)
    }
    throw error.fault(address)
  }

  deinit { pq.PQfinish(connection) }

  var version: Int32 { pq.PQserverVersion(connection) }

  /// The arguments of the advisory lock: each connected server shares it, and a copy holds it exclusively.
  static let usage = "\(0x4F4B_434E), hashtext('okcancel'::regclass::oid::text)"

  func clock() throws -> DatabaseClock {
    let sent = ContinuousClock.now
    let row = try run(DatabaseClock.select, []).first
    let clock = DatabaseClock()
    if let moment = row?.timestamp("now") { clock.set(moment, sent: sent) }
    return clock
  }

  /// Does one or several statements; the results are in text.
  @discardableResult
  func run(_ sql: String) throws(PQError) -> [StoreRow] { try rows(of: pq.PQexec(connection, sql)) }

  /// Does one statement.
  @discardableResult
  func run(_ sql: String, _ parameters: [StoreValue]) throws(PQError) -> [StoreRow] {
    try rows(
      of: StoreValue.with(parameters) { count, values, lengths, formats in
        pq.PQexecParams(connection, sql, count, nil, values, lengths, formats, 1)
      })
  }

  func rows(_ sql: String, _ values: [StoreValue]) throws -> [StoreRow] { try run(sql, values) }

  private func rows(of pointer: OpaquePointer?) throws(PQError) -> [StoreRow] {
    guard let result = pointer.map(PQResult.init) else {
      throw PQError(code: "08006", message: PQ.reason(connection).message)
    }
    if let error = result.error { throw error }
    return result.rows
  }

  /// The first column of the first row.
  func text(_ sql: String) throws(PQError) -> String? { try run(sql).first?.first }

  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try run("BEGIN")
    do {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      _ = try? run("ROLLBACK")
      throw error
    }
  }

  // MARK: Several statements in one go

  /// What is sent without waiting for what came before it.
  enum Request {
    case sql(String)
    case call(StoreCall)
    /// Ends what fails together with a statement. Those after it are done all the same.
    case sync
  }

  /// Gets ready for `exchange`; `run` is of no use afterwards.
  ///
  /// - Parameter prepares: whether the connection is a session of its own, which keeps what is prepared.
  func beginExchanges(prepares: Bool) throws(PQError) {
    if prepares {
      // To prepare a statement takes locks too.
      try run("SET lock_timeout = '3s'")
      for statement in StoreStatement.allCases { try run("PREPARE \"\(statement)\" AS \(statement.sql)") }
      isPrepared = true
    }
    _ = pq.PQsetnonblocking(connection, 1)
    _ = pq.PQenterPipelineMode(connection)
  }

  /// Sends these in one round trip, and hands over the result of each as it comes.
  ///
  /// - Throws: `ConnectionError` if the connection is of no use any more: what became of the rest is not known.
  func exchange(_ requests: [Request], _ receive: (Request, PQResult) -> Void) throws(ConnectionError) {
    let end = ContinuousClock.now + Self.patience
    // One that could not be sent shows as a lost connection, since its result never comes.
    for request in requests { send(request) }
    for request in requests {
      let result = try nextResult(until: end)
      if let error = result.error, error.endsConnection { throw ConnectionError(message: "\(error)") }
      let isSync = if case .sync = request { true } else { false }
      guard isSync == (result.status == PGRES_PIPELINE_SYNC) else {
        throw ConnectionError(message: "its results came in another order")
      }
      receive(request, result)
    }
  }

  private func send(_ request: Request) {
    switch request {
    case .sync: _ = pq.PQpipelineSync(connection)
    case .sql(let sql): _ = pq.PQsendQueryParams(connection, sql, 0, nil, nil, nil, nil, 1)
    case .call(let call):
      let statement = call.statement
      StoreValue.with(call.values) { count, values, lengths, formats in
        _ =
          isPrepared
          ? pq.PQsendQueryPrepared(connection, "\(statement)", count, values, lengths, formats, 1)
          : pq.PQsendQueryParams(connection, statement.sql, count, nil, values, lengths, formats, 1)
      }
    }
  }

  private func nextResult(until end: ContinuousClock.Instant) throws(ConnectionError) -> PQResult {
    // Each statement's results end with none, and a synchronization without.
    for _ in 0..<3 {
      while true {
        let unsent = pq.PQflush(connection)
        if unsent < 0 { throw PQ.reason(connection) }
        if unsent == 0, pq.PQisBusy(connection) == 0 { break }
        guard wait(for: unsent > 0 ? POLLIN | POLLOUT : POLLIN, until: end) else {
          throw ConnectionError(message: "it does not respond")
        }
        guard pq.PQconsumeInput(connection) == 1 else { throw PQ.reason(connection) }
      }
      if let pointer = pq.PQgetResult(connection) { return PQResult(pointer) }
    }
    throw ConnectionError(message: "it sent less than it was asked for")
  }

  /// Waits for the socket.
  ///
  /// - Returns: false if the time is over.
  private func wait(for events: Int32, until end: ContinuousClock.Instant) -> Bool {
    var socket = pollfd(fd: pq.PQsocket(connection), events: Int16(events), revents: 0)
    while case let left = ContinuousClock.now.duration(to: end), left > .zero {
      if poll(&socket, 1, Int32(left / .milliseconds(1)) + 1) > 0 { return true }
    }
    return false
  }

  // MARK: While nothing is under way

  var socket: Int32 { pq.PQsocket(connection) }

  /// Takes what the server has sent by itself: the payloads of what it was told by `NOTIFY`.
  ///
  /// - Throws: `ConnectionError` if it has ended the connection.
  func takeNotifications() throws(ConnectionError) -> [String] {
    var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    while poll(&descriptor, 1, 0) > 0 {
      guard pq.PQconsumeInput(connection) == 1 else { throw PQ.reason(connection) }
    }
    var payloads: [String] = []
    while let notification = pq.PQnotifies(connection) {
      payloads.append(String(cString: notification.pointee.extra))
      pq.PQfreemem(notification)
    }
    return payloads
  }
}
