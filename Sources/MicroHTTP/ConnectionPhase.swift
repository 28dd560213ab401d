internal import Synchronization

/// Where a connection is, and until when it may be there: written by its own
/// thread, read by the one that watches.
final class ConnectionPhase: Sendable {
  enum Phase: Int64 {
    /// After a request, until the next one's head is there.
    case idle
    /// The first request's head is on its way.
    case head
    /// A request's body is on its way.
    case body
    /// The peer is waiting for us.
    case working
    /// The peer is being answered.
    case answering
    /// The same, with nothing to give it for now.
    case resting
  }

  /// The deadline in milliseconds, and the phase in the last three bits: one
  /// word, so that neither is seen without the other.
  private let word: Atomic<Int64>
  private let heldBytes = Atomic(0)

  /// Bytes of its answer that nobody else has any use for: those are in memory until the peer takes them.
  var held: Int {
    get { heldBytes.load(ordering: .relaxed) }
    set(count) { heldBytes.store(count, ordering: .relaxed) }
  }

  init(_ phase: Phase, within milliseconds: Int64) {
    word = Atomic(Self.word(phase, within: milliseconds))
  }

  func enter(_ phase: Phase, within milliseconds: Int64, from now: ContinuousTime = .coarse) {
    word.store(Self.word(phase, within: milliseconds, from: now), ordering: .relaxed)
  }

  /// Work has no deadline: it is ours.
  func work() { wait(in: .working) }

  /// Nor has it between two parts of a stream.
  func rest() { wait(in: .resting) }

  private func wait(in phase: Phase) { word.store(.max & ~7 | phase.rawValue, ordering: .relaxed) }

  var current: (phase: Phase, deadline: ContinuousTime) {
    let word = word.load(ordering: .relaxed)
    let (nanoseconds, overflow) = (word >> 3).multipliedReportingOverflow(by: 1_000_000)
    // The word holds what `word(_:within:)` put there.
    return (Phase(rawValue: word & 7)!, ContinuousTime(nanoseconds: overflow ? .max : nanoseconds))
  }

  /// True when it is in this phase past its deadline.
  func hasExpired(in phase: Phase) -> Bool {
    let current = current
    return current.phase == phase && current.deadline <= .now
  }

  private static func word(_ phase: Phase, within milliseconds: Int64, from now: ContinuousTime = .coarse) -> Int64 {
    (now.nanoseconds / 1_000_000 + milliseconds) << 3 | phase.rawValue
  }
}
