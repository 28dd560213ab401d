internal import Asks
public import Logging
public import Prompts
internal import Synchronization

/// Answers asks by itself, instead of people: for tests of programs that ask.
final class CannedAnswers: Sendable {
  /// Those that are left, by the name or title of a prompt.
  private let left: Mutex<[String: ArraySlice<CannedAnswer>]>
  private let desk: AnswerDesk
  private let logger: Logger

  init(_ answers: [String: [CannedAnswer]], at desk: AnswerDesk, logger: Logger) {
    left = Mutex(answers.mapValues { $0[...] })
    self.desk = desk
    self.logger = logger
    logger.warning("a machine answers every question: this server is for tests")
  }

  /// Answers a new ask with the next answer for its prompt. It is judged as a person's is: what is not valid leaves the
  /// ask open, as does a list that is used up.
  func answer(_ ask: Ask, titled title: String, in asks: AskService) {
    let next = left.withLock { left -> CannedAnswer?? in
      guard let key = [ask.prompt, title].compactMap(\.self).first(where: { left[$0] != nil }) else { return nil }
      return .some(left[key]?.popFirst())
    }
    guard let next = next ?? nil else {
      let why = next == nil ? "there is no answer" : "no answer is left"
      return logger.warning("\(why) to “\(title)”; the ask stays open", metadata: ["ask": "\(ask.id)"])
    }
    Task {
      try? await Task.sleep(for: next.delay)
      do throws(Problem) {
        let ask = try await asks.ask(ask.id), edition = try await asks.edition(of: ask, for: .ownProcess)
        let admitted = try asks.admit(Visitor(by: .init(.test, next.person)), to: edition.authored.answerers, of: ask)
        let by = Ended.By(.test, admitted.person)
        let target = LinkedAsk(ask, edition, linkedBy: "", by: by, asks)
        let ended = try await give(next, to: target)
        logger.info("a machine answered “\(title)”: \(ended.outcome.word)", metadata: ["ask": "\(ask.id)"])
      } catch {
        let why = error.errors.count > 1 ? error.inWords : error.detail
        logger.warning(
          "the answer to “\(title)” is refused, and the ask stays as it is: \(why)", metadata: ["ask": "\(ask.id)"])
      }
    }
  }

  private func give(_ answer: CannedAnswer, to target: LinkedAsk) async throws(Problem) -> Ended {
    let response = try await desk.answer(target, AnswerTerms(), for: .ownProcess) { () throws(Problem) in
      let reason = answer.reason.map { Input.text($0) }
      return try Submission(answer.ending.rawValue, action: answer.action, reason: reason, to: target.prompt) {
        () throws(Problem) in
        try answer.values.map { (values) throws(Problem) in try Inputs(values, of: target.prompt.fields) } ?? Inputs()
      }
    }.value
    switch response {
    case .refused(_, let verdicts): throw .invalid(verdicts)
    case .ended(let ended): return ended
    }
  }
}

extension CannedAnswer {
  /// - Throws: `AskFault` for an end that no answer brings about.
  init(_ outcome: Outcome) throws {
    guard let ending = Ending(rawValue: outcome.word) else {
      throw AskFault.setup("“\(outcome.word)” is no answer; give ok, cancel or an action, or let the question expire")
    }
    self.init(ending, action: outcome.action, reason: outcome.reason, values: outcome.values.map { Node($0.json) })
  }
}

extension OKCancelServer {
  /// A server for tests of programs that ask: it answers asks by itself.
  ///
  /// ```swift
  /// let server = try OKCancelServer.answering(["Your email": [.ok(["email": "ann@example.com"]), .cancel]])
  /// ```
  ///
  /// Each answer is judged as a person’s is. One that is not valid leaves the ask open, and so does an ask without an
  /// answer.
  ///
  /// - Parameters:
  ///   - answers: by the name or the title of a prompt; the first answers its first ask, and so on.
  ///   - prompts: what the server offers.
  ///   - logger: gets a line about each answer, at level info, and about each that is refused or missing.
  /// - Throws: `AskFault` if an outcome is `expired` or `withdrawn`, or a prompt cannot be served.
  public static func answering(
    _ answers: [String: [Outcome]], prompts: [NamedPrompt] = [], logger: Logger = Logger(label: "okcancel")
  ) throws(AskFault) -> OKCancelServer {
    var configuration = Configuration()
    configuration.port = 0
    configuration.answers = try AskFault.wrapping { try answers.mapValues { try $0.map { try CannedAnswer($0) } } }
    return try OKCancelServer(configuration: configuration, prompts: prompts, logger: logger)
  }
}
