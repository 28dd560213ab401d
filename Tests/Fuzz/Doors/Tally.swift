import Foundation

/// What a door made of a case.
struct Visit {
  /// A status, or what the reader said: what the cases are counted by.
  let outcome: String
  /// What is wrong with it; nil: nothing.
  var fault: String?
}

/// Counts a door's outcomes and its costliest case, and prints what is wrong.
final class Tally {
  private let door: String
  private var outcomes: [String: Int] = [:]
  private var slowest = (number: 0, milliseconds: 0.0)
  private var current = 0
  private var seed: UInt64 = 0
  private var started = 0.0
  private(set) var found = 0

  /// A case that costs more work is a fault, in milliseconds. Work and not time: the machine may have other things to do.
  /// A debug build computes several times as long.
  #if DEBUG
    private static let limit = 5000.0
  #else
    private static let limit = 1000.0
  #endif

  init(door: String) {
    self.door = door
    Self.announceDeath()
  }

  func begin(_ number: Int, seed: UInt64) {
    (current, self.seed, started) = (number, seed, Self.work)
    underWay.number = number
  }

  func end(_ input: [UInt8], _ visit: Visit) {
    let milliseconds = Self.work - started
    outcomes[visit.outcome, default: 0] += 1
    if milliseconds > slowest.milliseconds { slowest = (current, milliseconds) }
    if let fault = visit.fault { report(fault, input) }
    if milliseconds > Self.limit { report("took \(milliseconds) ms of work", input) }
  }

  var summary: String {
    let counts = outcomes.sorted { $0.key < $1.key }.map { "\($0.key) × \($0.value)" }.joined(separator: ", ")
    let most = "\(slowest.milliseconds.rounded()) ms of work at most (case \(slowest.number))"
    return "\(door): \(counts); \(most); \(found) found"
  }

  /// Milliseconds that all threads of this process have worked, client and server.
  private static var work: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
  }

  private func report(_ fault: String, _ input: [UInt8]) {
    found += 1
    guard found <= 20 else { return }
    say("\(door): \(fault)\n  \(CommandLine.arguments[0]) --seed \(seed) --door \(door) --from \(current) --count 1")
    say("  input: \(String(decoding: input.prefix(2000), as: UTF8.self).debugDescription)")
  }

  /// A trap ends the process: say where it was, and let it die.
  private static func announceDeath() {
    for signal in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE] {
      Foundation.signal(signal) { signal in
        underWay.write()
        Foundation.signal(signal, SIG_DFL)
        raise(signal)
      }
    }
  }
}

/// The number of the case under way, where a signal handler can read it.
private struct UnderWay {
  var number = 0

  /// Digits by hand: a signal handler may not allocate.
  func write() {
    var (rest, place) = (number, 1)
    while rest >= 10 { (rest, place) = (rest / 10, place * 10) }
    Self.put(UInt8(ascii: "#"))
    while place > 0 {
      Self.put(UInt8(ascii: "0") + UInt8(number / place % 10))
      place /= 10
    }
    Self.put(UInt8(ascii: "\n"))
  }

  private static func put(_ byte: UInt8) {
    var byte = byte
    _ = Foundation.write(2, &byte, 1)
  }
}

// Written by the one thread that makes cases; read by it, or as the process dies.
nonisolated(unsafe) private var underWay = UnderWay()
