internal import Foundation
internal import Glibc
internal import MCP
internal import OKCancel
internal import Subprocess
internal import Synchronization
internal import SystemPackage

/// Tells people of questions: brings them the link in this machine's browser, or by a command.
final class LinkPresenter: Sendable {
  /// Whether this machine's browser opens links.
  private let opens: Bool
  /// A shell command that reads the link, or `nil` if there is none.
  private let command: String?
  private let browsers = Mutex<[BrowserRedirect]>([])

  init(opens: Bool, command: String?) { (self.opens, self.command) = (opens, command) }

  /// Whether anybody is told.
  var hasWay: Bool { opens || command != nil }

  /// Goes all ways, of which one suffices.
  ///
  /// - Returns: what was done, as a sentence for the model, or what is wrong with every way.
  func tell(_ link: String) async -> Result<String, TellingFailure> {
    var (done, failed): ([String], [String]) = ([], [])
    if opens {
      if let reason = await open(link) {
        failed.append(reason)
      } else {
        done.append("opened in this machine's browser")
      }
    }
    if let command {
      let reason = await ChildProcess.inTime(.seconds(10)) { await Self.run(command, link) }
      if let reason = reason ?? "did not end within 10 seconds and was killed" {
        failed.append("the command of --notify \(reason)")
      } else {
        done.append("given to the command of --notify")
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
  private static func run(_ command: String, _ link: String) async -> String? {
    do {
      let input = try FileDescriptor.pipe()
      // A pipe holds a link: nobody has to read it yet.
      try input.writeEnd.closeAfter { _ = try input.writeEnd.writeAll((link + "\n").utf8) }
      let result = try await Subprocess.run(
        ChildProcess.configuration("/bin/sh", ["-c", command], without: Secrets.variables),
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
    let (endings, ended) = AsyncStream.makeStream(of: String?.self)
    // An opener that runs longer than it is waited for shows the page itself.
    Task { ended.yield(await Self.open(path)) }
    Task {
      try? await Task.sleep(for: .seconds(5))
      ended.yield(nil)
    }
    let reason = await endings.first { _ in true } ?? nil
    return reason.map { "no browser opens on this machine: \($0)" }
  }

  private static func open(_ path: String) async -> String? {
    let result = try? await Subprocess.run(
      ChildProcess.configuration("/usr/bin/env", ["xdg-open", path], without: Secrets.variables), output: .discarded)
    switch result?.terminationStatus {
    case .exited(0)?: return nil
    case .exited(127)?: return "there is no xdg-open"
    case .exited(let code)?, .signaled(let code)?: return "xdg-open ended with the exit code \(code)"
    case nil: return "xdg-open cannot be run"
    }
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
