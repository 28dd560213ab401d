import Synchronization

@testable import Asks
@testable import Prompts

/// A clock that stands still until it is set forward.
final class TestClock: Sendable {
  private let time = Mutex(Timestamp(milliseconds: 1_763_717_400_000))

  var now: Timestamp { time.withLock { $0 } }

  func advance(by duration: Duration) { time.withLock { $0 = $0 + duration } }

  var wallClock: WallClock { WallClock { self.now } }
}
