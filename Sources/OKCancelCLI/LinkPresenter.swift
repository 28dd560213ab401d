internal import OKCancel
internal import Subprocess
internal import SystemPackage

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
  static func hand(_ link: String, to command: String) async -> PlainError? {
    await ChildProcess.inTime(.seconds(10)) { await run(command, link) } ?? PlainError(row: "notify-goes-on")
  }

  /// Tries every way to tell the person; it is enough if one works.
  ///
  /// - Returns: what was done, as a sentence for the model, or what is wrong with every way.
  func tell(_ link: String) async -> Telling {
    var ways: [(deed: String, obstacle: PlainError?)] = []
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
  private static func run(_ command: String, _ link: String) async -> PlainError? {
    do {
      let input = try FileDescriptor.pipe()
      // A pipe holds a link: nobody has to read it yet.
      try input.writeEnd.closeAfter { _ = try input.writeEnd.writeAll((link + "\n").utf8) }
      let result = try await Subprocess.run(
        ChildProcess.configuration("/bin/sh", ["-c", command]),
        input: .fileDescriptor(input.readEnd, closeAfterSpawningProcess: true),
        output: .fileDescriptor(.standardError, closeAfterSpawningProcess: false),
        error: .fileDescriptor(.standardError, closeAfterSpawningProcess: false))
      return switch result.terminationStatus {
      case .exited(0): nil
      case .exited(127): PlainError(row: "notify-missing")
      case .exited(let code): PlainError(row: "notify-ended", ["code": code])
      case .signaled(let signal): PlainError(row: "notify-killed", ["signal": signal])
      }
    } catch {
      return PlainError(row: "notify-not-run", ["why": "\(error)"])
    }
  }
}
