import Synchronization
import Testing

@testable import MicroHTTP

@Suite(.timeLimit(.minutes(5))) struct `A streamed body` {
  static func running(_ work: @escaping @Sendable (BodyWriter) async -> Void) throws -> RunningServer {
    try RunningServer { router in
      router.on(.get, "/stream") { _ in
        .now(Response(.ok, headers: [("Content-Type", "text/event-stream")], body: .stream(work)))
      }
      router.on(.get, "/later") { _ in .later { Response(.ok, body: .stream(work)) } }
      router.on(.get, "/now") { _ in .now(.text("now")) }
    }
  }

  @Test(arguments: ["/stream", "/later"])
  func `comes as it is written, and the connection goes on`(path: String) async throws {
    let first = Gate()
    let running = try Self.running { writer in
      writer.write("one")
      await first.pass()
      writer.write(Array("two".utf8))
    }
    let client = try running.client(sending: get(path))
    let head = try await client.laterAnswer()
    #expect(head.status == 200)
    #expect(head.header("Transfer-Encoding") == "chunked")
    #expect(head.header("Content-Length") == nil)
    #expect(try await client.later { try $0.chunk() } == Array("one".utf8))
    // Another request is not held up by a body that waits.
    #expect(try running.answer(to: get("/now")).text == "now")
    first.open()
    #expect(try await client.later { try $0.chunk() } == Array("two".utf8))
    #expect(try await client.later { try $0.chunk() } == [])
    #expect(try client.answer(to: get("/now")).text == "now")
    #expect(await running.log.exchanges(3).contains { $0.path == path && $0.responseBytes == 6 })
  }

  @Test func `ends by closing for HTTP/1.0`() async throws {
    let gate = Gate()
    let running = try Self.running { writer in
      writer.write("one")
      await gate.pass()
      writer.write("two")
    }
    let client = try running.client(sending: "GET /stream HTTP/1.0\r\nHost: x\r\n\r\n")
    #expect(try await client.laterAnswer().header("Transfer-Encoding") == nil)
    gate.open()
    #expect(try await client.later { try $0.rest() } == "onetwo")
  }

  @Test(arguments: ["1.0", "1.1"])
  func `does not begin for HEAD`(version: String) async throws {
    let begun = Atomic(false)
    let running = try Self.running { _ in begun.store(true, ordering: .relaxed) }
    let client = try running.client()
    let head = try client.answer(to: "HEAD /stream HTTP/\(version)\r\nHost: x\r\n\r\n", hasBody: false)
    #expect(head.status == 200)
    #expect(head.header("Content-Length") == nil)
    #expect(try client.isClosed())
    let hasBegun = begun.load(ordering: .relaxed)
    #expect(!hasBegun)
  }

  @Test func `may be empty, or over before anybody rests`() async throws {
    let running = try Self.running { _ in }
    let client = try running.client()
    for _ in 0..<300 {
      try client.send(get("/stream"))
      _ = try await client.laterAnswer()
      #expect(try await client.later { try $0.chunk() } == [])
    }
  }

  @Test func `keeps the order of many small writes`() async throws {
    let running = try Self.running { writer in
      for number in 0..<20_000 {
        #expect(writer.write("\(number)\n"))
        if number.isMultiple(of: 64) { await Task.yield() }
      }
    }
    let client = try running.client(sending: get("/stream"))
    _ = try await client.laterAnswer()
    let text = try await client.later { try $0.chunks() }
    #expect(text == (0..<20_000).map { "\($0)\n" }.joined())
  }

  @Test func `is one of two hundred`() async throws {
    let gate = Gate()
    let running = try Self.running { writer in
      await gate.pass()
      writer.write("event")
    }
    let clients = try running.clients(200, sending: get("/stream"))
    await gate.arrivals(200)
    gate.open()
    for client in clients {
      _ = try await client.laterAnswer()
      #expect(try await client.later { try $0.chunk() } == Array("event".utf8))
    }
  }

  @Test func `is cut off when its peer does not read, and then holds no bytes`() async throws {
    let over = Gate()
    let running = try Self.running { writer in
      let block = [UInt8](repeating: 0x2E, count: 64 * 1024)
      // The sockets' own buffers take the first megabytes.
      while writer.write(block) { await Task.yield() }
      #expect(Task.isCancelled)
      #expect(!writer.write("more"))
      await over.pass()
    }
    let client = try running.client()
    try client.send(get("/stream"))
    await over.arrivals(1)
    // The request is over though its work is not.
    let exchange = await running.log.exchanges(1)[0]
    #expect(exchange.path == "/stream")
    over.open()
  }

  /// Promise 3.5 | The server writes a long response at its reader's pace.
  @Test func `is written at the pace of its peer`() async throws {
    let most = Atomic(0)
    let waiting = Gate()
    let running = try Self.running { writer in
      let block = [UInt8](repeating: 0x2E, count: 16 * 1024)
      var sum = 0
      for _ in 0..<2000 {
        guard await writer.writeWhenReady(block) else { break }
        sum += block.count
        let unsent = sum - writer.count.load(ordering: .relaxed)
        most.store(max(most.load(ordering: .relaxed), unsent), ordering: .relaxed)
        if unsent >= BodyWriter.paceLimit { waiting.open() }
      }
    }
    let client = try running.client(sending: get("/stream"))
    // The sockets' own buffers are full before anything is read.
    await waiting.pass()
    _ = try await client.laterAnswer()
    #expect(try await client.later { try $0.chunkBytes() } == 2000 * 16 * 1024)
    #expect(most.load(ordering: .relaxed) < BodyWriter.paceLimit + 16 * 1024)
  }

  @Test func `is told when its peer goes while it waits for room`() async throws {
    let over = Gate()
    let running = try Self.running { writer in
      let block = [UInt8](repeating: 0x2E, count: 64 * 1024)
      while await writer.writeWhenReady(block) {}
      over.open()
    }
    let client = try running.client(sending: get("/stream"))
    _ = try await client.laterAnswer()
    client.reset()
    await over.pass()
  }

  @Test(arguments: [true, false])
  func `has no last chunk where it failed, or the server stopped within what has a pace`(fails: Bool) async throws {
    let gate = Gate()
    let running = try Self.running { writer in
      await writer.writeWhenReady(Array("some".utf8))
      if fails { return writer.fail() }
      await gate.pass()
    }
    let client = try running.client(sending: get("/stream"))
    _ = try await client.laterAnswer()
    #expect(try await client.later { try $0.chunk() } == Array("some".utf8))
    if !fails {
      await gate.arrivals(1)
      await running.server.drain(deadline: .zero)
    }
    #expect(try await client.later { try $0.isClosed() })
    gate.open()
  }

  @Test func `is told when its peer has gone, at the next write`() async throws {
    let gone = Gate()
    let begun = Gate()
    begun.open()
    let running = try Self.running { writer in
      await begun.pass()
      while writer.write(": still here\n\n") { await Task.yield() }
      #expect(Task.isCancelled)
      await gone.pass()
    }
    do {
      let client = try running.client(sending: get("/stream"))
      await begun.arrivals(1)
      client.reset()
    }
    await gone.arrivals(1)
    gone.open()
  }

  @Test func `says a last word when the server drains`() async throws {
    let begun = Gate()
    let cancelled = Gate()
    let running = try Self.running { writer in
      writer.write("first")
      await begun.pass()
      await withTaskCancellationHandler {
        await cancelled.pass()
      } onCancel: {
        cancelled.open()
      }
      writer.write("last")
    }
    let client = try running.client(sending: get("/stream"))
    begun.open()
    await begun.arrivals(1)
    async let drained: Void = running.server.drain(deadline: .seconds(60))
    _ = try await client.laterAnswer()
    #expect(try await client.later { try $0.chunks() } == "firstlast")
    await drained
    #expect(try client.isClosed())
  }

  @Test func `ends with the deadline of a drain if its work goes on`() async throws {
    let gate = Gate()
    let running = try Self.running { writer in
      writer.write("first")
      await gate.pass()
      #expect(!writer.write("too late"))
    }
    let clients = try running.clients(20, sending: get("/stream"))
    await gate.arrivals(20)
    await running.server.drain(deadline: .zero)
    for client in clients {
      _ = try client.answer()
      #expect(try client.chunk() == Array("first".utf8))
      #expect(try client.chunk() == [])
      #expect(try client.isClosed())
    }
    gate.open()
  }

  @Test func `does not keep a server from stopping at once`() async throws {
    let gate = Gate()
    let running = try Self.running { writer in
      writer.write("first")
      await gate.pass()
    }
    let clients = try running.clients(20, sending: get("/stream"))
    await gate.arrivals(20)
    running.server.stop()
    gate.open()
    for client in clients { _ = try? client.rest() }
    #expect(running.server.port == nil)
  }
}
