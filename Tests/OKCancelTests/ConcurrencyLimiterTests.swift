import Synchronization
import Testing

@testable import OKCancel

@Suite(.timeLimit(.minutes(5))) struct `Programs that wait for their turn` {
  /// Holds programs until it is opened.
  private final class Gate: Sendable {
    private let isOpen = Atomic(false)
    func open() { isOpen.store(true, ordering: .relaxed) }
    func wait() async { while !isOpen.load(ordering: .relaxed) { await Task.yield() } }
  }

  /// How many run, and the most that did at once.
  private final class Count: Sendable {
    private let state = Mutex((running: 0, most: 0))
    func enter() { state.withLock { $0 = ($0.running + 1, max($0.most, $0.running + 1)) } }
    func leave() { state.withLock { $0.running -= 1 } }
    var most: Int { state.withLock { $0.most } }
  }

  private static func reach(_ count: Int, _ queue: ConcurrencyLimiter) async {
    while queue.waitingCount != count, !Task.isCancelled { await Task.yield() }
  }

  @Test func `all have it, and no more at once than may be`() async {
    let queue = ConcurrencyLimiter(atOnce: 3, waitingLimit: 1000)
    let count = Count()
    let ended = await withTaskGroup(of: Bool?.self) { group in
      for _ in 0..<500 {
        group.addTask {
          await queue.run {
            count.enter()
            // The first stay until as many run as may.
            while count.most < 3 { await Task.yield() }
            count.leave()
            return true
          }
        }
      }
      return await group.reduce(0) { $0 + ($1 == true ? 1 : 0) }
    }
    #expect(ended == 500)
    #expect(count.most == 3)
    #expect(queue.waitingCount == 0)
  }

  /// A program that has its turn until the gate is opened.
  private static func holder(of queue: ConcurrencyLimiter, _ gate: Gate) async -> Task<Bool?, Never> {
    let hasTurn = Gate()
    let task = Task {
      await queue.run {
        hasTurn.open()
        await gate.wait()
        return true
      }
    }
    await hasTurn.wait()
    return task
  }

  /// Promise 3.10
  @Test func `beyond the limit there is none, at once`() async {
    let queue = ConcurrencyLimiter(atOnce: 1, waitingLimit: 2)
    let gate = Gate()
    let holder = await Self.holder(of: queue, gate)
    let waiting = [1, 2].map { number in Task { await queue.run { number } } }
    await Self.reach(2, queue)
    #expect(await queue.run { 3 } == nil)
    gate.open()
    #expect(await holder.value == true)
    for (task, number) in zip(waiting, [1, 2]) { #expect(await task.value == number) }
  }

  @Test func `who is cancelled leaves the queue, and takes no turn with it`() async {
    let queue = ConcurrencyLimiter(atOnce: 1, waitingLimit: 1)
    let gate = Gate()
    let holder = await Self.holder(of: queue, gate)
    let waiting = Task { await queue.run { 1 } }
    await Self.reach(1, queue)
    waiting.cancel()
    #expect(await waiting.value == nil)
    let next = Task { await queue.run { 2 } }
    await Self.reach(1, queue)
    gate.open()
    #expect(await holder.value == true)
    #expect(await next.value == 2)
  }
}
