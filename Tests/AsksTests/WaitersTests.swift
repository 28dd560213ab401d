@testable import Asks
import Foundation
import Testing

@Suite("Waiting for an outcome")
struct WaitersTests {
  let waiters = Waiters()
  let id = AskID()

  private func closed(_ id: AskID) -> ClosedAsk {
    ClosedAsk(id: id, outcome: "cancel", closedAt: Timestamp(milliseconds: 0), json: Sealable(stored: bytes("{}")))
  }

  private func start(_ count: Int, for id: AskID, besides others: Int = 0) async -> [Task<ClosedAsk?, any Error>] {
    let tasks = (0..<count).map { _ in
      Task { [waiters] in try await waiters.wait(for: id, atMost: .seconds(600)) { nil } }
    }
    while waiters.count < count + others { await Task.yield() }
    return tasks
  }

  @Test("ends for all of one ask, and for no other")
  func wakes() async throws {
    let tasks = await start(10, for: id)
    waiters.wake(closed(AskID()))
    #expect(waiters.count == 10)
    waiters.wake(closed(id))
    for task in tasks { #expect(try await task.value?.id == id) }
    #expect(waiters.count == 0)
  }

  @Test("ends at once where the store knows the outcome")
  func knows() async throws {
    let found = try await waiters.wait(for: id, atMost: .seconds(600)) { closed(id) }
    #expect(found?.id == id)
    #expect(waiters.count == 0)
  }

  @Test("misses no outcome that comes while the store is read")
  func early() async throws {
    let found = try await waiters.wait(for: id, atMost: .seconds(600)) {
      waiters.wake(closed(id))
      return nil
    }
    #expect(found?.id == id)
    #expect(waiters.count == 0)
  }

  @Test("ends with nothing when the time is over")
  func timeout() async throws {
    #expect(try await waiters.wait(for: id, atMost: .milliseconds(1)) { nil }?.id == nil)
    #expect(waiters.count == 0)
  }

  @Test("frees its place when it is cancelled, before and after it is suspended")
  func cancels() async throws {
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

  @Test("frees its place when the store cannot be read")
  func throwing() async throws {
    await #expect(throws: StoreFault.closed) {
      try await waiters.wait(for: id, atMost: .seconds(600)) { throw StoreFault.closed }
    }
    #expect(waiters.count == 0)
  }

  @Test("ends for all when the process stops")
  func release() async throws {
    let tasks = await start(3, for: id)
    let others = await start(3, for: AskID(), besides: 3)
    waiters.releaseAll()
    for task in tasks + others { #expect(try await task.value?.id == nil) }
    #expect(waiters.count == 0)
  }

  @Test("costs at most 16 KB each with 10,000 at once")
  func memory() async throws {
    let before = residentBytes()
    let tasks = await start(10_000, for: id)
    let each = (residentBytes() - before) / 10_000
    #expect(each <= 16 * 1024, "\(each) bytes each")
    waiters.wake(closed(id))
    for task in tasks { #expect(try await task.value?.id == id) }
    #expect(waiters.count == 0)
  }

  /// What this process holds in memory, as Linux tells it.
  private func residentBytes() -> Int {
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")[1]
    return (pages.flatMap { Int($0) } ?? 0) * 4096
  }
}
