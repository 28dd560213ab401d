internal import ArgumentParser
internal import CProcess
internal import Foundation
internal import MicroHTTP
internal import OKCancel
internal import Platform
internal import Synchronization
internal import UnixSignals

/// The process: what must stand before anything else runs in it, then the command.
@main
enum Program {
  static func main() {
    let command = CommandLine.arguments.dropFirst().first
    openStandardDescriptors()
    cprocess_report_crashes("okcancel \(OKCancelServer.version)")
    ignoreBrokenPipe()
    if let obstacle { exit(Failure(obstacle).report().rawValue) }
    if command == "serve" || command == "mcp" { Descriptors.raiseLimit() }
    ChildProcess.adoptsOrphans = getpid() == 1
    Task.detached { exit(await OKCancelCommand.run().rawValue) }
    // Not `dispatchMain`, which would let the signals in. So nothing here can be of the main actor.
    while true { pause() }
  }

  /// What the system withholds although no command can do without: libraries would end the process, or wait for ever.
  private static var obstacle: Server.StartError? {
    // From there Swift has the arguments, and libdispatch the states of its threads.
    guard access("/proc/self/stat", R_OK) == 0 else { return .noProc }
    let fewest = Descriptors.openCount + 16
    if Descriptors.limit < fewest { Descriptors.raiseLimit() }
    if Descriptors.limit < fewest { return .descriptors(limit: Descriptors.limit, needed: fewest) }
    return OwnThread.limits(refusing: 12 + 2 * ProcessInfo.processInfo.activeProcessorCount).map {
      .threads(limits: $0)
    }
  }

  /// Opens standard input, output and error if they are closed: otherwise the next file or socket to be opened would be
  /// one of them. What is read or written there then ends, or fails, as if it were closed.
  private static func openStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", O_RDONLY)
    }
  }

  // MARK: Signals

  /// The handling of SIGPIPE when the process began.
  private static let brokenPipe = Mutex<sigaction?>(nil)

  /// Has a write that nobody reads fail, and not end the process.
  private static func ignoreBrokenPipe() {
    brokenPipe.withLock { first in
      var (ignoring, current) = (sigaction(), sigaction())
      ignoring.__sigaction_handler.sa_handler = SIG_IGN
      sigaction(SIGPIPE, &ignoring, &current)
      first = first ?? current
    }
    // A server holds it from its start; one that came meanwhile is ignored.
    var held = sigset_t()
    sigemptyset(&held)
    sigaddset(&held, SIGPIPE)
    pthread_sigmask(SIG_UNBLOCK, &held, nil)
  }

  /// Has SIGPIPE do what it did when the process began.
  static func restoreBrokenPipe() {
    brokenPipe.withLock { if var first = $0 { sigaction(SIGPIPE, &first, nil) } }
  }

  /// The signals that end a command.
  static let last: [UnixSignal] = [.sigint, .sigterm, .sighup]

  /// Does the work of a command, which each trapped signal cancels.
  static func cancelled<Success: Sendable>(
    by trapped: UnixSignalsSequence, _ work: @escaping @Sendable () async throws -> Success
  ) async -> Result<Success, any Error> {
    let task = Task(operation: work)
    let waiting = Task { for await _ in trapped { task.cancel() } }
    defer { waiting.cancel() }
    return await task.result
  }

  /// Traps signals.
  ///
  /// - Parameters:
  ///   - last: those that end the command: it waits for no reader of what it writes any more.
  ///   - others: those that do not.
  static func trap(_ last: [UnixSignal] = last, and others: [UnixSignal] = []) async -> UnixSignalsSequence {
    for signal in last { whenever(signal.rawValue) { Output.isEnding.store(true, ordering: .relaxed) } }
    if ChildProcess.adoptsOrphans { whenever(SIGCHLD, ChildProcess.reapOrphans) }
    return await UnixSignalsSequence(trapping: last + others)
  }

  /// Calls this after each such signal, on a thread that nothing else blocks, for as long as the process runs.
  private static func whenever(_ signal: Int32, _ work: @escaping @Sendable () -> Void) {
    let source = DispatchSource.makeSignalSource(signal: signal, queue: DispatchQueue(label: "signals"))
    source.setEventHandler {
      work()
      // It ends with the last reference to it.
      _ = source
    }
    source.resume()
  }
}

/// Marks this program as the command, of which `CProcess` holds signals from the start of a server. `Program.trap` finds
/// them by a signalfd, which reads what is held.
@c(okcancel_is_command) func isCommand() {}
