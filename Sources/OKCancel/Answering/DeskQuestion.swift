internal import Asks
internal import Logging
package import Prompts

/// A question that a person answers in this process: the desk judges and takes the answer, without HTTP.
package struct DeskQuestion: PersonsQuestion {
  private let desk: AnswerDesk
  /// Finds the question as it is now: somebody else may have ended it.
  private let find: @Sendable () async throws(Problem) -> any Answerable

  init(at desk: AnswerDesk, find: @escaping @Sendable () async throws(Problem) -> any Answerable) {
    self.desk = desk
    self.find = find
  }

  package func prompt() async throws -> Prompt {
    try await asking { (target) throws(Problem) in
      if let obstacle = target.obstacle { throw obstacle }
      var prompt = target.edition.prompt
      let initial = try target.initial
      for index in prompt.fields.indices where prompt.fields[index].kind != .password {
        if let value = initial[prompt.fields[index].name] { prompt.fields[index].value = value }
      }
      return prompt
    }
  }

  package func verdicts(on inputs: Inputs, of fields: [Field]) async throws -> [String: Verdict] {
    try await asking { (target) throws(Problem) in
      if let obstacle = target.obstacle { throw obstacle }
      let inputs = try Inputs(typed: inputs, in: fields)
      let verdicts = try await desk.judging.begin(inputs, of: target.edition, for: .ownProcess).value
      desk.counts.count(verdicts.isValid, at: .validate)
      return verdicts.byField
    }
  }

  package func answer(
    _ outcome: Outcome.Kind, action: String?, _ inputs: Inputs, of fields: [Field]
  ) async throws -> AnswerReply {
    try await asking { (target) throws(Problem) in
      let reply = try await desk.answer(target, AnswerTerms(), for: .ownProcess) { () throws(Problem) in
        try Submission(outcome.rawValue, action: action, reason: inputs[Field.reasonName], to: target.prompt) {
          () throws(Problem) in try Inputs(typed: inputs, in: fields)
        }
      }.value
      return switch reply {
      case .refused(_, let verdicts): .refused(verdicts.byField)
      case .ended(let ended): .ended(ended)
      }
    }
  }

  private func asking<Result>(_ work: (any Answerable) async throws(Problem) -> Result) async throws -> Result {
    do throws(Problem) { return try await work(find()) } catch {
      if let outcome = error.outcome.flatMap(Outcome.Kind.init) { throw HasEnded(outcome: outcome) }
      throw AskFault(error)
    }
  }
}

extension Inputs {
  /// What a person typed, as a program sends it: without what stands in an object that is not there.
  fileprivate init(typed inputs: Inputs, in fields: [Field]) throws(Problem) {
    try self.init(Node(inputs.values(of: fields).json), of: fields)
  }
}

extension Verdicts {
  fileprivate var byField: [String: Verdict] {
    Dictionary(entries.map { ($0.field, $0.verdict) }) { first, _ in first }
  }
}

// MARK: Questions of this program

extension DeskQuestion {
  /// A question that nobody but the person at this program's terminal can answer: it has no link and no server, and is
  /// kept nowhere.
  ///
  /// - Parameter commands: programs that `predicate` rules call by name.
  /// - Throws: `AskFault` if it cannot be asked.
  package init(_ question: Question, commands: [String: CommandPredicate]) throws(AskFault) {
    let logger = Logger(label: "okcancel") { _ in SwiftLogNoOpLogHandler() }
    let predicates = Predicates([:], commands, PredicateFailures(commands.keys, logger: logger))
    let reader = AskReader(
      offered: { (name) throws(Problem) in throw Problem("unknown-prompt", ["name": name]) }, predicates: predicates,
      allowedCallbacks: [], knowsVisitors: false, knowsGroups: false, channels: [], language: .english, timeZone: nil)
    let prompt = try reader.draft(question).prompt
    let edition = prompt.edition()
    let own = OwnQuestion(edition: prompt.requestedLanguage.map(edition.inLanguage) ?? edition)
    let judging = Judging(Judge(predicates: predicates), RateLimiting(RateLimits(), logger: logger))
    self.init(at: AnswerDesk(judging: judging, counts: VerdictCounts())) { own }
  }
}

private struct OwnQuestion: Answerable {
  let edition: Edition
  let by = Ended.By.terminal
  var obstacle: Problem? { nil }
  var proposed: Inputs? { proposed(Inputs(), isOwn: true) }

  func keep(_ ended: Ended, _ terms: AnswerTerms) -> Eventual<Ended> { .now(ended) }
  func ended(keptWith key: IdempotencyKey) -> Eventual<Ended?> { .now(nil) }
}
