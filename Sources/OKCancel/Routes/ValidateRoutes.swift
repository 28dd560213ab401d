internal import MicroHTTP
internal import Prompts
internal import StrictJSON

/// `POST /validate`: verdicts without an outcome.
struct ValidateRoutes: Sendable {
  let prompts: PromptService
  let asks: AskService

  /// `{"rules":[…],"value":"…"}` or `{"prompt":"…","values":{…}}`.
  func general(_ request: Request) throws(Problem) -> Reply {
    guard case .json(let json) = try Body(request) else {
      throw Problem(.onlyJSON(route: "POST /validate", remedy: "to send a form, post it to /validate/{prompt}"))
    }
    let hasRules = json["rules"] != nil || json["value"] != nil
    let keys = hasRules ? ["rules", "value"] : ["prompt", "values"]
    let body = try Problem.reading { reading in
      let body = reading.mapping(Node(json), as: "the body", keys: keys, remedy: Self.shapes)
      if let body { for key in keys { reading.require(key, in: body, of: "the body", remedy: Self.shapes) } }
      return body
    }
    return hasRules ? try verdict(body, request) : try verdicts(body, request)
  }

  private static let shapes = #"send {"rules": [...], "value": "..."} or {"prompt": "...", "values": {...}}"#

  private func verdicts(_ body: Mapping, _ request: Request) throws(Problem) -> Reply {
    let name = try Problem.reading { $0.string(body["prompt"], "prompt") }
    let published = try prompts.registry.prompt(name).inLanguage(of: request)
    let target = OfferedPrompt(published: published, asks: asks)
    let inputs = try Problem.reading { reading in body["values"].map { Inputs($0, of: target.prompt.fields, &reading) }
    }
    return try prompts.verdicts(on: inputs, of: target, for: request).reply
  }

  /// Judges by rules that came with the request. Most take microseconds; if an event loop has no time for them, they are
  /// read and judged once more in the background.
  private func verdict(_ body: Mapping, _ request: Request) throws(Problem) -> Reply {
    let value = try Problem.reading { reading in body["value"].flatMap { reading.input($0, "value") } }
    let rules = body["rules"]
    let sentences = prompts.own.sentences(for: request)
    if case .success(let verdict) = try judge(value, by: rules, within: .eventLoop, in: sentences) {
      return .now(response(verdict, to: request))
    }
    try prompts.judging.limiting.admitWork(for: request)
    let budget = WorkBudget.untrustedRules.spending(Self.workPerByte * request.body.count)
    return .later { () throws(Problem) in
      let judged = try await prompts.judging.inBackground(for: request) { isCancelled in
        Result { () throws(Problem) in
          try judge(value, by: rules, within: budget, in: sentences, isCancelled: isCancelled).get()
        }
      }
      return response(try judged.get(), to: request)
    }
  }

  /// What a byte of JSON cost at most until its rules could be read.
  private static let workPerByte = 100

  /// - Returns: the verdict, or the problem if it would take more than the budget.
  /// - Throws: `Problem` 400 that says what is wrong with the rules.
  private func judge(
    _ value: Input, by node: Node?, within budget: WorkBudget, in sentences: Sentences,
    isCancelled: (@Sendable () -> Bool)? = nil
  ) throws(Problem) -> Result<Verdict, Problem> {
    var reading = Reading(limits: .request(budget))
    let rules: [Rule]
    do throws(InlineFaults) { rules = try reading.whole { Rule.list(node, "rules", &$0) } } catch {
      guard error.isOverBudget else {
        let why = error.entries.first?.sentence ?? ""
        throw Problem(.unusable(.unusableRules, what: "These rules cannot be used", why: why), error)
      }
      let why = ": " + (error.entries.last?.sentence ?? "send fewer or simpler rules")
      return .failure(Problem(.readingTooCostly(what: "These rules take", budget, why: why), error))
    }
    for fault in rules.flatMap(\.standaloneFaults) {
      throw Problem(.unusableRule(fault))
    }
    let cost = Judge.cost(of: value, by: rules)
    guard cost.work <= reading.budget?.left ?? 0 else {
      return .failure(.tooCostly(cost, within: budget, errorPointer: "#/rules"))
    }
    let now = prompts.judging.clock.now
    return .success(rules.verdict(on: value, sentences: sentences, at: now, isCancelled: isCancelled))
  }

  private func response(_ verdict: Verdict, to request: Request) -> Response {
    prompts.verdicts.count(verdict.isValid, at: .validate, for: request)
    var json = JSONWriter()
    json.value(verdict)
    return Response.json(json.bytes).limited
  }
}
