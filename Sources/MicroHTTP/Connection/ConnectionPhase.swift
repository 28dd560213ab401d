internal import Synchronization

/// The phase that a connection is in, and its deadline: written by its own thread, read by the monitor's.
struct ConnectionPhase: ~Copyable, Sendable {
  enum Phase: Int64 {
    /// After a request, until the next one's head is there.
    case idle
    /// The first request's head is on its way.
    case head
    /// A request's body is on its way.
    case body
    /// The peer is waiting for us.
    case working
    /// The response is on its way.
    case responding
    /// The response is a stream that has nothing to send for now.
    case resting
  }

  /// The deadline in milliseconds, and the phase in the last three bits: one word, so that neither is seen without the
  /// other.
  private let word: Atomic<Int64>
  private let heldBytes = Atomic(0)

  /// Bytes of the response that are in memory only for this connection, until the peer takes them.
  var held: Int {
    get { heldBytes.load(ordering: .relaxed) }
    nonmutating set(count) { heldBytes.store(count, ordering: .relaxed) }
  }

  init(_ phase: Phase, within milliseconds: Int64) {
    word = Atomic(Self.word(phase, within: milliseconds))
  }

  func enter(_ phase: Phase, within milliseconds: Int64, from now: ContinuousTime = .coarse) {
    word.store(Self.word(phase, within: milliseconds, from: now), ordering: .relaxed)
  }

  /// Enters a phase without a deadline: the handler is working, or a stream has nothing to send for now.
  func wait(in phase: Phase) { word.store(.max & ~7 | phase.rawValue, ordering: .relaxed) }

  var current: (phase: Phase, deadline: ContinuousTime) {
    let word = word.load(ordering: .relaxed)
    let (nanoseconds, overflow) = (word >> 3).multipliedReportingOverflow(by: 1_000_000)
    // The word holds what `word(_:within:)` put there.
    return (Phase(rawValue: word & 7)!, ContinuousTime(nanoseconds: overflow ? .max : nanoseconds))
  }

  private static func word(_ phase: Phase, within milliseconds: Int64, from now: ContinuousTime = .coarse) -> Int64 {
    (now.nanoseconds / 1_000_000 + milliseconds) << 3 | phase.rawValue
  }
}
