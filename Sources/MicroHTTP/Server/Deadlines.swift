internal import Glibc
internal import Synchronization

/// The time limits for peers. Sending a byte now and then extends none of them.
struct Deadlines: Sendable {
  /// For a request's head: from the opening of its connection, or from its first byte if the connection was kept alive.
  /// The connection is closed.
  var head = Duration.seconds(10)
  /// For a request's body, from the end of its head. The response is 408.
  var body = Duration.seconds(30)
  /// For taking a response, plus the time that its length takes at `responseRate`; for a stream, starting anew with
  /// each part. A peer also fails if it takes no byte for this long although some are waiting. The connection is
  /// closed.
  var response = Duration.seconds(30)
  /// The fewest bytes a second at which a peer may take a response.
  var responseRate = 16 * 1024
  /// Between two requests on one connection.
  var idle = Duration.seconds(30)
  /// The time for which work goes on for a peer that has closed its side. Most have gone for good, but one may still be
  /// reading what it asked for.
  var halfClosed = Duration.seconds(1)

  init() {}

  /// The same in whole milliseconds: `Duration` counts in 128 bits, which every request would pay for.
  struct Milliseconds: Sendable {
    let head: Int64
    let body: Int64
    let idle: Int64
    private let shortestResponse: Int64
    private let responseRate: Int

    init(_ deadlines: Deadlines) {
      // Nobody waits for longer than some 30,000 years.
      func milliseconds(_ duration: Duration) -> Int64 { Int64(min(max(duration / .milliseconds(1), 0), 1e15)) }
      head = milliseconds(deadlines.head)
      body = milliseconds(deadlines.body)
      idle = milliseconds(deadlines.idle)
      shortestResponse = milliseconds(deadlines.response)
      responseRate = max(deadlines.responseRate, 1)
    }

    /// For taking a response of so many bytes.
    func response(bytes: Int) -> Int64 { shortestResponse + Int64(bytes / responseRate) * 1000 }
  }
}

/// A reading of the monotonic clock, in nanoseconds.
struct ContinuousTime: Comparable, Sendable {
  let nanoseconds: Int64

  static let zero = ContinuousTime(nanoseconds: 0)

  static var now: ContinuousTime { reading(of: CLOCK_MONOTONIC) }

  /// The same, some milliseconds behind and cheaper.
  static var coarse: ContinuousTime { reading(of: CLOCK_MONOTONIC_COARSE) }

  private static func reading(of clock: clockid_t) -> ContinuousTime {
    var time = timespec()
    clock_gettime(clock, &time)
    return ContinuousTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  func advanced(by duration: Duration) -> ContinuousTime {
    let (seconds, attoseconds) = duration.components
    return ContinuousTime(nanoseconds: nanoseconds + seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }

  static func < (left: ContinuousTime, right: ContinuousTime) -> Bool { left.nanoseconds < right.nanoseconds }
}

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

  init(_ phase: Phase, within milliseconds: Int64, from now: ContinuousTime) {
    word = Atomic(Self.word(phase, within: milliseconds, from: now))
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

  private static func word(_ phase: Phase, within milliseconds: Int64, from now: ContinuousTime) -> Int64 {
    (now.nanoseconds / 1_000_000 + milliseconds) << 3 | phase.rawValue
  }
}
