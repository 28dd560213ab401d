import Testing

@testable import MicroHTTP

/// A server whose work waits for its task to be cancelled.
private struct Waiting: Sendable {
  let running: RunningServer
  /// Passed by work that has begun.
  let begun = Gate()
  /// Passed by work that was cancelled.
  let cancelled = Gate()

  init(halfClosed: Duration) throws {
    let (begun, cancelled) = (begun, cancelled)
    begun.open()
    @Sendable func wait() async {
      await begun.pass()
      await withTaskCancellationHandler {
        await cancelled.pass()
      } onCancel: {
        cancelled.open()
      }
    }
    running = try RunningServer {
      $0.deadlines.halfClosed = halfClosed
    } _: { router in
      router.on(.get, "/later") { _ in
        .later {
          await wait()
          return .text("cancelled")
        }
      }
      router.on(.get, "/stream") { _ in
        .stream { writer in
          writer.write("first")
          await wait()
          writer.write("too late")
        }
      }
    }
  }
}

@Suite(.timeLimit(.minutes(5))) struct `A peer that leaves` {
  @Test(arguments: ["/later", "/stream"], [true, false])
  func `cancels what is worked on for it, at once when it resets, a moment after it closes`(
    path: String, resets: Bool
  ) async throws {
    let waiting = try Waiting(halfClosed: resets ? .seconds(3600) : .milliseconds(20))
    do {
      let client = try waiting.running.client(sending: get(path))
      await waiting.begun.arrivals(1)
      if resets { client.reset() }
    }
    await waiting.cancelled.arrivals(1)
    #expect(await waiting.running.log.exchanges(1)[0].path == path)
  }

  @Test func `still gets its response if it has closed only one side`() async throws {
    let waiting = try Waiting(halfClosed: .milliseconds(20))
    let client = try waiting.running.client(sending: get("/later"))
    client.finishSending()
    #expect(try await client.laterAnswer().text == "cancelled")
    #expect(try client.isClosed())
  }

  /// libmicrohttpd by itself would answer where a thread has no other connection, and send nothing where it has one.
  @Test func `gets its answer if it has closed one side, beside connections that are idle`() async throws {
    let running = try RunningServer { router in
      router.on(.get, "/") { _ in .now(Response(.ok)) }
      router.on(.post, "/") { request in
        .later { .text("\(request.body.count)") }
      }
    }
    let idle = try running.clients(16)
    for client in idle {
      _ = try client.answer(to: get())
    }
    for _ in 0..<50 {
      let client = try running.client()
      try client.send(String(repeating: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc", count: 2))
      client.finishSending()
      for _ in 0..<2 { #expect(try await client.laterAnswer().text == "3") }
      #expect(try await client.later { try $0.isClosed() })
    }
    // Still there.
    for client in idle {
      #expect(try client.answer(to: get()).status == 200)
    }
  }

  @Test func `still gets the end of a stream if it has closed only one side`() async throws {
    let waiting = try Waiting(halfClosed: .milliseconds(20))
    let client = try waiting.running.client(sending: get("/stream"))
    client.finishSending()
    _ = try await client.laterAnswer()
    #expect(try await client.later { try $0.chunks() } == "first")
    #expect(try client.isClosed())
  }

  @Test func `is given time to read what is finished in time`() async throws {
    let gate = Gate()
    let running = try RunningServer {
      $0.deadlines.halfClosed = .seconds(60)
    } _: { router in
      router.on(.post, "/") { request in
        .later {
          await gate.pass()
          return .text("\(request.body.count) \(Task.isCancelled)")
        }
      }
    }
    let client = try running.client(sending: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc")
    client.finishSending()
    await gate.arrivals(1)
    gate.open()
    #expect(try await client.laterAnswer().text == "3 false")
  }

  @Test func `frees its slot`() async throws {
    let waiting = try Waiting(halfClosed: .milliseconds(20))
    for round in 1...5 {
      do {
        let clients = try waiting.running.clients(40)
        for client in clients { try client.send(get("/later")) }
        await waiting.begun.arrivals(40 * round)
      }
      #expect(await waiting.running.log.exchanges(40 * round).count == 40 * round)
    }
  }

  /// libmicrohttpd by itself would find most of these at their deadlines.
  @Test(arguments: [
    ("", 0), ("GET / HT", 0), (get(), 1),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na", 0),
  ])
  func `frees its connection when its end comes together with bytes`(bytes: String, answers: Int) async throws {
    let running = try RunningServer {
      ($0.deadlines.head, $0.deadlines.body, $0.deadlines.idle) = (.seconds(3600), .seconds(3600), .seconds(3600))
    } _: {
      $0.on(.get, "/") { _ in .now(Response(.ok)) }
    }
    let clients = try running.clients(50)
    for client in clients {
      if !bytes.isEmpty { try client.send(bytes) }
      client.finishSending()
    }
    for client in clients {
      for _ in 0..<answers { #expect(try client.answer().status == 200) }
      #expect(try client.isClosed())
    }
  }
}
