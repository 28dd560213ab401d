internal import CProcess
internal import Foundation
internal import Platform
internal import Synchronization

/// `/dev/tty`: the terminal of whoever started this command, whatever its input and output are.
final class ControllingTerminal: Sendable {
  /// An event that a reader of the terminal gets.
  enum Event: Sendable {
    case keys([Press])
    case resized
    /// The process was stopped, and goes on.
    case resumed
    /// There is no terminal any more.
    case closed
  }

  enum Mode {
    case keys
    case lines, secretLines
  }

  private let descriptor: Int32
  private let stream = Mutex<AsyncStream<Event>?>(nil)
  private let isHeld = Atomic(false)
  private let hasColors: Bool
  /// True if the terminal can only print lines.
  let isDumb: Bool

  /// `nil` if there is none.
  init?() {
    descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    let environment = ProcessInfo.processInfo.environment
    isDumb = [nil, "", "dumb"].contains(environment["TERM"])
    hasColors = environment["NO_COLOR", default: ""].isEmpty
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// The parameters of SGR (ECMA-48, 8.3.117) for a style.
  func code(of style: Screen.Style) -> String? {
    switch style {
    case .plain: nil
    case .strong: "1"
    case .faint: "2"
    case .error: hasColors ? "31" : "1"
    case .chosen: "7"
    }
  }

  func write(_ text: String) { try? Output.write(Array(text.utf8), to: descriptor) }

  /// In the mode `keys`, a program before may have left on that a mouse or the focus sends something: it is switched
  /// off, and what is pasted is marked.
  ///
  /// - Throws: `Failure` if its settings cannot be changed.
  func hold(_ mode: Mode) throws(Failure) {
    let code = cprocess_hold_terminal(descriptor, mode != .keys, mode == .secretLines)
    guard code == 0 else { throw Failure("terminal", ["why": String(cString: strerror(code))]) }
    isHeld.store(true, ordering: .releasing)
    if mode == .keys { write("\u{1B}[?9;1000;1001;1002;1003;1004;1007l\u{1B}[?2004h") }
  }

  /// Says that a press does nothing.
  func refuse() { write("\u{07}") }

  /// Gives it back as it was.
  func release() {
    isHeld.store(false, ordering: .releasing)
    if !isDumb { write("\u{1B}[?2004l\u{1B}[?25h") }
    cprocess_release_terminal()
  }

  /// Keys and changes while it is held, until the task is cancelled. There is only one reader, so that no key is lost
  /// between two who ask for them.
  func events() -> AsyncStream<Event> {
    stream.withLock { stream in
      let events = stream ?? read()
      stream = events
      return events
    }
  }

  private func read() -> AsyncStream<Event> {
    let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    let isOver = Flag()
    continuation.onTermination = { _ in isOver.set() }
    OwnThread.run {
      var reader = KeyReader()
      var (size, resumptions, isForeground) = (self.size, cprocess_resumptions(), true)
      while !isOver.isSet {
        if self.isForeground != isForeground {
          isForeground.toggle()
          if isForeground { continuation.yield(.resumed) }
        }
        guard self.isHeld.load(ordering: .acquiring) else {
          usleep(20_000)
          continue
        }
        guard let (bytes, time) = self.received() else {
          continuation.yield(.closed)
          return continuation.finish()
        }
        let keys = reader.read(bytes, at: time)
        if !keys.isEmpty { continuation.yield(.keys(keys)) }
        if size != self.size { continuation.yield(.resized) }
        if resumptions != cprocess_resumptions() { continuation.yield(.resumed) }
        (size, resumptions) = (self.size, cprocess_resumptions())
      }
      continuation.finish()
    }
    return events
  }

  /// A line, or the key that ended it.
  enum Line {
    case text(String)
    case endOfText, interrupt, suspend
    /// It is no UTF-8.
    case refused
  }

  /// A line, and a time before which it was not ended.
  ///
  /// - Throws: `CancellationError`.
  func line() async throws -> (Line, began: ContinuousClock.Instant) {
    let (bytes, began) = await OwnThread.result { isCancelled in
      var line: [UInt8] = [], began = ContinuousClock.now
      while !isCancelled(), !line.contains(where: { [0x03, 0x0A, 0x1A].contains($0) }) {
        guard let (bytes, time) = self.received() else { break }
        line += bytes
        began = time
      }
      return (line, began)
    }
    try Task.checkCancellation()
    let line: Line =
      switch bytes.last {
      case 0x0A: KeyReader.text(ofLine: bytes.dropLast()).map(Line.text) ?? .refused
      case 0x03: .interrupt
      case 0x1A: .suspend
      default: .endOfText
      }
    return (line, began)
  }

  /// True if this process may read from it: a process in the background would be stopped.
  var isForeground: Bool { tcgetpgrp(descriptor) == getpgrp() }

  /// Waits until this process may change the terminal: one in the background would be stopped.
  ///
  /// - Throws: `CancellationError`.
  func foreground() async throws { while !isForeground { try await Task.sleep(for: .milliseconds(100)) } }

  /// Reads the bytes that come within a short time, if any; or `nil` at its end.
  ///
  /// - Returns: with bytes, a time before which they had not all come, however late this thread runs.
  private func received() -> ([UInt8], ContinuousClock.Instant)? {
    let start = ContinuousClock.now
    guard isForeground else {
      usleep(100_000)
      return ([], .now)
    }
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&state, 1, 50) > 0 else { return ([], .now) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return ([], .now) }
    return count > 0 ? (Array(bytes.prefix(count)), start) : nil
  }

  private final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
  }
}
