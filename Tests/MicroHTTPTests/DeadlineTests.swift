import Testing

@testable import MicroHTTP

@Suite(.timeLimit(.minutes(5))) struct `A deadline` {
  /// Time enough for a test's own thread to send a whole request, however busy the machine is.
  static let ample = Duration.seconds(1.5)

  /// A server on which everything but what is adjusted may take a minute.
  static func running(_ adjust: (inout Server.Configuration) -> Void) throws -> RunningServer {
    try RunningServer(threads: 1) { configuration in
      configuration.deadlines.head = .seconds(60)
      configuration.deadlines.body = .seconds(60)
      configuration.deadlines.response = .seconds(60)
      configuration.deadlines.idle = .seconds(60)
      adjust(&configuration)
    } _: { router in
      router.on(.get, "/") { _ in .now(.text("now")) }
      router.on(.post, "/") { .now(.text("\($0.body.count)")) }
    }
  }

  @Test(arguments: ["", "G", "\r\n\r\n", "GET / HTT", "GET / HTTP/1.1\r\nHost: x\r\nA: "])
  func `ends a head that stands still`(start: String) throws {
    let running = try Self.running { $0.deadlines.head = .milliseconds(100) }
    let client = try running.client(sending: start)
    #expect(try client.isClosed())
  }

  /// Promise 3.3 | The server disconnects slow senders and slow readers at a deadline.
  @Test(arguments: ["", "GET /", "GET / HTTP/1.1\r\nHost: x\r\nA: "])
  func `ends a head that drips`(start: String) throws {
    let running = try Self.running { $0.deadlines.head = .milliseconds(500) }
    let client = try running.client(sending: start)
    try client.drip("a")
    #expect(try client.isClosed())
    #expect(try running.answer(to: get()).text == "now")
  }

  @Test func `ends the head of a second request that drips`() throws {
    let running = try Self.running { $0.deadlines.head = .milliseconds(500) }
    let client = try running.client()
    #expect(try client.answer(to: get()).text == "now")
    try client.drip("GET / HTTP/1.1\r\nHost: x\r\nA: " + String(repeating: "a", count: 100_000))
    #expect(try client.isClosed())
  }

  @Test(arguments: [true, false])
  func `answers 408 for a body that is late`(drips: Bool) async throws {
    let running = try Self.running { $0.deadlines.body = .milliseconds(100) }
    let client = try running.client(sending: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\nabc")
    if drips { try client.drip("x") }
    let answer = try client.answer()
    #expect(answer.status == 408)
    #expect(answer.header("Connection") == "close")
    #expect(answer.text == "The request did not arrive in time.\n")
    #expect(try client.isClosed())
    #expect(await running.log.exchanges(1)[0].status == .requestTimeout)
  }

  @Test func `for a body does not begin before its head is there`() throws {
    let running = try Self.running { $0.deadlines.body = .milliseconds(100) }
    let slow = try running.client(sending: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n")
    // Another connection's deadline passes meanwhile.
    let late = try running.client()
    #expect(try late.answer(to: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n").status == 408)
    #expect(try slow.answer(to: "\r\nabc").text == "3")
  }

  @Test func `ends a connection that is kept and not used`() throws {
    let running = try Self.running { $0.deadlines.idle = .milliseconds(100) }
    let client = try running.client()
    #expect(try client.answer(to: get()).text == "now")
    #expect(try client.isClosed())
  }

  @Test func `starts again with each request`() throws {
    let running = try Self.running {
      $0.deadlines.idle = Self.ample
      $0.deadlines.head = Self.ample
    }
    let client = try running.client()
    for _ in 0..<2 {
      // Requests are made until the same deadline has ended another connection.
      let late = try running.client()
      while !late.hasNews {
        #expect(try client.answer(to: get()).text == "now")
      }
      #expect(try late.isClosed())
    }
    #expect(try client.answer(to: get()).text == "now")
  }

  /// Promise 3.3
  @Test func `ends an answer that is not read`() async throws {
    let response = Response(.ok, body: .bytes([UInt8](repeating: 0x2E, count: 32 << 20))).preparedOnce
    let running = try RunningServer { configuration in
      configuration.deadlines.response = .milliseconds(100)
      configuration.deadlines.responseRate = 1 << 30
    } _: { router in
      router.on(.get, "/") { _ in .now(response) }
    }
    let client = try running.client()
    try client.send(get())
    #expect(await running.log.exchanges(1).count == 1)
  }

  @Test func `is not set for work`() async throws {
    let gate = Gate()
    let running = try RunningServer { configuration in
      configuration.deadlines.head = Self.ample
      configuration.deadlines.body = Self.ample
      configuration.deadlines.response = Self.ample
      configuration.deadlines.idle = Self.ample
    } _: { router in
      router.on(.get, "/later") { _ in
        .later {
          await gate.pass()
          return .text("later")
        }
      }
      router.on(.get, "/stream") { _ in
        .stream { writer in
          await gate.pass()
          writer.write("event")
        }
      }
    }
    let later = try running.client(sending: get("/later"))
    let stream = try running.client(sending: get("/stream"))
    await gate.arrivals(2)
    for client in try running.clients(5) { #expect(try client.isClosed()) }
    gate.open()
    #expect(try await later.laterAnswer().text == "later")
    _ = try await stream.laterAnswer()
    #expect(try await stream.later { try $0.chunks() } == "event")
  }
}

@Suite(.timeLimit(.minutes(5))) struct `A full server` {
  @Test(arguments: [
    "", "GET / HTTP/1.1\r\nHost: x\r\nA: ", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc", get(),
  ])
  func `ends the connections that owe a request for the longest, and lets others in`(start: String) throws {
    let running = try `A deadline`.running { $0.connectionLimit = 4 }
    let owing = try running.clients(4, sending: start)
    let others = try (0..<8).map { _ in
      let other = try running.client(sending: get())
      #expect(try other.answer().text == "now")
      return other
    }
    for client in owing + others.prefix(4) {
      if start == get() { _ = try? client.answer() }
      #expect(try client.isClosed())
    }
  }

  @Test func `keeps those that work`() async throws {
    let gate = Gate()
    let running = try RunningServer(threads: 1) {
      $0.connectionLimit = 4
    } _: { router in
      router.on(.get, "/") { _ in .now(.text("now")) }
      router.on(.get, "/later") { _ in
        .later {
          await gate.pass()
          return .text("later")
        }
      }
    }
    let later = try running.clients(3, sending: get("/later"))
    await gate.arrivals(3)
    for _ in 0..<5 { #expect(try running.answer(to: get()).text == "now") }
    gate.open()
    for client in later { #expect(try await client.laterAnswer().text == "later") }
  }
}
