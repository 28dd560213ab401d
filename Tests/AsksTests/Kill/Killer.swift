import Asks
import Foundation
import Glibc

/// Starts writers, kills them at random moments, and checks the database after each.
struct Killer {
  let rounds: Int
  /// Of the databases, which come one after the other.
  private let directory: String

  /// Every opening reads the whole database: in one for all rounds, a round would take longer and longer.
  private static let roundsOfOneDatabase = 100

  /// When a writer is killed.
  private enum Moment {
    /// At a random time, from before its first write to well into its work.
    case time
    /// After so many acknowledgements, however slow the machine is.
    case line(Int)
  }

  init(rounds: Int) throws {
    self.rounds = rounds
    directory = NSTemporaryDirectory() + "ask-store-kill-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  /// Whether every check held.
  func run() async throws -> Bool {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var (done, acknowledged, faults) = (0, 0, 0)
    while done < rounds {
      let path = directory + "/\(done).sqlite"
      let next = min(rounds, done + Self.roundsOfOneDatabase)
      let (told, wrong) = try await killWriters(of: path, rounds: done + 1...next)
      acknowledged += told
      faults += wrong
      done = next
      print("\(done) kills, \(acknowledged) acknowledged outcomes, \(faults) faults")
      fflush(nil)
    }
    return faults == 0 && acknowledged > 0
  }

  /// How many outcomes of one database were acknowledged, and how many checks failed.
  private func killWriters(of path: String, rounds: ClosedRange<Int>) async throws -> (Int, Int) {
    var acknowledged: [AskID: String] = [:]
    var faults = 0
    for round in rounds {
      let lines = try killedWriter(of: path)
      for line in lines {
        let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
        guard parts.count == 3, let id = AskID(parts[0]) else { continue }
        if acknowledged.updateValue(parts[2], forKey: id) != nil {
          print("round \(round): \(id) was acknowledged twice")
          faults += 1
        }
      }
      // Those of this round at once, and all at the end.
      let ids = lines.compactMap { $0.split(separator: " ").first.flatMap { AskID(String($0)) } }
      let kept = round == rounds.upperBound ? Array(acknowledged.keys) : ids
      faults += try await check(kept, acknowledged, closedNow: ids, in: path)
    }
    return (acknowledged.count, faults)
  }

  /// The whole lines that a writer said before it was killed.
  private func killedWriter(of path: String) throws -> [String] {
    let writer = Process()
    let pipe = Pipe()
    writer.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    writer.arguments = ["--write", path]
    writer.standardOutput = pipe
    try writer.run()
    let moment = Bool.random() ? Moment.time : .line(.random(in: 1...200))
    if case .time = moment {
      Thread.detachNewThread {
        usleep(.random(in: 5_000...250_000))
        kill(writer.processIdentifier, SIGKILL)
      }
    }
    var said = Data()
    var lines = 0
    while case let part = pipe.fileHandleForReading.availableData, !part.isEmpty {
      said += part
      lines += part.count { $0 == UInt8(ascii: "\n") }
      if case .line(let last) = moment, lines >= last { kill(writer.processIdentifier, SIGKILL) }
    }
    writer.waitUntilExit()
    var whole = String(decoding: said, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    // Nothing, or half a line.
    whole.removeLast()
    return whole.map(String.init)
  }

  /// Opening checks the whole file (`quick_check`) and refuses a damaged one.
  ///
  /// - Parameters:
  ///   - ids: what to look for.
  ///   - closedNow: what was closed since the last check, and has to have its callback still.
  private func check(
    _ ids: [AskID], _ acknowledged: [AskID: String], closedNow: [AskID], in path: String
  ) async throws -> Int {
    let store = try open(path)
    var faults = 0
    for id in ids {
      let kept = try await store.ask(id)?.closed.map { String(decoding: try store.secrets.json(of: $0), as: UTF8.self) }
      if kept != acknowledged[id] {
        print("\(id): acknowledged \(acknowledged[id] ?? "nothing"), kept \(kept ?? "nothing")")
        faults += 1
      }
    }
    // Each closed ask has its callback once, with the same bytes.
    var missing = Set(closedNow)
    while true {
      let callbacks = try await store.claim(limit: 500, perReceiver: 500, lease: .seconds(60)).claims
      if callbacks.isEmpty { break }
      for callback in callbacks.flatMap(\.deliveries) {
        let id = callback.ask
        let body = try await store.ask(id)?.closed.map {
          String(decoding: try store.secrets.json(of: $0), as: UTF8.self)
        }
        if let expected = acknowledged[id], missing.remove(id) == nil || body != expected {
          print("\(id): acknowledged \(expected), called back a second time or with \(body ?? "nothing")")
          faults += 1
        }
        try await store.settle(callback, as: .delivered())
      }
    }
    for id in missing { print("\(id): acknowledged, and its callback is lost") }
    faults += missing.count
    try await store.close()
    return faults
  }
}
