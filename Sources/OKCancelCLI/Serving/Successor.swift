internal import Glibc
internal import Subprocess
internal import SystemPackage

/// The program that takes this process over: what the command names by now, with the words that this
/// one was started with.
struct Successor: Sendable {
  /// True when nobody but this process keeps the listening socket.
  let ownsSocket: Bool

  /// How long the program may take to say that it could start.
  private static let patience: Duration = .seconds(20)

  /// What would keep it from starting, as lines; nil: nothing that can be known beforehand.
  ///
  /// It is run once with `--check`, so that its own eyes look at the settings, the prompts and the
  /// libraries that it needs.
  func obstacle() async -> String? {
    await withTaskGroup(of: String?.self) { group in
      group.addTask { await check() }
      group.addTask {
        try? await Task.sleep(for: Self.patience)
        return "\(CommandLine.arguments[0]) --check does not end"
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
  }

  private func check() async -> String? {
    let program = CommandLine.arguments[0]
    guard let secrets = Secrets.passed() else { return Self.noSecrets }
    var options = PlatformOptions()
    options.teardownSequence = [.send(signal: .kill, allowedDurationToNextStep: .zero)]
    do {
      let result = try await Subprocess.run(
        program.contains("/") ? .path(FilePath(program)) : .name(program),
        arguments: Arguments(Array(CommandLine.arguments.dropFirst())),
        environment: .inherit.updating([
          "OKCANCEL_CHECK": "true", .init(stringLiteral: Secrets.passing): "0", "NOTIFY_SOCKET": nil,
        ]),
        platformOptions: options,
        input: .fileDescriptor(FileDescriptor(rawValue: secrets), closeAfterSpawningProcess: true), output: .discarded,
        error: .string(limit: 64 * 1024))
      if result.terminationStatus == .exited(0) { return nil }
      let said = result.standardError
      return said.isEmpty ? "\(program) --check: \(result.terminationStatus)" : said
    } catch {
      return "\(program) cannot be run: \(error)"
    }
  }

  private static let noSecrets = "the secrets cannot be handed on; they are too long, or there are too many open files"

  /// Becomes that program, in this process; the database must be closed.
  ///
  /// - Parameter socket: the listening socket; the program finds it as its descriptor 3.
  /// - Returns: why it could not.
  func take(_ socket: Int32) -> String {
    for (name, value) in PassedSocket.environment(isOurs: ownsSocket) { setenv(name, value, 1) }
    if socket == PassedSocket.descriptor {
      _ = fcntl(socket, F_SETFD, 0)
    } else {
      // Whatever has that number goes with this program.
      guard dup2(socket, PassedSocket.descriptor) >= 0 else { return String(cString: strerror(errno)) }
    }
    guard let secrets = Secrets.passed() else { return Self.noSecrets }
    _ = fcntl(secrets, F_SETFD, 0)
    setenv(Secrets.passing, String(secrets), 1)
    holdSignals()
    // The words as they came, UTF-8 or not; there is a first.
    execvp(CommandLine.unsafeArgv[0]!, CommandLine.unsafeArgv)
    return "\(CommandLine.arguments[0]): \(String(cString: strerror(errno)))"
  }

  /// Signals that come before the program can hear them wait: the system's answer to most of them
  /// would be to end the process. It hears them by a signalfd, which reads what is held.
  private func holdSignals() {
    var held = sigset_t()
    sigemptyset(&held)
    for signal in [SIGHUP, SIGUSR1, SIGUSR2, SIGTERM, SIGINT] { sigaddset(&held, signal) }
    pthread_sigmask(SIG_SETMASK, &held, nil)
  }
}
