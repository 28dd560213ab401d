internal import CPQ
internal import Glibc

/// A connection to a PostgreSQL database, for one thread at a time, which waits for each response.
final class PostgreSQLSession: StoreSession {
  private let connection: OpaquePointer
  private let pq: cpq
  /// True if the store's statements are prepared.
  private var isPrepared = false

  /// The time that the server has to do what is sent in one go.
  private static let patience: Duration = .seconds(10)

  /// Connects to the first of the address's servers that lets it in and takes writes.
  ///
  /// - Parameter isWanted: asked before each server after the first.
  /// - Throws: `StoreFault`.
  init(_ address: PostgreSQLAddress, isWanted: () -> Bool = { true }) throws(StoreFault) {
    pq = try PQ.open()
    var errors: [ConnectionError] = []
    for server in address.servers where errors.isEmpty || isWanted() {
      do throws(ConnectionError) {
        connection = try Self.connect(to: server, of: address, pq)
        return
      } catch { errors.append(error) }
    }
    throw ConnectionError(ofAll: errors).fault(address)
  }

  private static func connect(
    to server: PostgreSQLAddress.Server, of address: PostgreSQLAddress, _ pq: cpq
  ) throws(ConnectionError) -> OpaquePointer {
    guard let connection = address.withParameters(of: server, { pq.PQconnectStartParams($0, $1, 1) }) else {
      throw ConnectionError(message: "there is no memory")
    }
    // Errors come with their SQLSTATE codes, because the server may word its messages in any language.
    _ = pq.PQsetErrorVerbosity(connection, PQERRORS_VERBOSE)
    _ = pq.PQsetNoticeProcessor(connection, { _, _ in }, nil)
    let end = ContinuousClock.now + address.patience
    var state = pq.PQstatus(connection) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
    while state == PGRES_POLLING_READING || state == PGRES_POLLING_WRITING {
      guard wait(for: state == PGRES_POLLING_READING ? POLLIN : POLLOUT, on: pq.PQsocket(connection), until: end) else {
        pq.PQfinish(connection)
        let name = "\(server)", seconds = address.patience.components.seconds
        throw ConnectionError(message: "\(name.isEmpty ? "it" : name) did not respond within \(seconds) s")
      }
      state = pq.PQconnectPoll(connection)
    }
    guard state != PGRES_POLLING_OK else { return connection }
    defer { pq.PQfinish(connection) }
    throw PQ.reason(connection)
  }

  deinit { pq.PQfinish(connection) }

  var version: Int32 { pq.PQserverVersion(connection) }

  /// The arguments of the advisory lock: each connected server shares it, and a copy holds it exclusively.
  static let usage = "\(0x4F4B_434E), hashtext('okcancel'::regclass::oid::text)"

  /// The column `now`, in milliseconds since 1970.
  static let selectNow = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now"

  func clock() throws -> DatabaseClock {
    let sent = ContinuousClock.now
    let clock = DatabaseClock()
    if let moment = try run(Self.selectNow, []).first?.timestamp("now") { clock.set(moment, sent: sent) }
    return clock
  }

  /// Does one or several statements; the results are in text.
  @discardableResult
  func run(_ sql: String) throws(PQError) -> [StoreRow] { try rows(of: pq.PQexec(connection, sql)) }

  var dialect: SQLDialect { .postgreSQL }

  /// Does one statement.
  @discardableResult
  func run(_ sql: String, _ parameters: [StoreValue]) throws(PQError) -> [StoreRow] {
    try rows(
      of: StoreValue.with(parameters) { count, values, lengths, formats in
        pq.PQexecParams(connection, sql, count, nil, values, lengths, formats, 1)
      })
  }

  private func rows(of pointer: OpaquePointer?) throws(PQError) -> [StoreRow] {
    guard let result = pointer.map(PQResult.init) else {
      throw PQError(code: "08006", message: PQ.reason(connection).message)
    }
    if let error = result.error { throw error }
    return result.rows
  }

  /// The first column of the first row.
  func text(_ sql: String) throws(PQError) -> String? { try run(sql).first?.first }

  func lastPosition() throws -> Int {
    try text("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM answer_positions").flatMap { Int($0) } ?? 0
  }

  func setLastPosition(_ position: Int) throws {
    if position > 0 { try run("SELECT setval('answer_positions', \(position))") }
    // A database whose answers were all purged still knows their last positions.
    try run(
      "INSERT INTO positions SELECT prompt, max(position) FROM answers GROUP BY prompt "
        + "ON CONFLICT (prompt) DO UPDATE SET last = excluded.last")
  }

  // MARK: Several statements in one go

  /// A request that is sent without waiting for the ones before it.
  enum Request {
    case sql(String)
    case call(StoreCall)
    /// Ends a group of statements that fail together. Statements after it still run if the group fails.
    case sync
  }

  /// Gets ready for `exchange`; `run` no longer works afterwards.
  ///
  /// - Parameter prepares: whether to prepare the statements: only if the server keeps one session for this connection,
  ///   as it does without a pooler.
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
  /// - Throws: `ConnectionError` if the connection can no longer be used: the results of the other requests are
  ///   unknown.
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
    // libpq ends each statement's results with a null pointer, and adds none after a synchronization.
    for _ in 0..<3 {
      while true {
        let unsent = pq.PQflush(connection)
        if unsent < 0 { throw PQ.reason(connection) }
        if unsent == 0, pq.PQisBusy(connection) == 0 { break }
        guard Self.wait(for: unsent > 0 ? POLLIN | POLLOUT : POLLIN, on: socket, until: end) else {
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
  private static func wait(for events: Int32, on socket: Int32, until end: ContinuousClock.Instant) -> Bool {
    var socket = pollfd(fd: socket, events: Int16(events), revents: 0)
    while case let left = ContinuousClock.now.duration(to: end), left > .zero {
      if poll(&socket, 1, Int32(left / .milliseconds(1)) + 1) > 0 { return true }
    }
    return false
  }

  // MARK: While nothing is under way

  /// Subscribes to the notifications of other nodes, and takes a lock that prevents a copy while this connection lives.
  func listen() throws(PQError) {
    // If the lock is not free, the server works without it.
    try run("LISTEN okcancel; SELECT pg_try_advisory_lock_shared(\(Self.usage))")
  }

  var socket: Int32 { pq.PQsocket(connection) }

  /// Takes the notifications that the server has sent, and returns their `NOTIFY` payloads.
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
