internal import Base
internal import Foundation
internal import MCP
internal import OKCancel
internal import Prompts
internal import Subprocess
internal import Synchronization
internal import SystemPackage
internal import TerminalDialog

/// Brings the link of `ask` to a person, and shows in a terminal that the command waits.
final class Presentation: Sendable {
  private let question: String
  private let expiry: Duration
  private let opensBrowser: Bool
  private let hasQRCode: Bool
  let isQuiet: Bool
  private let command: String?
  /// True if the person may answer in this terminal, and is told so.
  let offersTerminal: Bool
  private let browser = BrowserRedirect()
  private let waiting = Mutex<Task<Void, Never>?>(nil)

  /// - Parameters:
  ///   - question: what is asked, in its own words.
  ///   - expiry: how long there is to answer.
  ///   - command: a shell command that reads the link, or `nil`.
  init(
    of question: String, for expiry: Duration, opensBrowser: Bool, hasQRCode: Bool, isQuiet: Bool, command: String?
  ) {
    self.command = command
    self.question = question
    self.expiry = expiry
    self.opensBrowser = opensBrowser
    self.hasQRCode = hasQRCode
    self.isQuiet = isQuiet
    offersTerminal = !opensBrowser && !isQuiet && TerminalSession.isOffered
  }

  /// Brings the link to the person.
  func show(_ link: String) {
    Terminal.control((isQuiet ? "" : "Answer at ") + (Terminal.hyperlink(link) ?? link.revealed) + "\n")
    if hasQRCode, Terminal.isError { showCode(of: link) }
    if opensBrowser {
      Task { if let fault = await browser.open(link) { report("\(fault); open the link yourself") } }
    }
    if let command {
      Task { if let fault = await LinkPresenter.hand(link, to: command) { report("nobody was told: \(fault)") } }
    }
    if Terminal.isError, !isQuiet { waiting.withLock { $0 = Task { await showWaiting() } } }
  }

  /// Writes a line of news, which the line on a terminal makes room for.
  private func report(_ line: String) {
    if Terminal.isError { Terminal.control(Terminal.lineErased) }
    standardError("okcancel: \(line)")
  }

  /// Says that the server has gone, and what is done about it.
  func serverIsAway(_ fault: AskFault) { report("\(fault); trying again until it responds or the time is up") }

  private func showCode(of link: String) {
    guard let code = QRCode(link) else { return standardError("okcancel: the link is too long for a QR code") }
    guard code.width <= Terminal.columns else {
      return standardError("okcancel: the QR code needs a terminal of \(code.width) columns")
    }
    Terminal.control(code.lines.joined(separator: "\n") + "\n")
  }

  /// Says on a terminal what is waited for, until the task is cancelled.
  private func showWaiting() async {
    let end = ContinuousClock.now + expiry
    while !Task.isCancelled {
      let left = Self.inWords(max(.zero, end - .now))
      let offer = offersTerminal ? "press t to answer here, " : ""
      let line = "Waiting for an answer to “\(question)”, \(left) left; \(offer)Ctrl-C withdraws it"
      // The end of a longer line goes first, or it would stay.
      let shown = line.revealed.replacing("\n", with: " ").replacing("\t", with: " ")
      Terminal.control(Terminal.lineErased + Columns.cut(shown, to: Terminal.columns - 1))
      try? await Task.sleep(for: .seconds(1))
    }
    Terminal.control(Terminal.lineErased)
  }

  private static func inWords(_ duration: Duration) -> String {
    let seconds = Int(duration.components.seconds)
    return switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7200: "\((seconds + 59) / 60) min"
    case ..<172_800: "\((seconds + 3599) / 3600) h"
    default: "\((seconds + 86_399) / 86_400) days"
    }
  }

  /// Removes the waiting line and the browser's files, once the question is closed.
  func end() async {
    let waiting = waiting.withLock(\.self)
    waiting?.cancel()
    await waiting?.value
    browser.remove()
  }
}

/// Tells people of an agent's questions: brings them the link in this machine's browser, or by a command.
struct LinkPresenter: Sendable {
  /// True if this machine's browser opens links.
  let opens: Bool
  /// A shell command that reads the link, or `nil` if there is none.
  let command: String?
  let browser = BrowserRedirect()

  /// True if there is a way to tell the person.
  var hasWay: Bool { opens || command != nil }

  /// Gives the link to a shell command, which has ten seconds.
  ///
  /// - Returns: what is wrong if it did not take it.
  static func hand(_ link: String, to command: String) async -> Obstacle? {
    await ChildProcess.inTime(.seconds(10)) { await run(command, link) } ?? .notifyGoesOn
  }

  /// Tries every way to tell the person; it is enough if one works.
  ///
  /// - Returns: what was done, as a sentence for the model, or what is wrong with every way.
  func tell(_ link: String) async -> Telling {
    var ways: [(deed: String, obstacle: Obstacle?)] = []
    if opens { ways.append(("handed to this machine's browser", await browser.open(link))) }
    if let command {
      ways.append(("handed to the command of --notify-command", await Self.hand(link, to: command)))
    }
    let obstacles = ways.compactMap { $0.obstacle?.description }
    for obstacle in obstacles { standardError("okcancel: a person was not told: \(obstacle)") }
    let done = ways.filter { $0.obstacle == nil }.map(\.deed)
    if done.isEmpty { return .failed(obstacles.joined(separator: ", and ")) }
    return .done("The question was \(done.joined(separator: " and ")).")
  }

  /// - Returns: what became of the command if it failed, else `nil`.
  private static func run(_ command: String, _ link: String) async -> Obstacle? {
    do {
      let input = try FileDescriptor.pipe()
      // A pipe holds a link: nobody has to read it yet.
      try input.writeEnd.closeAfter { _ = try input.writeEnd.writeAll((link + "\n").utf8) }
      let result = try await Subprocess.run(
        ChildProcess.configuration("/bin/sh", ["-c", command]),
        input: .fileDescriptor(input.readEnd, closeAfterSpawningProcess: true),
        output: .fileDescriptor(.standardError, closeAfterSpawningProcess: false),
        error: .fileDescriptor(.standardError, closeAfterSpawningProcess: false))
      return result.terminationStatus == .exited(0) ? nil : .notify(result.terminationStatus)
    } catch {
      return .notifyNotRun(error)
    }
  }
}

/// Opens links in this machine's browser so that no other user sees them.
///
/// Everybody can read a browser's arguments in the list of processes. So it gets a file that only this user can read,
/// which redirects it to the link and is removed when the question has ended.
final class BrowserRedirect: Sendable {
  /// The files that were made, or `nil` once they are removed.
  private let files = Mutex<[String]?>([])

  /// - Parameter link: of http or https; others are not opened.
  /// - Returns: why no browser opens, or `nil` if one does.
  func open(_ link: String) async -> Obstacle? {
    guard Rule.url.isValid(link) else { return .link }
    let folder = FileManager.default.temporaryDirectory
    let path = folder.appending(path: "okcancel-\(UUID().uuidString).html").path
    let isMade = files.withLock { files in
      guard files != nil, (try? Self.write(Self.page(to: link), to: path)) != nil else { return false }
      files?.append(path)
      return true
    }
    guard isMade else { return .page(in: folder.path) }
    let (endings, ended) = AsyncStream.makeStream(of: Obstacle?.self)
    // An opener that runs longer than it is waited for shows the page itself.
    Task { ended.yield(await Self.open(path)) }
    Task {
      try? await Task.sleep(for: .seconds(5))
      ended.yield(nil)
    }
    return await endings.first { _ in true } ?? nil
  }

  private static func open(_ path: String) async -> Obstacle? {
    let result = try? await Subprocess.run(
      ChildProcess.configuration("/usr/bin/env", ["xdg-open", path]), output: .discarded)
    return result?.terminationStatus == .exited(0) ? nil : .browser(result?.terminationStatus)
  }

  func remove() {
    files.withLock { files in
      for path in files ?? [] { unlink(path) }
      files = nil
    }
  }

  private static func write(_ page: String, to path: String) throws {
    let file = try FileDescriptor.open(
      path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite)
    try file.closeAfter { _ = try file.writeAll(page.utf8) }
  }

  private static func page(to link: String) -> String {
    let link = [("&", "&amp;"), ("\"", "&quot;"), ("'", "&#39;"), ("<", "&lt;"), (">", "&gt;")]
      .reduce(link) { $0.replacing($1.0, with: $1.1) }
    return EmbeddedFiles.text(of: "Sources/OKCancelCLI/redirect.html").replacing("{link}", with: link)
  }
}
