import Testing

@testable import Asks
@testable import Prompts

@Suite struct `A receiver that fails is left alone` {
  let start = Timestamp(milliseconds: 0)
  let failed = Delivery.Result.failed(retryAfter: .seconds(5))

  private func after(failures: Int) -> ReceiverPauses {
    var pauses = ReceiverPauses()
    for _ in 0..<failures { pauses.record(failed, of: "https://a.example", at: start) }
    return pauses
  }

  @Test func `after five failures in a row, and no other with it`() {
    #expect(after(failures: 4).limits(at: start).isEmpty)
    #expect(after(failures: 5).limits(at: start) == ["https://a.example": 0])
    #expect(after(failures: 8).limits(at: start) == ["https://a.example": 0])
  }

  @Test func `then one callback tries it, and each failure doubles the pause, up to a minute`() {
    var (pauses, now) = (after(failures: 8), start)
    for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
      #expect(pauses.limits(at: now + .milliseconds(1000 * seconds - 1)) == ["https://a.example": 0])
      now = now + .seconds(seconds)
      #expect(pauses.limits(at: now) == ["https://a.example": 1])
      pauses.record(failed, of: "https://a.example", at: now)
    }
  }

  @Test func `until something arrives`() {
    var pauses = after(failures: 9)
    pauses.record(.interrupted, of: "https://a.example", at: start)
    pauses.record(.delivered(), of: "https://b.example", at: start)
    #expect(pauses.limits(at: start) == ["https://a.example": 0])
    pauses.record(.delivered(), of: "https://a.example", at: start)
    #expect(pauses.limits(at: start).isEmpty)
    for _ in 0..<4 { pauses.record(failed, of: "https://a.example", at: start) }
    #expect(pauses.limits(at: start).isEmpty)
  }

  @Test(arguments: [-3600, 3600])
  func `for no longer than its pause, whatever the clock does`(shift: Int) {
    var pauses = after(failures: 5), now = start + .seconds(shift)
    #expect(pauses.limits(at: now) == ["https://a.example": 1])
    pauses.record(failed, of: "https://a.example", at: now)
    #expect(pauses.limits(at: now) == ["https://a.example": 0])
    now = now + .seconds(2)
    #expect(pauses.limits(at: now) == ["https://a.example": 1])
  }
}
