/// A clock that counts tenths of a second from its making, so that many deadlines fall on one moment.
struct TickClock: Sendable {
  private static let tick: Duration = .milliseconds(100)

  private let elapsed: @Sendable () -> Duration
  private let sleep: @Sendable (Duration) async throws -> Void

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }

  /// The first tick that is not before the end of this duration from now.
  func tick(after duration: Duration) -> Int { Int(((elapsed() + duration) / Self.tick).rounded(.up)) }

  /// - Throws: `CancellationError`.
  func sleep(until tick: Int) async throws { try await sleep(Self.tick * tick) }
}
