internal import Foundation
internal import Glibc
internal import Synchronization

/// Brings links to people: in this machine's browser, or by a command.
final class LinkPresenter: Sendable {
  private let browsers = Mutex<[BrowserRedirect]>([])
  private let opens: Bool
  let command: String?

  /// How long a command may take.
  private static let patience: TimeInterval = 30

  init(opens: Bool, command: String?) { (self.opens, self.command) = (opens, command) }

  var presents: Bool { opens || command != nil }

  /// Whether the link is on its way.
  func present(_ link: String) async -> Bool {
    if opens {
      let browser = BrowserRedirect()
      browsers.withLock { $0.append(browser) }
      browser.open(link)
    }
    guard let command else { return opens }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.environment = ProcessInfo.processInfo.environment.filter { !Secrets.variables.contains($0.key) }
    let input = Pipe()
    process.standardInput = input
    process.standardOutput = FileHandle.standardError
    let status: Int32? = await withCheckedContinuation { done in
      process.terminationHandler = { done.resume(returning: $0.terminationStatus) }
      do { try process.run() } catch {
        process.terminationHandler = nil
        return done.resume(returning: nil)
      }
      try? input.fileHandleForWriting.write(contentsOf: Data((link + "\n").utf8))
      try? input.fileHandleForWriting.close()
      let number = process.processIdentifier
      DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) {
        if process.isRunning { kill(number, SIGKILL) }
      }
    }
    if status != 0 { standardError("okcancel: the command of --notify failed, so the model gets the link") }
    return status == 0
  }

  func remove() { for browser in browsers.withLock({ $0 }) { browser.remove() } }
}
