internal import Foundation
internal import Glibc
internal import Prompts
internal import Subprocess
internal import Synchronization
internal import SystemPackage

/// A predicate that runs a program: the text on its standard input, the result in its exit code.
///
/// 0 means valid. 1 means invalid; the first line it prints is the message. Any other code, a signal, or no end within
/// two seconds of its start means that the text could not be checked, which is never valid. No shell is involved.
///
/// Two programs per core run at once. Up to a thousand others wait for their turn; beyond that, texts cannot be checked.
public struct CommandPredicate: Sendable {
  private let program: String
  private let limit: Duration

  /// - Parameters:
  ///   - program: its path; without a slash it is looked up in `PATH`.
  ///   - limit: how long it may take.
  public init(program: String, limit: Duration = .seconds(2)) {
    self.program = program
    self.limit = limit
  }

  /// Whether there is such a program now, and this process may run it.
  package var isRunnable: Bool {
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let paths = program.contains("/") ? [program] : folders.split(separator: ":").map { "\($0)/\(program)" }
    return paths.contains { path in
      var status = stat()
      return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
  }

  package var predicate: Prompts.Predicate {
    .asynchronous { text in await ProgramQueue.shared.run { await resultInTime(text) } ?? .unchecked }
  }

  private func resultInTime(_ text: String) async -> PredicateResult {
    await withTaskGroup(of: PredicateResult?.self) { group in
      group.addTask { await run(text) }
      group.addTask {
        try? await Task.sleep(for: limit)
        return nil
      }
      // The first to end decides; cancelling the group kills a program that is late.
      let first = await group.next() ?? nil
      group.cancelAll()
      return first ?? .unchecked
    }
  }

  private func run(_ text: String) async -> PredicateResult {
    // A group of its own, so that what the program has started ends with it when it is late.
    var options = PlatformOptions()
    options.processGroupID = 0
    options.teardownSequence = [.send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .zero)]
    do {
      let result = try await Subprocess.run(
        program.contains("/") ? .path(FilePath(program)) : .name(program),
        environment: .inherit.updating(Self.withheld),
        platformOptions: options,
        input: .fileDescriptor(try Self.file(holding: text), closeAfterSpawningProcess: true),
        output: .string(limit: 64 * 1024),
        error: .discarded)
      switch result.terminationStatus {
      case .exited(0): return .valid
      case .exited(1): return .invalid(Self.message(in: result.standardOutput))
      default: return .unchecked
      }
    } catch {
      return .unchecked
    }
  }

  /// What is this process's own business: its secrets, and its line to the service manager.
  private static let withheld: [Environment.Key: String?] = [
    "OKCANCEL_API_TOKEN": nil, "OKCANCEL_KEY": nil, "OKCANCEL_WEBHOOK_SECRET": nil,
    "NOTIFY_SOCKET": nil, "WATCHDOG_USEC": nil, "WATCHDOG_PID": nil,
  ]

  /// A file without a name, in memory, that holds the text, at its beginning.
  ///
  /// A program may end without reading its input. That breaks a pipe, and swift-subprocess 1.0.2
  /// ends this process over a broken pipe; a file it may leave unread.
  private static func file(holding text: String) throws -> FileDescriptor {
    let path = FilePath("/dev/shm/okcancel-\(UInt64.random(in: .min ... .max))")
    let descriptor = try FileDescriptor.open(
      path, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite)
    unsafe unlink(path.string)
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
  private static func message(in output: String) -> String? {
    let line = output.unicodeScalars.prefix { $0 != "\n" && $0 != "\r" }.filter { $0.value >= 0x20 }
    let text = String(String.UnicodeScalarView(line))
    return text.isEmpty ? nil : text
  }
}

/// Limits how many programs run at once; the others wait, first come, first served.
final class ProgramQueue: Sendable {
  private struct State {
    var running = 0
    var waiting: [(ticket: Int, turn: CheckedContinuation<Bool, Never>)] = []
    var tickets = 0
  }

  private let atOnce: Int
  private let waitingLimit: Int
  private let state = Mutex(State())

  /// The one of this process. More programs at once would only slow each other down, until none ends in time.
  static let shared = ProgramQueue(atOnce: 2 * ProcessInfo.processInfo.activeProcessorCount, waitingLimit: 1000)

  init(atOnce: Int, waitingLimit: Int) {
    self.atOnce = atOnce
    self.waitingLimit = waitingLimit
  }

  /// How many wait for their turn now.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Runs this when its turn has come.
  ///
  /// - Returns: `nil` if too many wait already, or if the task is cancelled before its turn.
  func run<Result: Sendable>(_ program: @Sendable () async -> Result) async -> Result? {
    guard await hasTurn() else { return nil }
    defer { giveTurn() }
    return await program()
  }

  /// Waits for a turn; false if there will be none.
  private func hasTurn() async -> Bool {
    let ticket = state.withLock { state in
      state.tickets += 1
      return state.tickets
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { turn in
        let hasTurn: Bool? = state.withLock { state in
          if Task.isCancelled { return false }
          if state.running < atOnce {
            state.running += 1
            return true
          }
          guard state.waiting.count < waitingLimit else { return false }
          state.waiting.append((ticket, turn))
          return nil
        }
        if let hasTurn { turn.resume(returning: hasTurn) }
      }
    } onCancel: {
      let turn = state.withLock { state in
        state.waiting.firstIndex { $0.ticket == ticket }.map { state.waiting.remove(at: $0).turn }
      }
      turn?.resume(returning: false)
    }
  }

  private func giveTurn() {
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      if !state.waiting.isEmpty { return state.waiting.removeFirst().turn }
      state.running -= 1
      return nil
    }
    next?.resume(returning: true)
  }
}
