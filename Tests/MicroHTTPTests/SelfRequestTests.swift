import Glibc
import Synchronization
import Testing

@testable import MicroHTTP

@Suite(.timeLimit(.minutes(5))) struct `A request to itself` {
  /// Holds up the thread that responds.
  private final class Barrier: Sendable {
    private let isOpen = Atomic(true)

    func close() { isOpen.store(false, ordering: .relaxed) }
    func open() { isOpen.store(true, ordering: .relaxed) }
    func pass() { while !isOpen.load(ordering: .relaxed) { usleep(1000) } }
  }

  @Test func `gets a response, or none while no thread is free`() async throws {
    let barrier = Barrier()
    let running = try RunningServer(threads: 1) {
      $0.on(.get, "/") { _ in
        barrier.pass()
        return .now(Response(.ok))
      }
    }
    #expect(await running.server.responds(to: "/", within: .seconds(60)))
    #expect(await running.server.responds(to: "/nowhere", within: .seconds(60)))
    barrier.close()
    #expect(await !running.server.responds(to: "/", within: .milliseconds(1)))
    barrier.open()
    #expect(await running.server.responds(to: "/", within: .seconds(60)))
    await running.server.drain(patience: .zero)
  }

  @Test func `counts as responded to if no connection may be taken`() async throws {
    let gate = Gate()
    let running = try RunningServer(threads: 1, adjust: { $0.connectionLimit = 1 }) {
      $0.on(.get, "/") { _ in
        .later {
          await gate.pass()
          return Response(.ok)
        }
      }
    }
    let only = try running.client(sending: get())
    await gate.arrivals(1)
    #expect(await running.server.responds(to: "/", within: .milliseconds(1)))
    gate.open()
    _ = try await only.laterAnswer()
  }
}
