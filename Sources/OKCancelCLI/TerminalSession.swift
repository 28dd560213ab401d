internal import CProcess
internal import Foundation
internal import OKCancel
internal import Prompts
internal import Synchronization

/// Asks the person at this terminal. Standard input and output are left alone.
final class TerminalSession: Sendable {
  private let terminal: ControllingTerminal
  /// True while the answer is on its way.
  private let isSending = Atomic(false)
  /// Of the language of the dialog, once it is shown.
  private let sentences = Mutex<Sentences?>(nil)

  /// - Throws: `Failure` if there is no terminal.
  init() throws(Failure) {
    guard let terminal = ControllingTerminal() else { throw Failure("no-terminal-to-answer") }
    self.terminal = terminal
  }

  /// Shows the dialog.
  ///
  /// - Returns: how the dialog ended, or `nil` if the person left it open.
  /// - Throws: `AskFault` or `HasEnded`, and says so on the terminal; `CancellationError`.
  func run(_ question: some PersonsQuestion) async throws -> Ended? {
    do {
      let prompt = try await question.prompt()
      sentences.withLock { $0 = Sentences(in: prompt.language ?? .english) }
      defer { terminal.release() }
      let ended = try await show(prompt, question)
      // A reason was sent.
      if let ended { say(ended.outcome.reason == nil ? ended.outcome.kind.note : .done) }
      return ended
    } catch let over as HasEnded {
      say(over.outcome)
      throw over
    }
  }

  /// Has the person at this terminal answer a question that nobody else can answer.
  ///
  /// - Parameter time: how much there is; then the outcome is `expired`.
  /// - Throws: what `run` throws; `CancellationError` if the task is cancelled.
  static func end(of question: DeskQuestion, within time: Duration) async throws -> Ended {
    let here = try TerminalSession()
    return try await here.first {
      try await here.run(question) ?? Ended(.withdrawn)
    } elsewhere: {
      try await Task.sleep(for: time)
      return Ended(.expired)
    }
  }

  /// Makes an ask, and has the person at this terminal answer it; somebody else may be first.
  ///
  /// - Parameters:
  ///   - presentation: shows the link first, and the dialog appears when the person presses `t`; or `nil` to show the
  ///     dialog at once.
  ///   - find: the question behind a link, or `nil` if it is no such link.
  /// - Throws: what `asker` or the session throws; `CancellationError` if the person left it open, and it is withdrawn.
  static func end<Found: PersonsQuestion>(
    of question: Question, from asker: some Asker, offeredBy presentation: Presentation? = nil,
    behind find: @escaping @Sendable (URL) -> Found?
  ) async throws -> Ended {
    let here = try TerminalSession()
    let (links, made) = AsyncStream.makeStream(of: URL.self)
    return try await here.first {
      guard let link = await links.first(where: { _ in true }), let question = find(link) else { return nil }
      if let presentation {
        presentation.show(link.absoluteString)
        try await here.waitForKey("t")
        await presentation.end()
      }
      do {
        guard try await here.run(question) != nil else { throw CancellationError() }
      } catch is HasEnded {}
      // The asker says how it ended.
      return nil
    } elsewhere: {
      defer { made.finish() }
      return try await asker.end(of: question) { made.yield($0) }
    }
  }

  /// How the question ended first.
  ///
  /// - Parameters:
  ///   - work: asks here, and returns how it ended unless that is told elsewhere.
  ///   - elsewhere: waits until it has ended, wherever that was.
  private func first(
    _ work: @escaping @Sendable () async throws -> Ended?, elsewhere: @escaping @Sendable () async throws -> Ended
  ) async throws -> Ended {
    let work = Task { try await work() }
    return try await withThrowingTaskGroup(of: Ended?.self) { group in
      group.addTask { try await elsewhere() }
      group.addTask {
        try await withTaskCancellationHandler {
          try await work.value
        } onCancel: {
          // Its own answer may have ended the ask; then it says so.
          if !self.isSending.load(ordering: .acquiring) { work.cancel() }
        }
      }
      while let ended = try await group.next() {
        guard let ended else { continue }
        group.cancelAll()
        switch await work.result {
        case .success(let own): return own ?? ended
        case .failure(is CancellationError): say(ended.outcome.kind)
        case .failure: break
        }
        return ended
      }
      throw CancellationError()
    }
  }

  /// True if a person can be asked here instead of in a browser.
  static var isOffered: Bool {
    let environment = ProcessInfo.processInfo.environment
    let hasBrowser = ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"].contains { !environment[$0, default: ""].isEmpty }
    return !hasBrowser && Terminal.isError && isatty(STDIN_FILENO) == 1 && ControllingTerminal()?.isForeground == true
  }

  /// - Throws: `CancellationError` after Ctrl-C.
  private func waitForKey(_ letter: String) async throws {
    try await terminal.foreground()
    try terminal.hold(.keys)
    for await event in terminal.events() {
      switch event {
      case .keys(let presses):
        let keys = presses.map(\.key)
        if keys.contains(.text(letter)) { return }
        if keys.contains(.interrupt) {
          terminal.release()
          throw CancellationError()
        }
        if keys.contains(.suspend) { kill(0, SIGTSTP) }
      case .resumed:
        try await terminal.foreground()
        try terminal.hold(.keys)
      case .resized, .closed: break
      }
    }
    terminal.release()
    throw CancellationError()
  }

  /// Says that the question has ended elsewhere, if it was shown.
  private func say(_ outcome: Outcome.Kind) {
    // In plain lines, a question may wait for its answer.
    if terminal.isDumb { terminal.write("\n") }
    say([.expired, .withdrawn].contains(outcome) ? outcome.note : .answered)
  }

  private func say(_ note: PageNote) {
    guard let sentences = sentences.withLock(\.self) else { return }
    terminal.release()
    terminal.write(sentences[note].sentence.revealed + "\n")
  }

  // MARK: Dialogs

  /// The result of sending an ending.
  private enum Sent {
    /// Or `nil` if the person leaves it open.
    case ended(Ended?)
    case refused([String: Verdict])
    /// The dialog stays, and says this, if anything.
    case open(String?)
  }

  private typealias Judging = (Answering) async throws -> [String: Verdict]?
  private typealias Sending = (DialogEnding, Answering) async throws -> Sent

  private func show(_ prompt: Prompt, _ question: some PersonsQuestion) async throws -> Ended? {
    try await show(prompt) { answering in
      try await self.reaching { try await question.verdicts(on: answering.inputs, of: prompt.fields) }
    } sending: { ending, answering in
      guard ending == .cancel, let reason = prompt.reason else {
        return try await self.send(ending, answering, to: question)
      }
      return try await self.ask(why: reason, of: prompt, answering.sentences, question)
    }
  }

  private func show(_ prompt: Prompt, _ judge: Judging, sending send: Sending) async throws -> Ended? {
    try await terminal.foreground()
    if terminal.isDumb { return try await run(Lines(prompt, on: terminal), of: prompt, judge, send) }
    return try await run(try Frame(prompt, on: terminal), of: prompt, judge, send)
  }

  private func run(
    _ shown: some ShownDialog, of prompt: Prompt, _ judge: Judging, _ send: Sending
  ) async throws -> Ended? {
    var shown = shown
    shown.dialog.judged(try await judge(shown.dialog.answering))
    while let event = try await shown.next() {
      switch shown.take(event) {
      case .judge?:
        shown.draw()
        shown.dialog.judged(try await judge(shown.dialog.answering))
      case .send(let ending)?:
        // The reason is asked for below.
        let asksWhy = ending == .cancel && prompt.reason != nil
        if asksWhy { shown.end() }
        switch try await send(ending, shown.dialog.answering) {
        case .refused(let verdicts): shown.dialog.refused(verdicts, saying: nil)
        case .open(let note): shown.dialog.refused(nil, saying: note)
        case .ended(let ended):
          if !asksWhy { shown.end() }
          return ended
        }
      case .leave?:
        shown.end()
        return nil
      case nil: break
      }
    }
    shown.end()
    try Task.checkCancellation()
    return nil
  }

  /// Asks why the person cancels, in a dialog of its own that leads back to the other.
  private func ask(
    why reason: Prompt.Button.Reason, of prompt: Prompt, _ sentences: Sentences, _ asked: some PersonsQuestion
  ) async throws -> Sent {
    let edition = Prompt(reason: reason, of: prompt, in: sentences).edition()
    var question = edition.prompt, goesBack = false
    // No Cancel: Ctrl-C leaves.
    question.buttons[0] = .init(sentences[.back], role: .action, name: "back", validates: false)
    let ended = try await show(question) { answering in
      let verdicts = await Judge().verdicts(on: answering.inputs, of: edition)
      return verdicts[Field.reasonName].map { [Field.reasonName: $0] }
    } sending: { ending, answering in
      goesBack = ending != .ok
      return goesBack ? .ended(nil) : try await self.send(.cancel, answering, to: asked)
    }
    return ended == nil && goesBack ? .open(nil) : .ended(ended)
  }

  // MARK: Answering

  /// The result, or `nil` if a server that is needed for it cannot be reached.
  private func reaching<Result>(_ work: () async throws -> Result) async throws -> Result? {
    do { return try await work() } catch AskFault.unreachable {
      try Task.checkCancellation()
      return nil
    }
  }

  /// - Parameter answering: the fields or, for Cancel, the reason if one is asked for.
  private func send(
    _ ending: DialogEnding, _ answering: Answering, to question: some PersonsQuestion
  ) async throws -> Sent {
    let (kind, action): (Outcome.Kind, String?) =
      switch ending {
      case .ok: (.ok, nil)
      case .cancel: (.cancel, nil)
      case .action(let name): (.action, name)
      }
    isSending.store(true, ordering: .releasing)
    defer { isSending.store(false, ordering: .releasing) }
    let reply = try await reaching {
      try await question.answer(kind, action: action, answering.inputs, of: answering.prompt.fields)
    }
    return switch reply {
    case .ended(let ended)?: .ended(ended)
    case .refused(let verdicts)?: .refused(verdicts)
    case nil: .open(answering.sentences[.unreachable])
    }
  }
}
