internal import MicroHTTP
internal import Prompts

/// `POST /validate`: verdicts without an outcome.
struct ValidateRoutes: Sendable {
  let asks: AskService
  let desk: AnswerDesk

  /// `{"rules":[…],"value":"…"}` or `{"prompt":"…","values":{…}}`.
  func general(_ visit: Visit) throws(Problem) -> Eventual<Response> {
    let json = try JSON(bodyOf: visit.request, at: "POST /validate", hasForm: true)
    let (ofRules, ofPrompt) = (["rules", "value"], ["prompt", "values"])
    let hasRules = ofRules.contains { json[$0] != nil }
    if hasRules, let key = ofPrompt.first(where: { json[$0] != nil }) {
      throw Problem("unknown-key.rules", ["key": key])
    }
    let keys = hasRules ? ofRules : ofPrompt
    let body = try Problem.reading { reading in
      let body = reading.body(json, keys: keys, remedy: Self.shapes)
      if let body { for key in keys { reading.require(key, in: body, of: "the body", remedy: Self.shapes) } }
      return body
    }
    return hasRules ? try verdict(body, visit) : try verdicts(body, visit)
  }

  private static let shapes = FaultRow("write-rules-body")

  private func verdicts(_ body: Mapping, _ visit: Visit) throws(Problem) -> Eventual<Response> {
    let name = try Problem.reading { $0.string(body["prompt"], "prompt") }
    let target = try asks.prompt(name, for: visit)
    let inputs =
      try body["values"].map { (values) throws(Problem) in try Inputs(values, of: target.prompt.fields) } ?? Inputs()
    return try desk.verdicts(on: inputs, of: target, for: visit)
  }

  /// Judges by rules that came with the request. Most take microseconds; if an event loop has no time for them, they are
  /// read and judged once more in the background.
  private func verdict(_ body: Mapping, _ visit: Visit) throws(Problem) -> Eventual<Response> {
    let value = try Problem.reading { reading in body["value"].flatMap { reading.input($0, "value") } }
    let sentences = visit.request.sentences(orElse: asks.registry.sentences)
    do throws(Problem) {
      return .now(response(try judge(value, by: body["rules"], within: .eventLoop, in: sentences)))
    } catch {
      guard error.code == .tooCostly else { throw error }
    }
    try desk.judging.limiting.admit(visit.payer, as: .work)
    let budget = WorkBudget.untrustedRules.spending(Self.workPerByte * visit.request.bodyCount)
    return .later { () throws(Problem) in
      let verdict = try await desk.judging.inBackground(for: visit.payer) { isCancelled in
        Result { () throws(Problem) in
          try judge(value, by: body["rules"], within: budget, in: sentences, isCancelled: isCancelled)
        }
      }
      return response(try verdict.get())
    }
  }

  /// The most that a byte of JSON costs until its rules can be read.
  private static let workPerByte = 100

  /// - Throws: `Problem` 400 that says what is wrong with the rules, with the code `tooCostly` if they would take more
  ///   than the budget.
  private func judge(
    _ value: Input, by node: Node?, within budget: WorkBudget, in sentences: Sentences,
    isCancelled: (@Sendable () -> Bool)? = nil
  ) throws(Problem) -> Verdict {
    var reading = Reading(budget: budget)
    let rules: [Rule]
    do throws(InlineFaults) { rules = try reading.whole { Rule.list(node, "rules", &$0) } } catch {
      guard error.isOverBudget else {
        throw Problem("unusable-rules", ["why": error.entries.first?.sentence ?? ""]).with(error)
      }
      guard let last = error.entries.last else { throw Problem("too-costly.rules", ["allowed": budget]) }
      throw Problem("too-costly.rules-at", ["allowed": budget, "why": last.sentence]).with(error)
    }
    if let fault = rules.lazy.flatMap(\.standaloneFaults).first { throw Problem(.unusableRules, .badRequest, fault) }
    let cost = Judge.cost(of: value, by: rules)
    guard cost.work <= reading.budget?.left ?? 0 else {
      throw .tooCostly(cost, within: budget, errorPointer: "#/rules")
    }
    let now = desk.judging.clock.now
    return rules.verdict(on: value, sentences: sentences, at: now, isCancelled: isCancelled)
  }

  private func response(_ verdict: Verdict) -> Response {
    desk.counts.count(verdict.isValid, at: .validate)
    var json = JSONWriter()
    json.value(verdict)
    return Response.json(json.bytes).limited
  }
}
