import Testing

@testable import Asks
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `Waiting for an outcome` {
  let waiters = Waiters()
  let id = AskID()

  private func start(_ count: Int, for id: AskID, besides others: Int = 0) async -> [Task<ClosedAsk?, any Error>] {
    let tasks = (0..<count).map { _ in
      Task { [waiters] in try await waiters.wait(for: id, atMost: .seconds(600)) { nil } }
    }
    while waiters.count < count + others, !Task.isCancelled { await Task.yield() }
    return tasks
  }

  @Test func `ends for all of one ask, and for no other`() async throws {
    let tasks = await start(10, for: id)
    waiters.wake(.cancelled(AskID()))
    #expect(waiters.count == 10)
    waiters.wake(.cancelled(id))
    for task in tasks { #expect(try await task.value?.id == id) }
    #expect(waiters.count == 0)
  }

  @Test func `ends at once if the store knows the outcome`() async throws {
    let found = try await waiters.wait(for: id, atMost: .seconds(600)) { .cancelled(id) }
    #expect(found?.id == id)
    #expect(waiters.count == 0)
  }

  @Test func `misses no outcome that comes while the store is read`() async throws {
    let found = try await waiters.wait(for: id, atMost: .seconds(600)) {
      waiters.wake(.cancelled(id))
      return nil
    }
    #expect(found?.id == id)
    #expect(waiters.count == 0)
  }

  @Test func `ends with nothing when the time is over`() async throws {
    #expect(try await waiters.wait(for: id, atMost: .milliseconds(1)) { nil }?.id == nil)
    #expect(waiters.count == 0)
  }

  @Test func `frees its place when it is cancelled, before and after it is suspended`() async throws {
    let tasks = await start(100, for: id)
    for task in tasks { task.cancel() }
    for task in tasks { #expect(try await task.value?.id == nil) }
    #expect(waiters.count == 0)
    let late = Task { [waiters, id] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await waiters.wait(for: id, atMost: .seconds(600)) { nil }
    }
    #expect(try await late.value?.id == nil)
    #expect(waiters.count == 0)
  }

  @Test func `frees its place when the store cannot be read`() async throws {
    await #expect(throws: StoreFault("closed")) {
      try await waiters.wait(for: id, atMost: .seconds(600)) { throw StoreFault("closed") }
    }
    #expect(waiters.count == 0)
  }

  @Test func `ends for all when the process stops`() async throws {
    let tasks = await start(3, for: id)
    let others = await start(3, for: AskID(), besides: 3)
    waiters.releaseAll()
    for task in tasks + others { #expect(try await task.value?.id == nil) }
    #expect(waiters.count == 0)
  }

  @Test func `has one timer for all, which rings for each when its time is over`() async throws {
    let clock = ManualClock()
    let waiters = Waiters(clock: clock)
    func start(_ seconds: Int) async -> Task<Bool, any Error> {
      let before = waiters.count
      let task = Task { [id] in try await waiters.wait(for: id, atMost: .seconds(seconds)) { nil } == nil }
      while waiters.count == before, !Task.isCancelled { await Task.yield() }
      return task
    }
    func alarm(at seconds: Int) async {
      while clock.alarms != [.seconds(seconds)], !Task.isCancelled { await Task.yield() }
    }

    let (long, short) = (await start(20), await start(10))
    await alarm(at: 10)
    clock.advance(by: .seconds(5))
    let middle = await start(10)
    clock.advance(by: .seconds(5))
    #expect(try await short.value)
    #expect(waiters.count == 2)
    await alarm(at: 15)
    middle.cancel()
    #expect(try await middle.value)
    clock.advance(by: .seconds(5))
    await alarm(at: 20)
    #expect(waiters.count == 1)
    clock.advance(by: .seconds(5))
    #expect(try await long.value)
    #expect(clock.alarms == [])
  }

  @Test func `ends once, also if others end it too`() async throws {
    for _ in 0..<500 {
      let task = Task { [waiters, id] in
        try await waiters.wait(for: id, atMost: .seconds(600)) { .cancelled(id) }
      }
      async let woken: Void = waiters.wake(.cancelled(id))
      async let released: Void = waiters.releaseAll()
      task.cancel()
      // A second end would trap here.
      _ = try await task.value
      _ = await (woken, released)
    }
    #expect(waiters.count == 0)
  }

  @Test func `ends at once, with what the store knows, when all were released`() async throws {
    waiters.releaseAll()
    #expect(try await waiters.wait(for: id, atMost: .seconds(600)) { nil }?.id == nil)
    #expect(try await waiters.wait(for: id, atMost: .seconds(600)) { .cancelled(id) }?.id == id)
    #expect(waiters.count == 0)
  }
}

extension ClosedAsk {
  fileprivate static func cancelled(_ id: AskID) -> ClosedAsk {
    ClosedAsk(
      id: id, prompt: nil, createdAt: Timestamp(milliseconds: 0), outcome: .cancel,
      closedAt: Timestamp(milliseconds: 0), json: Sealable(stored: bytes("{}"), context: ""))
  }
}
