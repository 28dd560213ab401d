internal import MicroHTTP
internal import Prompts

/// Judges what was sent: at once if that is quick, else on a background thread, and again when predicates have
/// results. A class, since every verdict is given through it.
final class Judging: Sendable {
  let judge: Judge
  let threads = BackgroundThreads()
  let limiting: RateLimiting
  /// The clock behind `now` and `today` in rules.
  let clock = WallClock.system

  init(_ judge: Judge, _ limiting: RateLimiting) { (self.judge, self.limiting) = (judge, limiting) }

  /// Judges what was sent.
  ///
  /// - Parameters:
  ///   - only: names of the fields to judge, or `nil` for all.
  ///   - action: the action button that was pressed, or `nil`.
  /// - Throws: `Problem` 400 if it would cost too much, 429 if too much was done for this client already.
  func begin(
    _ inputs: Inputs, of edition: Edition, only: [String]? = nil, as action: Prompt.Button? = nil, for payer: Payer
  ) throws(Problem) -> Eventual<Verdicts> {
    let now = clock.now
    if inputs.size > edition.bytesForEventLoop {
      let cost = judge.cost(of: inputs, for: edition.prompt, only: only)
      guard cost.work <= WorkBudget.form.left else { throw .tooCostly(cost, within: .form, errorPointer: nil) }
      if cost.work > WorkBudget.eventLoop.left {
        try limiting.admit(payer, as: .work)
        return verdicts(on: inputs, of: edition, only, action, at: now, inBackgroundFor: payer)
      }
    }
    if case .decided(let verdicts) = judge.judge(inputs, of: edition, only: only, for: action, at: now) {
      return .now(verdicts)
    }
    return verdicts(on: inputs, of: edition, only, action, at: now)
  }

  /// Judges later. A function of its own, so that what is judged at once is not copied for it.
  private func verdicts(
    on inputs: Inputs, of edition: Edition, _ only: [String]?, _ action: Prompt.Button?, at now: Timestamp,
    inBackgroundFor payer: Payer? = nil
  ) -> Eventual<Verdicts> {
    .later { [self] () throws(Problem) in
      try await judge.verdicts { (known) throws(Problem) in
        guard let payer else {
          return judge.judge(inputs, of: edition, only: only, for: action, at: now, knowing: known)
        }
        return try await inBackground(for: payer) { [judge] isCancelled in
          judge.judge(inputs, of: edition, only: only, for: action, at: now, knowing: known, isCancelled: isCancelled)
        }
      }
    }
  }

  /// Does something for a client on a background thread, and counts the CPU time that it takes.
  func inBackground<Result: Sendable>(
    for payer: Payer,
    _ work: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) -> Result
  ) async throws(Problem) -> Result {
    try await threads.run(for: payer.turn) { [self] isCancelled in
      let start = threadNanoseconds()
      defer { limiting.chargeWork(threadNanoseconds() - start, to: payer) }
      return work(isCancelled)
    }
  }
}

extension Problem {
  /// - Parameter errorPointer: where the list of rules is in the body, as a URI fragment, or `nil` if they are the
  ///   prompt's own.
  static func tooCostly(_ cost: Cost, within budget: WorkBudget, errorPointer: String?) -> Problem {
    let work = WorkBudget.milliseconds(cost.work)
    guard let part = cost.mostExpensive else { return Problem("too-costly", ["work": work, "allowed": budget]) }
    let (rule, ofPart) = (part.rule.inWords, WorkBudget.milliseconds(part.work))
    var problem =
      part.field.map { field in
        Problem(
          "too-costly.field", ["rule": rule, "field": field, "part": ofPart, "work": work, "allowed": budget])
      } ?? Problem("too-costly.rule", ["rule": rule, "part": ofPart, "work": work, "allowed": budget])
    if let errorPointer {
      let pointer = "\(errorPointer)/\(part.index)"
      problem.errors = [Detail(rule: part.rule.name, message: "this rule costs the most", pointer: pointer)]
    }
    return problem
  }
}

extension Verdicts {
  /// As `POST /validate` returns it: `{"isValid":…,"message":…,"fields":{…}}`.
  package var json: String { String(decoding: jsonBytes, as: UTF8.self) }

  var jsonBytes: [UInt8] {
    JSONWriter.object { json in
      json.member("isValid", isValid)
      json.member("message", ifPresent: message)
      json.member("fields") { json in
        json.object { json in
          for entry in entries { json.member(entry.field) { $0.value(entry.verdict) } }
        }
      }
    }
  }
}

extension JSONWriter {
  /// `{"isValid":false,"rule":"nonEmpty","message":"…"}`
  mutating func value(_ verdict: Verdict) {
    object { json in
      json.member("isValid", verdict.isValid)
      if case .invalid(let rule, let message) = verdict {
        json.member("rule", rule)
        json.member("message", message)
      }
    }
  }
}
