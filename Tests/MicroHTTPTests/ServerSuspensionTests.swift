import MicroHTTP
import Testing

@Suite struct `A suspended reply` {
  static let request = "GET /later HTTP/1.1\r\nHost: x\r\n\r\n"

  static func running(at gate: Gate) throws -> RunningServer {
    try RunningServer { router in
      router.on(.get, "/later") { _ in
        .later {
          await gate.pass()
          return Response(.ok, type: "text/plain", text: Task.isCancelled ? "cancelled" : "later")
        }
      }
      router.on(.get, "/now") { _ in .now(Response(.ok, type: "text/plain", text: "now")) }
    }
  }

  @Test func `is sent when its task ends, and others are not held up`() async throws {
    let gate = Gate()
    let running = try Self.running(at: gate)
    let client = try running.client()
    try client.send(Self.request + "GET /now HTTP/1.1\r\nHost: x\r\n\r\n")
    await gate.arrivals(1)
    #expect(try running.answer(to: "GET /now HTTP/1.1\r\nHost: x\r\n\r\n").text == "now")
    gate.open()
    #expect(try await client.laterAnswer().text == "later")
    #expect(try await client.laterAnswer().text == "now")
  }

  @Test func `may end before it began to wait`() async throws {
    let gate = Gate()
    gate.open()
    let running = try Self.running(at: gate)
    let client = try running.client()
    for _ in 0..<500 {
      try client.send(Self.request)
      #expect(try await client.laterAnswer().text == "later")
    }
  }

  @Test func `is one of two hundred`() async throws {
    let gate = Gate()
    let running = try Self.running(at: gate)
    let clients = try (0..<200).map { _ in try running.client() }
    for client in clients { try client.send(Self.request) }
    await gate.arrivals(200)
    gate.open()
    for client in clients { #expect(try await client.laterAnswer().text == "later") }
  }

  @Test func `is dropped when its client has left`() async throws {
    let gate = Gate()
    let running = try Self.running(at: gate)
    do {
      let clients = try (0..<20).map { _ in try running.client() }
      for (index, client) in clients.enumerated() {
        try client.send(Self.request)
        if index.isMultiple(of: 2) { client.reset() }
      }
      await gate.arrivals(20)
    }
    gate.open()
    // Each of them ends, and the server goes on.
    #expect(await running.log.exchanges(20).count == 20)
    #expect(try running.answer(to: "GET /now HTTP/1.1\r\nHost: x\r\n\r\n").text == "now")
  }
}

@Suite struct `A draining server` {
  @Test func `lets a running request end`() async throws {
    let gate = Gate()
    let running = try `A suspended reply`.running(at: gate)
    let client = try running.client()
    try client.send(`A suspended reply`.request)
    await gate.arrivals(1)
    async let drained: Void = running.server.drain(deadline: .seconds(60))
    gate.open()
    #expect(try await client.laterAnswer().text == "later")
    await drained
    #expect(try client.isClosed())
    #expect(running.server.port == nil)
    #expect(throws: RawClient.Failure.self) { try running.client() }
  }

  @Test func `answers 503 for what outlasts the deadline, and cancels it`() async throws {
    let gate = Gate()
    let running = try `A suspended reply`.running(at: gate)
    let clients = try (0..<20).map { _ in try running.client() }
    for client in clients { try client.send(`A suspended reply`.request) }
    await gate.arrivals(20)
    await running.server.drain(deadline: .zero)
    for client in clients {
      let answer = try client.answer()
      #expect(answer.status == 503)
      #expect(answer.header("Retry-After") == "5")
      #expect(try client.isClosed())
    }
    gate.open()
  }

  @Test func `refuses new requests on old connections`() async throws {
    let gate = Gate()
    let running = try `A suspended reply`.running(at: gate)
    let waiting = try running.client()
    let idle = try running.client()
    try idle.send("GET /now HTTP/1.1\r\nHost: x\r\n\r\n")
    _ = try idle.answer()
    try waiting.send(`A suspended reply`.request)
    await gate.arrivals(1)
    async let drained: Void = running.server.drain(deadline: .seconds(60))
    // Until the drain has begun, requests are answered as ever.
    var status = 200
    while status == 200 {
      try idle.send("GET /now HTTP/1.1\r\nHost: x\r\n\r\n")
      status = try idle.answer().status
      await Task.yield()
    }
    #expect(status == 503)
    #expect(try idle.isClosed())
    gate.open()
    #expect(try await waiting.laterAnswer().text == "later")
    await drained
  }

  @Test func `stops at once with suspended requests`() async throws {
    let gate = Gate()
    let running = try `A suspended reply`.running(at: gate)
    let clients = try (0..<20).map { _ in try running.client() }
    for client in clients { try client.send(`A suspended reply`.request) }
    await gate.arrivals(20)
    running.server.stop()
    running.server.stop()
    gate.open()
    for client in clients { while (try? client.answer()) != nil {} }
    #expect(running.server.port == nil)
  }
}
