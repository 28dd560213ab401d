internal import Foundation
internal import Glibc
internal import MCP
internal import Subprocess
internal import Synchronization
internal import SystemPackage

/// Tells people of questions: brings them the link in this machine's browser, or by a command.
final class LinkPresenter: Sendable {
  enum Way: Sendable {
    /// This machine's browser.
    case browser
    /// A shell command that reads the link.
    case command(String)
  }

  let ways: [Way]
  private let browsers = Mutex<[BrowserRedirect]>([])

  /// How long a command may take.
  private static let limit: Swift.Duration = .seconds(10)

  init(opens: Bool, command: String?) {
    ways = (opens ? [.browser] : []) + (command.map { [.command($0)] } ?? [])
  }

  /// Goes all ways, of which one suffices.
  ///
  /// - Returns: what was done, as a sentence for the model, or what is wrong with every way.
  func tell(_ link: String) async -> Result<String, TellingFailure> {
    var (done, failed): ([String], [String]) = ([], [])
    for way in ways {
      switch way {
      case .browser:
        if let reason = await open(link) {
          failed.append(reason)
        } else {
          done.append("opened in this machine's browser")
        }
      case .command(let command):
        if let reason = await run(command, link) {
          failed.append("the command of --notify \(reason)")
        } else {
          done.append("given to the command of --notify")
        }
      }
    }
    for reason in failed { standardError("okcancel: a person was not told: \(reason)") }
    if done.isEmpty { return .failure(TellingFailure(failed.joined(separator: ", and "))) }
    return .success("The question was \(done.joined(separator: " and ")).")
  }

  private func open(_ link: String) async -> String? {
    let browser = BrowserRedirect()
    browsers.withLock { $0.append(browser) }
    return await browser.open(link)
  }

  /// - Returns: what became of the command if it failed, else `nil`.
  private func run(_ command: String, _ link: String) async -> String? {
    await withTaskGroup(of: String?.self) { group in
      group.addTask { await self.runToItsEnd(command, link) }
      group.addTask {
        try? await Task.sleep(for: Self.limit)
        return "did not end within 10 seconds and was killed"
      }
      // The first to end decides; cancelling the group kills a command that is late.
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
  }

  private func runToItsEnd(_ command: String, _ link: String) async -> String? {
    // A group of its own, so that what the command has started ends with it when it is late.
    var options = PlatformOptions()
    options.processGroupID = 0
    options.teardownSequence = [.send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .zero)]
    let secrets = Secrets.variables.map { (Environment.Key(stringLiteral: $0), String?.none) }
    do {
      let input = try FileDescriptor.pipe()
      // A pipe holds a link: nobody has to read it yet.
      try input.writeEnd.closeAfter { _ = try input.writeEnd.writeAll((link + "\n").utf8) }
      let result = try await Subprocess.run(
        .path("/bin/sh"), arguments: ["-c", command],
        environment: .inherit.updating(Dictionary(uniqueKeysWithValues: secrets)), platformOptions: options,
        input: .fileDescriptor(input.readEnd, closeAfterSpawningProcess: true),
        output: .fileDescriptor(.standardError, closeAfterSpawningProcess: false),
        error: .fileDescriptor(.standardError, closeAfterSpawningProcess: false))
      switch result.terminationStatus {
      case .exited(0): return nil
      case .exited(127): return "ended with the exit code 127: there is no such command"
      case .exited(let code): return "ended with the exit code \(code)"
      case .signaled(let signal): return "was ended by the signal \(signal)"
      }
    } catch {
      return "could not be run: \(error)"
    }
  }

  func remove() { for browser in browsers.withLock({ $0 }) { browser.remove() } }
}
