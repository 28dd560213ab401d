internal import Foundation
internal import Glibc
internal import MCP
internal import OKCancel
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

/// Opens links in this machine's browser so that no other user sees them.
///
/// Everybody can read a browser's arguments in the list of processes. So it gets a file that only this user can read,
/// which redirects it to the link and is removed when the question has ended.
final class BrowserRedirect: Sendable {
  private let file = Mutex<(path: String?, isRemoved: Bool)>((nil, false))

  /// How long it is waited for a sign that no browser opens. An opener that runs longer shows the page itself.
  private static let patience: TimeInterval = 5

  /// - Parameter link: of http or https; others are not opened.
  /// - Returns: why no browser opens, or `nil` if one does.
  func open(_ link: String) async -> String? {
    guard Rule.url.isValid(link) else { return "the link is not the address of a web page" }
    let path = FileManager.default.temporaryDirectory.appending(path: "okcancel-\(UUID().uuidString).html").path
    let isWritten = file.withLock { file in
      guard !file.isRemoved, Self.write(Self.page(to: link), to: path) else { return false }
      file.path = path
      return true
    }
    guard isWritten else {
      return "no file can be made in \(FileManager.default.temporaryDirectory.path), which the browser would read"
    }
    let opener = Process()
    opener.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    opener.arguments = ["xdg-open", path]
    opener.environment = ProcessInfo.processInfo.environment.filter { !Secrets.variables.contains($0.key) }
    opener.standardOutput = FileHandle.nullDevice
    opener.standardError = FileHandle.nullDevice
    return await withCheckedContinuation { done in
      let ended = Once(done)
      opener.terminationHandler = { opener in
        let status = opener.terminationStatus
        let reason = status == 127 ? "there is no xdg-open" : "xdg-open ended with the exit code \(status)"
        ended.resume(status == 0 ? nil : "no browser opens on this machine: \(reason)")
      }
      do { try opener.run() } catch { return ended.resume("no browser opens on this machine: xdg-open cannot be run") }
      DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { ended.resume(nil) }
    }
  }

  /// A continuation that takes the first of several results.
  private final class Once: Sendable {
    private let continuation: Mutex<CheckedContinuation<String?, Never>?>

    init(_ continuation: CheckedContinuation<String?, Never>) { self.continuation = Mutex(continuation) }

    func resume(_ result: String?) { continuation.withLock { $0.take() }?.resume(returning: result) }
  }

  func remove() {
    file.withLock { file in
      if let path = file.path { unlink(path) }
      file = (nil, true)
    }
  }

  private static func write(_ text: String, to path: String) -> Bool {
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    return Glibc.write(descriptor, bytes, bytes.count) == bytes.count
  }

  static func page(to link: String) -> String {
    let link = [("&", "&amp;"), ("\"", "&quot;"), ("'", "&#39;"), ("<", "&lt;"), (">", "&gt;")]
      .reduce(link) { $0.replacing($1.0, with: $1.1) }
    return """
      <!doctype html>
      <meta charset="utf-8">
      <meta name="referrer" content="no-referrer">
      <meta http-equiv="refresh" content="0; url=\(link)">
      <title>OKCancel</title>
      <a href="\(link)">Go on</a>

      """
  }
}
