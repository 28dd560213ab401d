internal import OKCancel
internal import Synchronization

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
  /// Hands the link to the command.
  private let handing = Mutex<Task<Void, Never>?>(nil)

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
      let task = Task {
        if let fault = await LinkPresenter.hand(link, to: command) { report("nobody was told: \(fault)") }
      }
      handing.withLock { $0 = task }
    }
    if Terminal.isError, !isQuiet { waiting.withLock { $0 = Task { await showWaiting() } } }
  }

  /// Writes a line of news, which the line on a terminal makes room for.
  private func report(_ line: String) {
    if Terminal.isError { Terminal.control(Terminal.lineErased) }
    standardError("okcancel: \(line)")
  }

  /// Says that the server has gone or asks to wait, and what is done about it.
  func serverIsAway(_ fault: AskFault) {
    var sentence = "\(fault)"
    if sentence.hasSuffix(".") { sentence.removeLast() }
    report("\(sentence); trying again until it responds or the time is up")
  }

  /// Says that nobody has heard of the question.
  func nobodyWasTold(because reasons: String) { report("nobody could be told: \(reasons.revealed)") }

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
      // The end of the line may be cut.
      let offer = offersTerminal ? "press t to answer here, Ctrl-C to withdraw; waiting" : "Waiting"
      let line =
        "\(offer) for an answer to “\(question)”, \(left) left" + (offersTerminal ? "" : "; Ctrl-C withdraws it")
      // The end of a longer line goes first, or it would stay.
      let shown = line.revealed.replacing("\n", with: " ").replacing("\t", with: " ")
      Terminal.control(Terminal.lineErased + Columns.cut(shown, to: Terminal.columns - 1))
      try? await Task.sleep(for: .seconds(1))
    }
    Terminal.control(Terminal.lineErased)
  }

  /// Waits until the command has taken the link: nobody else brings it to the person once this program has ended.
  func handed() async { await handing.withLock(\.self)?.value }

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
