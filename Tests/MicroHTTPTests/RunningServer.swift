import Synchronization

@testable import MicroHTTP

/// A server on a free port, with what it observed.
final class RunningServer: Sendable {
  let server: Server
  let port: Int
  let log = RequestLog()

  init(
    threads: Int = 2, adjust: (inout Server.Configuration) -> Void = { _ in }, _ build: (inout Router) -> Void
  ) throws {
    var router = Router()
    build(&router)
    var configuration = Server.Configuration(port: 0, threads: threads)
    adjust(&configuration)
    server = Server(configuration: configuration, application: ObservedRouter(router: router, log: log))
    try server.start()
    port = server.port!
  }

  /// A client that has sent these bytes.
  func client(sending text: String = "") throws -> RawClient {
    let client = try RawClient(port: port)
    try client.send(text)
    return client
  }

  /// So many of them; each has connected before the first one sends.
  func clients(_ count: Int, sending text: String = "") throws -> [RawClient] {
    let clients = try (0..<count).map { _ in try client() }
    for client in clients { try client.send(text) }
    return clients
  }

  /// Sends these bytes on a connection of their own and reads one answer.
  func answer(to text: String) throws -> RawClient.Answer { try client().answer(to: text) }
}

/// A router whose requests are observed.
private final class ObservedRouter: Application {
  private let application: RoutedApplication
  private let log: RequestLog

  init(router: Router, log: RequestLog) { (application, self.log) = (RoutedApplication(router), log) }

  func handler(for head: Request) -> Handler { application.handler(for: head) }

  func completed(_ request: CompletedRequest) { log.add(request) }
}

/// Requests as they complete, and a way to wait for them.
final class RequestLog: Sendable {
  private struct State {
    var exchanges: [CompletedRequest] = []
    var waiting: [(count: Int, continuation: CheckedContinuation<[CompletedRequest], Never>)] = []
  }

  private let state = Mutex(State())

  func add(_ exchange: CompletedRequest) {
    let (all, ready) = state.withLock { state in
      state.exchanges.append(exchange)
      let ready = state.waiting.filter { $0.count <= state.exchanges.count }
      state.waiting.removeAll { $0.count <= state.exchanges.count }
      return (state.exchanges, ready)
    }
    for waiter in ready { waiter.continuation.resume(returning: all) }
  }

  /// All exchanges, as soon as there are `count` of them.
  func exchanges(_ count: Int) async -> [CompletedRequest] {
    await withCheckedContinuation { continuation in
      let all: [CompletedRequest]? = state.withLock { state in
        guard state.exchanges.count < count else { return state.exchanges }
        state.waiting.append((count, continuation))
        return nil
      }
      if let all { continuation.resume(returning: all) }
    }
  }
}

/// Opens once; who comes before waits.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var arrived = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
    var counting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  func pass() async {
    await withCheckedContinuation { continuation in
      let (passes, ready) = state.withLock { state in
        state.arrived += 1
        let ready = state.counting.filter { $0.count <= state.arrived }
        state.counting.removeAll { $0.count <= state.arrived }
        if !state.isOpen { state.waiting.append(continuation) }
        return (state.isOpen, ready)
      }
      for waiter in ready { waiter.continuation.resume() }
      if passes { continuation.resume() }
    }
  }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Returns as soon as so many are at the gate.
  func arrivals(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.arrived < count { state.counting.append((count, continuation)) }
        return state.arrived >= count
      }
      if isReached { continuation.resume() }
    }
  }
}

/// The bytes of a request without a body.
func get(_ path: String = "/") -> String { "GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n" }

extension Response {
  static func text(_ text: String) -> Response { Response(.ok, type: "text/plain", bytes: Array(text.utf8)) }
}

extension Reply {
  static func stream(_ work: @escaping @Sendable (BodyWriter) async -> Void) -> Reply {
    .now(Response(.ok, body: .stream(work)))
  }
}
