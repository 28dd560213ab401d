internal import CProcess
internal import Foundation
internal import OKCancel
internal import Prompts
internal import Synchronization
internal import TerminalDialog

/// Asks the person at this terminal what a link asks. Standard input and output are left alone.
final class TerminalSession: Sendable {
  private let terminal: ControllingTerminal
  /// True while the answer is on its way.
  private let isSending = Atomic(false)
  /// Of the language of the dialog, once it is shown.
  private let sentences = Mutex<Sentences?>(nil)

  /// - Throws: `Failure` if there is no terminal.
  init() throws(Failure) {
    guard let terminal = ControllingTerminal() else { throw Failure.noTerminalToAnswer }
    self.terminal = terminal
  }

  /// Shows the dialog.
  ///
  /// - Returns: how the dialog ended, or `nil` if the person left it open.
  /// - Throws: `AskFault` or `AnswerLink.HasEnded`, and says so on the terminal; `CancellationError`.
  func run(_ link: AnswerLink) async throws -> Ended? {
    do {
      let prompt = try await link.prompt()
      sentences.withLock { $0 = Sentences(in: prompt.language ?? .english) }
      defer { terminal.release() }
      let ended = try await show(prompt, link)
      // A reason was sent.
      if let ended { say(ended.outcome.reason == nil ? ended.outcome.kind.note : .done) }
      return ended
    } catch let over as AnswerLink.HasEnded {
      say(over.outcome)
      throw over
    }
  }

  /// Makes an ask, and has the person at this terminal answer it; somebody else may be first.
  ///
  /// - Parameter presentation: shows the link first, and the dialog appears when the person presses `t`; or `nil` to show
  ///   the dialog at once.
  /// - Throws: what `asker` or the session throws; `CancellationError` if the person left it open, and it is withdrawn.
  static func end(
    of question: Question, from asker: some Asker, trusting authorities: String?,
    offeredBy presentation: Presentation? = nil
  ) async throws -> Ended {
    let here = try TerminalSession()
    let (links, made) = AsyncStream.makeStream(of: String.self)
    // How it ended here, or `nil` if somebody else was first.
    let work = Task { () -> Ended? in
      guard let url = await links.first(where: { _ in true }),
        let link = AnswerLink(url, language: nil, authorities: authorities)
      else { return nil }
      if let presentation {
        presentation.show(url)
        try await here.waitForKey("t")
        await presentation.end()
      }
      do {
        guard let ended = try await here.run(link) else { throw CancellationError() }
        return ended
      } catch is AnswerLink.HasEnded { return nil }
    }
    return try await withThrowingTaskGroup(of: Ended?.self) { group in
      group.addTask {
        defer { made.finish() }
        return try await asker.end(of: question) { made.yield($0.absoluteString) }
      }
      group.addTask {
        try await withTaskCancellationHandler {
          _ = try await work.value
          return nil
        } onCancel: {
          // Its own answer may have ended the ask; then it says so.
          if !here.isSending.load(ordering: .acquiring) { work.cancel() }
        }
      }
      while let ended = try await group.next() {
        guard var ended else { continue }
        group.cancelAll()
        switch await work.result {
        // Another server only knows that the link was used, and says so to everybody.
        case .success(.some): if asker is OKCancelServer { ended.by = .terminal }
        case .failure(is CancellationError): here.say(ended.outcome.kind)
        case .success(nil), .failure: break
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
    try terminal.hold(.keys)
    for await event in terminal.events() {
      switch event {
      case .keys(let keys):
        if keys.contains(.text(letter)) { return }
        if keys.contains(.interrupt) {
          terminal.release()
          throw CancellationError()
        }
        if keys.contains(.suspend) { kill(0, SIGTSTP) }
      case .resumed: try terminal.hold(.keys)
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
    say(outcome == .expired ? .expired : outcome == .withdrawn ? .withdrawn : .answered)
  }

  private func say(_ note: PageNote) {
    guard let sentences = sentences.withLock(\.self) else { return }
    terminal.release()
    terminal.write(sentences[note].sentence.revealed + "\n")
  }

  // MARK: Dialogs

  /// The result of sending an ending.
  private enum Sent {
    case ended(Ended), refused([String: Verdict])
    /// The dialog stays, and says this, if anything.
    case open(String?)
    /// The person leaves it open.
    case left
  }

  private typealias Judging = (Answering) async throws -> [String: Verdict]?
  private typealias Sending = (DialogEnding, Answering) async throws -> Sent

  private func show(_ prompt: Prompt, _ link: AnswerLink) async throws -> Ended? {
    try await show(prompt, { try await self.verdicts(on: $0, link) }) { ending, answering in
      guard ending == .cancel, let reason = prompt.reason else { return try await self.send(ending, answering, link) }
      return try await self.ask(why: reason, of: prompt, answering.sentences, link)
    }
  }

  private func show(_ prompt: Prompt, _ judge: Judging, _ send: Sending) async throws -> Ended? {
    terminal.isDumb ? try await runPlain(prompt, judge, send) : try await runOnScreen(prompt, judge, send)
  }

  /// Asks why the person cancels, in a dialog of its own that leads back to the other.
  private func ask(
    why reason: Prompt.Button.Reason, of prompt: Prompt, _ sentences: Sentences, _ link: AnswerLink
  ) async throws -> Sent {
    let edition = Prompt(reason: reason, of: prompt, in: sentences).edition()
    var question = edition.prompt, goesBack = false
    // No Cancel: Ctrl-C leaves.
    question.buttons[0] = .init(question.buttons[0].title, role: .action, name: "back", validates: false)
    let ended = try await show(
      question,
      { answering in
        let verdicts = await Judge().verdicts(on: answering.inputs, of: edition)
        return verdicts[Field.reasonName].map { [Field.reasonName: $0] }
      }
    ) { ending, answering in
      goesBack = ending != .ok
      return goesBack ? .left : try await self.send(.cancel, answering, link)
    }
    return ended.map(Sent.ended) ?? (goesBack ? .open(nil) : .left)
  }

  // MARK: On a screen

  private func runOnScreen(_ prompt: Prompt, _ judge: Judging, _ send: Sending) async throws -> Ended? {
    try terminal.hold(.keys)
    var dialog = TerminalDialog(prompt), frame = Frame(terminal)
    frame.printHeading(of: prompt)
    dialog.judged(try await judge(dialog.answering))
    frame.draw(dialog)
    for await event in terminal.events() {
      var keys: [Key] = []
      switch event {
      case .keys(let pressed): keys = pressed
      case .resized: break
      case .resumed:
        try terminal.hold(.keys)
        frame.forget()
      case .closed: return nil
      }
      for key in keys {
        if key == .suspend {
          frame.end(dialog, hasEnded: false)
          kill(0, SIGTSTP)
          continue
        }
        if key == .redraw { frame.clear(prompt) }
        switch dialog.press(key) {
        case .judge?:
          frame.draw(dialog)
          dialog.judged(try await judge(dialog.answering))
        case .send(let ending)?:
          // The reason is asked for below.
          let asksWhy = ending == .cancel && prompt.reason != nil
          if asksWhy { frame.end(dialog, hasEnded: true) }
          switch try await send(ending, dialog.answering) {
          case .ended(let ended):
            if !asksWhy { frame.end(dialog, hasEnded: true) }
            return ended
          case .refused(let verdicts): dialog.refused(verdicts)
          case .open(let note): dialog.refused(nil, saying: note)
          case .left:
            if !asksWhy { frame.end(dialog, hasEnded: true) }
            return nil
          }
        case .leave?:
          frame.end(dialog, hasEnded: true)
          return nil
        case nil: break
        }
      }
      frame.draw(dialog)
    }
    frame.end(dialog, hasEnded: true)
    try Task.checkCancellation()
    return nil
  }

  // MARK: In plain lines

  private func runPlain(_ prompt: Prompt, _ judge: Judging, _ send: Sending) async throws -> Ended? {
    var dialog = PlainDialog(prompt, columns: terminal.size.columns)
    dialog.judged(try await judge(dialog.answering))
    while true {
      for line in dialog.output { terminal.write(line + "\n") }
      dialog.output = []
      try terminal.hold(dialog.isSecret ? .secretLines : .lines)
      terminal.write(dialog.question)
      let request: DialogRequest?
      switch try await terminal.line() {
      case .text(let line): request = dialog.take(line)
      case .endOfText: request = dialog.take(nil)
      case .interrupt: request = dialog.answering.interruption
      case .suspend:
        terminal.release()
        kill(0, SIGTSTP)
        continue
      }
      switch request {
      case .judge?: dialog.judged(try await judge(dialog.answering))
      case .send(let ending)?:
        switch try await send(ending, dialog.answering) {
        case .ended(let ended): return ended
        case .refused(let verdicts): dialog.refused(verdicts)
        case .open(let note): dialog.refused(nil, saying: note)
        case .left: return nil
        }
      case .leave?: return nil
      case nil: break
      }
    }
  }

  // MARK: The server

  /// `nil` if the server cannot be reached.
  private func verdicts(on answering: Answering, _ link: AnswerLink) async throws -> [String: Verdict]? {
    do { return try await link.verdicts(on: answering.inputs, of: answering.prompt.fields) } catch AskFault.unreachable
    {
      try Task.checkCancellation()
      return nil
    }
  }

  /// Distinguishes the answers of this session: an answer whose response was lost may be sent again.
  private let key = UUID().uuidString

  /// - Parameter answering: the fields or, for Cancel, the reason if one is asked for.
  private func send(_ ending: DialogEnding, _ answering: Answering, _ link: AnswerLink) async throws -> Sent {
    let (kind, action): (Outcome.Kind, String?) =
      switch ending {
      case .ok: (.ok, nil)
      case .cancel: (.cancel, nil)
      case .action(let name): (.action, name)
      }
    isSending.store(true, ordering: .releasing)
    defer { isSending.store(false, ordering: .releasing) }
    do {
      let values = kind == .cancel ? nil : answering.inputs.values(of: answering.prompt.fields)
      let reason = kind == .cancel ? answering.inputs[Field.reasonName]?.text : nil
      switch try await link.answer(kind, action: action, reason: reason, values, key: key) {
      case .ended(let ended): return .ended(ended)
      case .refused(let verdicts): return .refused(verdicts)
      }
    } catch AskFault.unreachable {
      try Task.checkCancellation()
      return .open(answering.sentences[.unreachable])
    }
  }
}

extension Outcome.Kind {
  fileprivate var note: PageNote {
    switch self {
    case .ok: .accepted
    case .cancel: .cancelled
    case .action: .done
    case .expired: .expired
    case .withdrawn: .withdrawn
    }
  }
}
