internal import CPQ
internal import Foundation
internal import Glibc
internal import Synchronization

/// What a connection is for. Reads do not wait for a commit, and poolers keep no LISTEN.
enum PostgreSQLRole: CaseIterable, Sendable { case reads, writes, listens }

/// One statement and who waits for it.
struct PostgreSQLQuery: Sendable {
  let call: StoreCall
  var attempts = 0
  let continuation: CheckedContinuation<PQResult, any Error>

  func succeed(_ result: PQResult) { continuation.resume(returning: result) }
  func fail(_ fault: StoreFault) { continuation.resume(throwing: fault) }
}

/// Three connections to a PostgreSQL, and the one thread that works them; nobody else waits for a socket.
///
/// A connection that is lost comes back by itself. Until the first attempt has failed, statements wait for it; then they
/// are refused until it is there.
final class PostgreSQLClient: Sendable {
  enum Event: Sendable {
    case connected(PostgreSQLRole)
    /// Another node, or this one, closed these asks.
    case notified([AskID])
    /// A second has passed.
    case tick
  }

  /// As with SQLite: writes that may wait, and statements that share a round trip.
  private static let (capacity, batch) = (1024, 128)

  private struct State {
    var waiting: [PostgreSQLRole: [PostgreSQLQuery]] = [.reads: [], .writes: []]
    /// Why a connection is not there, for those that are not.
    var lost: [PostgreSQLRole: StoreFault] = [:]
    /// Those of them that could not be had back at once.
    var refusing: Set<PostgreSQLRole> = []
    var writeFault: StoreFault?
    var isClosed = false
    var isWoken = false
    var closing: [CheckedContinuation<Void, Never>] = []
    var hasEnded = false
  }

  private let state = Mutex(State())
  private let wakeUp = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
  private let address: PostgreSQLAddress
  private let direct: PostgreSQLAddress?
  /// Set by whatever the database says of it.
  let clock: DatabaseClock
  private let onCommit: @Sendable (Duration, Int) -> Void
  private let onEvent = Mutex<@Sendable (Event) -> Void>({ _ in })

  /// - Parameters:
  ///   - address: of the server, or of a pooler if there is a direct one.
  ///   - direct: the server's own, for LISTEN, or `nil` if the other one is.
  init(
    to address: PostgreSQLAddress, direct: PostgreSQLAddress?, clock: DatabaseClock,
    onCommit: @escaping @Sendable (Duration, Int) -> Void
  ) {
    (self.address, self.direct, self.clock, self.onCommit) = (address, direct, clock, onCommit)
  }

  deinit { Glibc.close(wakeUp) }

  func start(_ handler: @escaping @Sendable (Event) -> Void) {
    onEvent.withLock { $0 = handler }
    Thread.detachNewThread { self.run() }
  }

  /// Does the statement, and with a write returns after the commit.
  func perform(_ call: StoreCall, _ role: PostgreSQLRole) async throws -> [PQRow] {
    try await withCheckedThrowingContinuation { continuation in
      let query = PostgreSQLQuery(call: call, continuation: continuation)
      let refusal: StoreFault? = state.withLock { state in
        if state.isClosed { return .closed }
        if state.refusing.contains(role), let fault = state.lost[role] { return fault }
        if role == .writes, state.waiting[role, default: []].count >= Self.capacity { return .overloaded }
        state.waiting[role, default: []].append(query)
        return nil
      }
      if let refusal { query.fail(refusal) } else { wake() }
    }.rows
  }

  var health: StoreHealth {
    state.withLock { state in
      let fault = state.lost[.writes] ?? state.lost[.reads] ?? state.writeFault
      return fault.map { .unhealthy($0) } ?? .healthy
    }
  }

  /// Refuses new statements, ends when those that wait are done, and returns then.
  func close() async {
    stop()
    await withCheckedContinuation { continuation in
      let hasEnded = state.withLock { state in
        if !state.hasEnded { state.closing.append(continuation) }
        return state.hasEnded
      }
      if hasEnded { continuation.resume() }
    }
  }

  func stop() {
    state.withLock { $0.isClosed = true }
    wake()
  }

  private func wake() {
    let wakes = state.withLock { state in
      defer { state.isWoken = true }
      return !state.isWoken
    }
    if wakes { eventfd_write(wakeUp, 1) }
  }

  // MARK: What connections say

  func take(for role: PostgreSQLRole) -> [PostgreSQLQuery] {
    let queries = state.withLock { state in
      let batch = Array(state.waiting[role, default: []].prefix(Self.batch))
      state.waiting[role]?.removeFirst(batch.count)
      return batch
    }
    return role == .writes ? queries.sorted { $0.call.lock.text < $1.call.lock.text } : queries
  }

  func connected(_ role: PostgreSQLRole) {
    state.withLock { state in
      state.lost[role] = nil
      state.refusing.remove(role)
    }
    tell(.connected(role))
  }

  /// - Parameter isWaitedFor: whether what waits goes on waiting, for an attempt to connect that follows at once.
  func lost(_ role: PostgreSQLRole, _ fault: StoreFault, isWaitedFor: Bool) {
    let refused = state.withLock { state -> [PostgreSQLQuery] in
      state.lost[role] = fault
      if isWaitedFor { return [] }
      state.refusing.insert(role)
      defer { state.waiting[role] = [] }
      return state.waiting[role, default: []]
    }
    for query in refused { query.fail(fault) }
  }

  func committed(_ count: Int, in duration: Duration) {
    state.withLock { $0.writeFault = nil }
    onCommit(duration, count)
  }

  func failed(_ fault: StoreFault) { state.withLock { $0.writeFault = fault } }

  func notify(_ payload: String) {
    tell(.notified(payload.split(separator: ",").compactMap { AskID(String($0)) }))
  }

  private func tell(_ event: Event) { onEvent.withLock(\.self)(event) }

  // MARK: The thread

  private func run() {
    let connections = [
      PostgreSQLConnection(.reads, to: address, prepares: direct == nil, of: self),
      PostgreSQLConnection(.writes, to: address, prepares: direct == nil, of: self),
      PostgreSQLConnection(.listens, to: direct ?? address, prepares: false, of: self),
    ]
    for connection in connections { connection.advance(isReady: false) }
    var nextTick = ContinuousClock.now + .seconds(1)
    while !canEnd(connections) {
      var ready: Set<Int32> = []
      wait(for: connections, until: nextTick, &ready)
      for connection in connections {
        connection.advance(isReady: connection.interest.map { ready.contains($0.fd) } ?? false)
      }
      if nextTick <= .now {
        nextTick = .now + .seconds(1)
        tell(.tick)
      }
    }
    let (waiting, closing) = state.withLock { state in
      state.hasEnded = true
      defer { (state.waiting, state.closing) = ([:], []) }
      return (state.waiting.values.flatMap(\.self), state.closing)
    }
    for query in waiting { query.fail(.closed) }
    for continuation in closing { continuation.resume() }
  }

  private func canEnd(_ connections: [PostgreSQLConnection]) -> Bool {
    let (isClosed, isEmpty, isLost) = state.withLock { state in
      (state.isClosed, state.waiting.values.allSatisfy(\.isEmpty), !state.lost.isEmpty)
    }
    return isClosed && (isEmpty || isLost) && connections.allSatisfy(\.isAtRest)
  }

  private func wait(
    for connections: [PostgreSQLConnection], until tick: ContinuousClock.Instant, _ ready: inout Set<Int32>
  ) {
    var descriptors = [pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)] + connections.compactMap(\.interest)
    let alarm = connections.compactMap(\.alarm).reduce(tick, min)
    // Rounded up: a little too early would go round and round.
    let pause = max(.zero, ContinuousClock.now.duration(to: alarm)) / .milliseconds(1)
    poll(&descriptors, nfds_t(descriptors.count), Int32(pause.rounded(.up)))
    if descriptors[0].revents != 0 {
      var count: UInt64 = 0
      eventfd_read(wakeUp, &count)
      state.withLock { $0.isWoken = false }
    }
    ready = Set(descriptors.dropFirst().lazy.filter { $0.revents != 0 }.map { $0.fd })
  }
}
