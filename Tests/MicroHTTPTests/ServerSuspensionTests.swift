import Synchronization
import Testing

@testable import MicroHTTP

@Suite(.timeLimit(.minutes(5))) struct `A suspended reply` {
  static func running(at gate: Gate) throws -> RunningServer {
    try RunningServer { router in
      router.on(.get, "/later") { _ in
        .later {
          await gate.pass()
          return .text(Task.isCancelled ? "cancelled" : "later")
        }
      }
      router.on(.get, "/now") { _ in .now(.text("now")) }
    }
  }

  @Test func `is sent when its task ends, and others are not held up`() async throws {
    let gate = Gate()
    let running = try Self.running(at: gate)
    let client = try running.client(sending: get("/later") + get("/now"))
    await gate.arrivals(1)
    #expect(try running.answer(to: get("/now")).text == "now")
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
      try client.send(get("/later"))
      #expect(try await client.laterAnswer().text == "later")
    }
  }

  @Test func `is one of two hundred`() async throws {
    let gate = Gate()
    let running = try Self.running(at: gate)
    let clients = try running.clients(200, sending: get("/later"))
    await gate.arrivals(200)
    gate.open()
    for client in clients { #expect(try await client.laterAnswer().text == "later") }
  }

  @Test func `is dropped when its client has left`() async throws {
    let gate = Gate()
    let running = try Self.running(at: gate)
    do {
      let clients = try running.clients(20)
      for (index, client) in clients.enumerated() {
        try client.send(get("/later"))
        if index.isMultiple(of: 2) { client.reset() }
      }
      await gate.arrivals(20)
    }
    gate.open()
    // Each of them ends, and the server goes on.
    #expect(await running.log.exchanges(20).count == 20)
    #expect(try running.answer(to: get("/now")).text == "now")
  }
}

/// A server whose responses somebody else sends.
private struct Waiting: Sendable {
  struct Waiter: Sendable {
    let answer: AsyncStream<Response>.Continuation
    /// Passed when its task is cancelled.
    let givenUp = Gate()
  }

  private let waiters = AsyncStream<Waiter>.makeStream()

  /// - Parameter meanwhile: called while a connection rests, and nobody knows yet how to cancel its task.
  func running(
    adjust: (inout Server.Configuration) -> Void = { _ in }, meanwhile: @escaping @Sendable () -> Void = {}
  ) throws -> RunningServer {
    try RunningServer(adjust: adjust) { router in
      router.on(.get, "/later") { _ in
        .later {
          let (answers, answer) = AsyncStream<Response>.makeStream()
          let waiter = Waiter(answer: answer)
          waiter.givenUp.open()
          waiters.continuation.yield(waiter)
          meanwhile()
          for await response in answers { return response }
          await waiter.givenUp.pass()
          return .given
        }
      }
    }
  }

  func next() async -> Waiter {
    var iterator = waiters.stream.makeAsyncIterator()
    return await iterator.next()!
  }
}

extension Response {
  fileprivate static let given = Response.text("given up")
}

@Suite(.timeLimit(.minutes(5))) struct `A reply that waits` {
  private let waiting = Waiting()

  @Test func `is what was sent first, and its connection goes on`() async throws {
    let running = try waiting.running()
    let client = try running.client()
    for number in 0..<100 {
      try client.send(get("/later"))
      let waiter = await waiting.next()
      waiter.answer.yield(.text("\(number)"))
      waiter.answer.yield(.text("another"))
      #expect(try await client.laterAnswer().text == "\(number)")
    }
  }

  @Test(arguments: [0, 1, 8, 2048])
  func `leaves requests alone that came behind it, after empty lines as well`(emptyLines: Int) async throws {
    let running = try waiting.running()
    let client = try running.client()
    let empty = String(repeating: "\r\n", count: emptyLines)
    for _ in 0..<20 {
      try client.send(empty + get("/later") + empty + get("/later"))
      for number in 0..<2 {
        await waiting.next().answer.yield(.text("\(number)"))
        #expect(try await client.laterAnswer().text == "\(number)")
      }
    }
  }

  @Test func `is given up when its peer has left`() async throws {
    let running = try waiting.running { $0.deadlines.halfClosed = .seconds(3600) }
    let waiter: Waiting.Waiter
    do {
      let client = try running.client(sending: get("/later"))
      waiter = await waiting.next()
      client.reset()
    }
    await waiter.givenUp.arrivals(1)
    #expect(await running.log.exchanges(1).count == 1)
  }

  @Test func `is given up when its peer leaves before it waits`() async throws {
    let client = Mutex<RawClient?>(nil)
    let running = try waiting.running(
      adjust: { $0.deadlines.halfClosed = .seconds(3600) },
      meanwhile: {
        client.withLock { client in
          client?.reset()
          client = nil
        }
      })
    for round in 1...5 {
      do {
        let next = try running.client()
        client.withLock { $0 = next }
        try next.send(get("/later"))
      }
      await waiting.next().givenUp.arrivals(1)
      #expect(await running.log.exchanges(round).count == round)
    }
  }

  @Test func `is given up, and answered 503, when the server stops`() async throws {
    let running = try waiting.running()
    let client = try running.client(sending: get("/later"))
    let waiter = await waiting.next()
    await running.server.drain(deadline: .zero)
    await waiter.givenUp.arrivals(1)
    #expect(try client.answer().status == 503)
    #expect(try client.isClosed())
    waiter.answer.yield(.given)
  }
}
