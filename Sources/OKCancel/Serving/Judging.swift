internal import MicroHTTP
public import Prompts

/// Judges and answers: at once where every rule can, else later, when the predicates have spoken.
public struct Judging: Sendable {
  let judge: Judge

  public init(judge: Judge) { self.judge = judge }

  func reply(
    to inputs: Inputs, of prompt: Prompt, only: [String]? = nil,
    with answer: @escaping @Sendable (Verdicts) -> Response
  ) -> Reply {
    let first = judge.judge(inputs, of: prompt, only: only)
    if case .decided(let verdicts) = first { return .now(answer(verdicts)) }
    return .later { answer(await verdicts(on: inputs, of: prompt, only: only, after: first)) }
  }

  /// The verdicts, every predicate asked that the rules came to.
  public func verdicts(on inputs: Inputs, of prompt: Prompt, only: [String]? = nil) async -> Verdicts {
    await verdicts(on: inputs, of: prompt, only: only, after: judge.judge(inputs, of: prompt, only: only))
  }

  /// - Parameter first: how the same inputs were judged before any predicate was asked.
  func verdicts(
    on inputs: Inputs, of prompt: Prompt, only: [String]? = nil, after first: Judgement
  ) async -> Verdicts {
    var judged = first
    var known: [PredicateQuestion: PredicateAnswer] = [:]
    // Each round answers at least one more question, and a prompt has only so many.
    while true {
      switch judged {
      case .decided(let verdicts): return verdicts
      case .needs(let questions):
        known.merge(await answers(to: Set(questions))) { $1 }
        judged = judge.judge(inputs, of: prompt, only: only, knowing: known)
      }
    }
  }

  private func answers(to questions: Set<PredicateQuestion>) async -> [PredicateQuestion: PredicateAnswer] {
    await withTaskGroup(of: (PredicateQuestion, PredicateAnswer).self) { group in
      for question in questions {
        group.addTask { (question, await judge.predicates.answer(question)) }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }
}

extension Predicates {
  fileprivate func answer(_ question: PredicateQuestion) async -> PredicateAnswer {
    switch self[question.predicate] {
    case .immediate(let isValid)?: isValid(question.text) ? .valid : .invalid(nil)
    case .asynchronous(let answer)?: await answer(question.text)
    case nil: .unchecked
    }
  }
}
