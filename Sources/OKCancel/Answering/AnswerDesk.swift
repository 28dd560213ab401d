internal import Prompts

/// Takes answers, whoever brings them: judges what was given, and keeps how the dialog has ended.
final class AnswerDesk: Sendable {
  let judging: Judging
  let counts: VerdictCounts

  init(judging: Judging, counts: VerdictCounts) {
    self.judging = judging
    self.counts = counts
  }

  enum Reply: Sendable {
    /// Nothing is kept: what was given is not valid.
    case refused(Inputs, Verdicts)
    case ended(Ended)
  }

  /// Takes an answer; of `cancel`, only the reason is judged. An answer that cannot be accepted may be a retry of one that was, and then
  /// gets the same response again.
  ///
  /// - Parameters:
  ///   - payer: whose limits the judging counts towards.
  ///   - read: reads what was given. Once the target has ended it is not called, since everything but a retry is refused.
  /// - Throws: `Problem` if the target has ended, or what was given cannot be read or is too costly to judge.
  func answer(
    _ target: some Answerable, _ terms: AnswerTerms, for payer: Payer, _ read: () throws(Problem) -> Submission
  ) throws(Problem) -> Eventual<Reply> {
    let submission: Submission
    do throws(Problem) {
      if let obstacle = target.obstacle { throw obstacle }
      submission = try read()
    } catch {
      return try repetition(terms, target) { () throws(Problem) in throw error }
    }
    return try submission.judged(by: judging, of: target.edition, for: payer).then { [self] verdicts throws(Problem) in
      if let verdicts, !verdicts.isValid {
        return try repetition(terms, target) { [self] in
          counts.count(false, at: .submit)
          return .refused(submission.inputs ?? Inputs(), verdicts)
        }
      }
      if submission.hasValues { counts.count(true, at: .submit) }
      var ended = submission.ended(verdicts)
      ended.by = target.by
      if ended.outcome.isOK, let verdicts, let inputs = submission.inputs, let proposed = try target.proposed {
        ended.changed = verdicts.changed(inputs, from: proposed)
      }
      return try target.keep(ended, terms).then { .now(.ended($0)) }
    }
  }

  /// The response that the same answer had before, or another one if there was none.
  private func repetition(
    _ terms: AnswerTerms, _ target: some Answerable, orElse other: @escaping @Sendable () throws(Problem) -> Reply
  ) throws(Problem) -> Eventual<Reply> {
    guard let key = terms.key else { return .now(try other()) }
    return try target.ended(keptWith: key).then { ended throws(Problem) in
      if let ended { return .now(.ended(ended)) }
      return .now(try other())
    }
  }
}
