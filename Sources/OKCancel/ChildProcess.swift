package import Subprocess
internal import SystemPackage

/// Programs that this one runs for a limited time.
package enum ChildProcess {
  /// A program that is killed, with everything that it has started, when its task is cancelled.
  ///
  /// - Parameters:
  ///   - program: its path; without a slash it is looked up in `PATH`.
  ///   - variables: those that it gets besides this process's own.
  ///   - withheld: the names of those that it does not get. The line to the service manager is this process's own, too.
  package static func configuration(
    _ program: String, _ arguments: [String] = [], with variables: [String: String] = [:], without withheld: [String]
  ) -> Subprocess.Configuration {
    var changes = variables.mapValues(Optional.some)
    for name in withheld + ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { changes.updateValue(nil, forKey: name) }
    var options = PlatformOptions()
    options.processGroupID = 0
    options.teardownSequence = [.send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .zero)]
    return Subprocess.Configuration(
      executable: program.contains("/") ? .path(FilePath(program)) : .name(program), arguments: Arguments(arguments),
      environment: .inherit.updating(
        Dictionary(uniqueKeysWithValues: changes.map { (Environment.Key(stringLiteral: $0), $1) })),
      platformOptions: options)
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
