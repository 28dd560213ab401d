internal import CQRencode
internal import OKCancel
internal import Synchronization

/// How a link reaches a person, and what a terminal says while they answer.
final class Presentation: Sendable {
  private let question: String
  private let expiry: Duration
  private let opensBrowser: Bool
  private let hasQRCode: Bool
  private let isQuiet: Bool
  private let browser = BrowserRedirect()
  private let waiting = WaitingLine()

  init(of question: String, for expiry: Duration, opensBrowser: Bool, hasQRCode: Bool, isQuiet: Bool) {
    (self.question, self.expiry) = (question, expiry)
    (self.opensBrowser, self.hasQRCode, self.isQuiet) = (opensBrowser, hasQRCode, isQuiet)
  }

  /// Brings the link to the person.
  func show(_ link: String) {
    let words = isQuiet ? "" : "Answer at "
    if Terminal.isError, let shown = Terminal.hyperlink(link) {
      Terminal.control(words + shown + "\n")
    } else {
      standardError(words + link)
    }
    if hasQRCode, Terminal.isError { showCode(of: link) }
    if opensBrowser {
      Task {
        guard let reason = await browser.open(link) else { return }
        report("\(reason); open the link yourself")
      }
    }
    if Terminal.isError, !isQuiet { waiting.begin(question, for: expiry) }
  }

  /// Writes a line of news, which the line on a terminal makes room for.
  func report(_ line: String) {
    if Terminal.isError { Terminal.control("\r\u{1B}[2K") }
    standardError("okcancel: \(line)")
  }

  /// Says that the server has gone, and what is done about it.
  func serverIsAway(_ fault: Client.Fault) { report("\(fault); trying again until it responds or the time is up") }

  private func showCode(of link: String) {
    guard let code = QRCode(link) else { return standardError("okcancel: the link is too long for a QR code") }
    guard code.width <= Terminal.columns else {
      return standardError("okcancel: the QR code needs a terminal of \(code.width) columns")
    }
    Terminal.control(code.lines.joined(separator: "\n") + "\n")
  }

  /// Takes back what only helps while the question is open.
  func end() async {
    await waiting.end()
    browser.remove()
  }
}

/// The line on a terminal that says what is waited for, while it is.
final class WaitingLine: Sendable {
  private let task = Mutex<Task<Void, Never>?>(nil)

  /// - Parameters:
  ///   - question: what was asked, in its own words.
  ///   - duration: how long there is to answer.
  func begin(_ question: String, for duration: Duration) {
    let end = ContinuousClock.now + duration
    let task = Task {
      while !Task.isCancelled {
        let left = Self.inWords(max(.zero, end - .now))
        let line = "Waiting for an answer to “\(question)”, \(left) left; Ctrl-C withdraws it"
        // The end of a longer line goes first, or it would stay.
        Terminal.control("\r\u{1B}[2K" + Terminal.cut(line.visible.replacing("\n", with: " ")))
        try? await Task.sleep(for: .seconds(1))
      }
      Terminal.control("\r\u{1B}[2K")
    }
    self.task.withLock { $0 = task }
  }

  /// Returns once the line has gone.
  func end() async {
    let task = task.withLock { task in
      defer { task = nil }
      return task
    }
    task?.cancel()
    await task?.value
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
}

/// A QR code of a text (ISO/IEC 18004), for a terminal, with error correction level L.
struct QRCode {
  /// How many columns it takes.
  let width: Int
  /// Lines, two rows of modules each, black on white whatever the terminal's colours are.
  let lines: [String]

  /// The modules around it that must be light.
  private static let margin = 4

  /// `nil` for a text that is too long.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let code = unsafe QRcode_encodeData(CInt(bytes.count), bytes, 0, QR_ECLEVEL_L) else { return nil }
    defer { unsafe QRcode_free(code) }
    let size = unsafe Int(code.pointee.width)
    // The lowest bit of a module says whether it is dark.
    let modules = unsafe UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { $0 & 1 == 1 }
    func isDark(_ x: Int, _ y: Int) -> Bool {
      (0..<size).contains(x) && (0..<size).contains(y) && modules[y * size + x]
    }
    width = size + 2 * Self.margin
    lines = stride(from: -Self.margin, to: size + Self.margin, by: 2).map { y in
      let cells = (-Self.margin..<size + Self.margin).map { x in
        switch (isDark(x, y), isDark(x, y + 1)) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }
      return "\u{1B}[38;5;16;48;5;231m" + cells.joined() + "\u{1B}[0m"
    }
  }
}
