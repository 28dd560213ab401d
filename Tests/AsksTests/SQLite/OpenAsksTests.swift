@testable import Asks
import Dispatch
import Prompts
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Asks that are open` {
  let directory: TemporaryDirectory
  let clock = TestClock()
  let store: SQLiteAskStore

  init() throws {
    directory = try TemporaryDirectory()
    let path = directory.file("asks.sqlite")
    store = try SQLiteAskStore(
      path, secrets: .beside(path, environment: nil), waiters: Waiters(), clock: clock.wallClock)
  }

  private func make(_ draft: AskDraft = .sample) async throws -> (ask: Ask, token: LinkToken) {
    guard case .created(let ask, let token) = try await store.create(draft, idempotency: nil) else {
      throw StoreUnderTest.NotCreated()
    }
    return (ask, token)
  }

  @Test func `are found while the database is busy`() async throws {
    let (ask, token) = try await make()
    let gate = DispatchSemaphore(value: 0)
    let connection = store.connection
    let holder = Task { try await connection.read { _ in gate.wait() } }
    #expect(try await store.ask(ask.id)?.isOpen == true)
    #expect(try await store.ask(linkedBy: token)?.id == ask.id)
    #expect(try await store.outcome(of: ask.id) == nil)
    gate.signal()
    try await holder.value
  }

  @Test func `are no longer open once they are closed, or their time is over`() async throws {
    let (closed, token) = try await make()
    _ = try await store.close(closed.id, as: .cancel)
    #expect(try await store.ask(closed.id)?.closed?.outcome == .cancel)
    #expect(try await store.ask(linkedBy: token)?.closed?.outcome == .cancel)
    let (due, dueToken) = try await make()
    clock.advance(by: AskDraft.defaultExpiry)
    #expect(try await store.ask(linkedBy: dueToken)?.closed?.outcome == .expired)
    #expect(try await store.outcome(of: due.id)?.outcome == .expired)
  }

  @Test func `are read from the database once too many younger ones are there`() async throws {
    let (first, token) = try await make()
    var large = AskDraft.sample
    large.values = [UInt8](repeating: UInt8(ascii: " "), count: 1 << 20)
    for _ in 0..<8 { _ = try await make(large) }
    let open = OpenAsks()
    open.add(first, linkedBy: token)
    for _ in 0..<8 {
      let (ask, token) = try await make(large)
      open.add(ask, linkedBy: token)
    }
    #expect(open[first.id] == nil)
    #expect(open[token] == nil)
    #expect(try await store.ask(linkedBy: token)?.id == first.id)
  }
}
