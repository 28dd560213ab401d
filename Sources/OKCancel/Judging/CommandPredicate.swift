internal import CProcess
internal import Foundation
internal import Glibc
internal import Logging
internal import Prompts
package import Subprocess
internal import Synchronization
internal import SystemPackage

/// A predicate that runs a program: the text on its standard input, the result in its exit code.
///
/// 0 means valid. 1 means invalid; the first line it prints is the message. Any other code, a signal, or no end within
/// two seconds of its start means that the text could not be checked, which is never valid. No shell is involved.
///
/// Two programs per core run at once, or fewer if the system grants few descriptors. Up to a thousand others wait for
/// their turn; beyond that, texts cannot be checked.
public struct CommandPredicate: Sendable {
  private static let limiter = ConcurrencyLimiter(
    atOnce: DescriptorShares(configuration: Configuration(), hasPrograms: true).programs, waitingLimit: 1000)

  private let program: String
  private let limit: Duration

  /// - Parameters:
  ///   - program: its path; without a slash it is looked up in `PATH`.
  ///   - limit: how long it may take.
  public init(program: String, limit: Duration = .seconds(2)) {
    self.program = program
    self.limit = limit
  }

  /// True if there is such a program now, and this process may run it.
  package var isRunnable: Bool {
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let paths = program.contains("/") ? [program] : folders.split(separator: ":").map { "\($0)/\(program)" }
    return paths.contains { path in
      var status = stat()
      return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
  }

  /// - Parameter report: gets each reason why a text could not be checked.
  package func predicate(report: @escaping @Sendable (_ why: String) -> Void) -> Prompts.Predicate {
    Prompts.Predicate(
      .asynchronous { text, _, language in
        let check = await Self.limiter.run {
          await ChildProcess.inTime(limit) { await run(text, language) }
            ?? .failure("“\(program)” did not end within \(Self.milliseconds(limit))")
        }
        switch check {
        case .result(let result)?: return result
        case .failure(let why)?: report(why)
        case nil: if !Task.isCancelled { report("too many programs are waiting for their turn") }
        }
        return .unchecked
      })
  }

  private enum Check: Sendable {
    case result(PredicateResult)
    /// The reason there is none.
    case failure(String)
  }

  private func run(_ text: String, _ language: String) async -> Check {
    let start = ContinuousClock.now
    do {
      let result = try await ChildProcess.counted {
        try await Subprocess.run(
          ChildProcess.configuration(program, with: ["OKCANCEL_LANGUAGE": language]),
          input: .fileDescriptor(try Self.file(holding: text), closeAfterSpawningProcess: true),
          output: .string(limit: 64 * 1024),
          error: .sequence
        ) { execution in
          var complaint: [UInt8] = []
          // Read to its end, however much that is: a program that cannot write is stuck.
          for try await buffer in execution.standardError where complaint.count < 1024 {
            unsafe complaint += buffer.withUnsafeBytes { unsafe Array($0.prefix(1024 - complaint.count)) }
          }
          return complaint
        }
      }
      let complaint = result.closureResult
      let code: String
      switch result.terminationStatus {
      case .exited(0): return .result(.valid)
      case .exited(1): return .result(.invalid(Self.firstLine(of: result.standardOutput)))
      case .exited(let other): code = "exited with \(other)"
      case .signaled(let signal): code = "was ended by signal \(signal)"
      }
      let time = Self.milliseconds(ContinuousClock.now - start)
      let said = Self.firstLine(of: String(decoding: complaint, as: UTF8.self))
      // The program's output may contain the text, which must not be logged.
      let words = said.map { ": " + (text.isEmpty ? $0 : $0.replacing(text, with: "…")) } ?? ""
      return .failure("“\(program)” \(code) after \(time)\(words)")
    } catch {
      return .failure("“\(program)” could not be run: \(error)")
    }
  }

  private static func milliseconds(_ duration: Duration) -> String { "\(Int(duration / .milliseconds(1))) ms" }

  /// An unnamed file in memory that holds the text, open at its beginning.
  ///
  /// A program may end without reading its input. With a pipe, that would end this process too, because
  /// swift-subprocess 1.0.2 does not survive a broken pipe. A file may stay unread.
  private static func file(holding text: String) throws -> FileDescriptor {
    let descriptor = FileDescriptor(rawValue: cprocess_memory_file())
    guard descriptor.rawValue >= 0 else { throw Errno(rawValue: errno) }
    do {
      try descriptor.writeAll(text.utf8)
      _ = try descriptor.seek(offset: 0, from: .start)
    } catch {
      try? descriptor.close()
      throw error
    }
    return descriptor
  }

  /// The first line, without control characters, or `nil` if that leaves nothing.
  private static func firstLine(of output: String) -> String? {
    let line = output.unicodeScalars.prefix { $0 != "\n" && $0 != "\r" }.filter { $0.value >= 0x20 }
    let text = String(String.UnicodeScalarView(line))
    return text.isEmpty ? nil : text
  }
}

/// Counts the texts that programs could not check, and logs why: for each predicate at most once a minute.
final class PredicateFailures: Sendable {
  private struct Tally {
    var count = 0
    var lastWarning: ContinuousClock.Instant?
    var suppressed = 0
  }

  private let tallies: Mutex<[String: Tally]>
  private let logger: Logger

  init(_ names: some Sequence<String>, logger: Logger) {
    tallies = Mutex(Dictionary(uniqueKeysWithValues: names.map { ($0, Tally()) }))
    self.logger = logger
  }

  func report(_ why: String, of name: String) {
    let suppressed = tallies.withLock { tallies -> Int? in
      var tally = tallies[name] ?? Tally()
      defer { tallies[name] = tally }
      tally.count += 1
      if let last = tally.lastWarning, .now - last < .seconds(60) {
        tally.suppressed += 1
        return nil
      }
      defer { (tally.lastWarning, tally.suppressed) = (.now, 0) }
      return tally.suppressed
    }
    guard let suppressed else { return }
    let more = suppressed == 0 ? "" : " (and \(suppressed) more since the last warning)"
    logger.warning("the predicate “\(name)” could not check a value: \(why)\(more)")
  }

  func write(to text: inout MetricsText) {
    let counts = tallies.withLock { $0.mapValues(\.count) }.sorted { $0.key < $1.key }
    text.family("okcancel_predicate_failures_total") {
      for (name, count) in counts { $0.sample(count, [("predicate", name)]) }
    }
  }
}

extension Predicates {
  /// - Parameters:
  ///   - closures: Swift's own, by name.
  ///   - commands: programs, by name.
  ///   - failures: told of what a program could not check.
  init(
    _ closures: [String: @Sendable (String) -> Bool], _ commands: [String: CommandPredicate],
    _ failures: PredicateFailures
  ) {
    let programs = commands.map { name, command in (name, command.predicate { failures.report($0, of: name) }) }
    self.init(closures.mapValues(Predicate.init(isValid:)).merging(programs) { $1 })
  }
}

/// Programs that this one runs for a limited time.
package enum ChildProcess {
  /// The variables that no program gets. The address of a PostgreSQL database or of a channel
  /// can have a password.
  package static var secrets: [String] {
    [
      "OKCANCEL_API_TOKEN", "OKCANCEL_KEY", "OKCANCEL_WEBHOOK_SECRET", "OKCANCEL_DATABASE", "OKCANCEL_DATABASE_DIRECT",
      "PGPASSWORD", "OKCANCEL_CHANNEL",
    ] + ProcessInfo.processInfo.environment.keys.filter { $0.hasPrefix("OKCANCEL_CHANNEL_") }
  }

  /// A program that is killed, with everything that it has started, when its task is cancelled.
  ///
  /// - Parameters:
  ///   - program: its path; without a slash it is looked up in `PATH`.
  ///   - variables: those that it gets besides this process's own, without the secrets and the line to the service
  ///     manager.
  package static func configuration(
    _ program: String, _ arguments: [String] = [], with variables: [String: String] = [:]
  ) -> Subprocess.Configuration {
    var changes = variables.mapValues(Optional.some)
    for name in secrets + ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { changes.updateValue(nil, forKey: name) }
    var options = PlatformOptions()
    options.processGroupID = 0
    options.teardownSequence = [.send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .zero)]
    return Subprocess.Configuration(
      executable: program.contains("/") ? .path(FilePath(program)) : .name(program), arguments: Arguments(arguments),
      environment: .inherit.updating(
        Dictionary(uniqueKeysWithValues: changes.map { (Environment.Key(stringLiteral: $0), $1) })),
      platformOptions: options)
  }

  /// The number of running children that somebody here waits for, and a flag that is true if this process also gets the
  /// children of others that have ended, as the first process of a container does.
  private static let children = Mutex((awaited: 0, areAdopted: false))

  package static var adoptsOrphans: Bool {
    get { children.withLock(\.areAdopted) }
    set { children.withLock { $0.areAdopted = newValue } }
  }

  /// Runs a child and waits for it.
  package static func counted<Result>(_ run: () async throws -> Result) async rethrows -> Result {
    children.withLock { $0.awaited += 1 }
    defer {
      children.withLock { $0.awaited -= 1 }
      reapOrphans()
    }
    return try await run()
  }

  /// Removes adopted children that have ended: if nobody waits for a child now, all of them are.
  package static func reapOrphans() {
    children.withLock { if $0.areAdopted, $0.awaited == 0 { while waitpid(-1, nil, WNOHANG) > 0 {} } }
  }

  /// - Returns: what `run` returns, or `nil` if that took longer, and was cancelled.
  package static func inTime<Result: Sendable>(
    _ limit: Duration, _ run: @escaping @Sendable () async -> Result
  ) async -> Result? {
    await withTaskGroup(of: Result?.self) { group in
      group.addTask { await run() }
      group.addTask {
        try? await Task.sleep(for: limit)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }
}
