internal import Glibc
internal import Prompts
internal import Subprocess
internal import SystemPackage

/// A predicate that runs a program: the text on its standard input, the answer in its exit code.
///
/// 0: valid. 1: invalid; the first line it prints is the message. Anything else, a signal, or no
/// end within two seconds of its start: it could not be checked, which is never valid. No shell is involved.
///
/// Two programs for each core run at once. Others wait for their turn, a thousand at most; what would wait beyond that
/// could not be checked.
public struct CommandPredicate: Sendable {
  /// The path of the program; without a slash it is looked up in `PATH`.
  public let program: String
  /// How long it may take.
  public let limit: Duration

  public init(program: String, limit: Duration = .seconds(2)) {
    self.program = program
    self.limit = limit
  }

  /// Whether there is such a program now, and this process may run it.
  package var isRunnable: Bool {
    let folders = getenv("PATH").map { String(cString: $0) } ?? ""
    let paths = program.contains("/") ? [program] : folders.split(separator: ":").map { "\($0)/\(program)" }
    return paths.contains { path in
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
  }

  package var predicate: Predicate { .asynchronous { await answer($0) } }

  func answer(_ text: String) async -> PredicateResult {
    await ProgramQueue.shared.run { await answerInTime(text) } ?? .unchecked
  }

  private func answerInTime(_ text: String) async -> PredicateResult {
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
    unlink(path.string)
    do {
      try descriptor.writeAll(text.utf8)
      _ = try descriptor.seek(offset: 0, from: .start)
    } catch {
      try? descriptor.close()
      throw error
    }
    return descriptor
  }

  /// The first line, without control characters; nil if that leaves nothing.
  private static func message(in output: String) -> String? {
    let line = output.unicodeScalars.prefix { $0 != "\n" && $0 != "\r" }.filter { $0.value >= 0x20 }
    let text = String(String.UnicodeScalarView(line))
    return text.isEmpty ? nil : text
  }
}
