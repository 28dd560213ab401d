internal import MicroHTTP
internal import Prompts
internal import StrictJSON

/// `/validate`: verdicts without an outcome.
struct ValidateRoutes: Sendable {
  let prompts: PromptService

  /// `POST /validate/{name}`: form fields or a JSON object of values.
  func named(_ request: Request) throws(Problem) -> Reply {
    let published = try prompts.shownPrompt(in: request)
    let inputs = try Inputs(request, of: published.edition)
    return try reply(to: inputs, of: published, only: try request.only(of: published.edition), request)
  }

  /// `POST /validate`: `{"rules":[…],"value":"…"}` or `{"prompt":"…","values":{…}}`.
  func general(_ request: Request) throws(Problem) -> Reply {
    guard case .json(let json) = try Body(request) else {
      throw Problem(.onlyJSON(route: "POST /validate", remedy: "to send a form, post it to /validate/{prompt}"))
    }
    guard case .object(let members) = json else {
      throw Problem(.noObject("The body", json, remedy: Self.shapes))
    }
    let hasRules = json["rules"] != nil || json["value"] != nil
    let keys = hasRules ? ["rules", "value"] : ["prompt", "values"]
    for member in members where !keys.contains(member.key) {
      throw Problem(.unknownKey(member.key, remedy: Self.shapes))
    }
    return hasRules ? try verdict(json, request) : try verdicts(json, request)
  }

  private static let shapes = #"send {"rules": [...], "value": "..."} or {"prompt": "...", "values": {...}}."#

  private func verdicts(_ json: JSON, _ request: Request) throws(Problem) -> Reply {
    guard case .string(let name)? = json["prompt"] else {
      throw Problem(.wrongValue("prompt", mustBe: "the name of a prompt"))
    }
    guard let values = json["values"] else { throw Problem(.missingKey("values", remedy: Self.shapes)) }
    let published = try prompts.registry.prompt(name).inLanguage(of: request)
    return try reply(to: try Inputs(values, of: published.prompt, at: "/values"), of: published, only: nil, request)
  }

  /// Judges by rules that came with the request. Most take microseconds; if an event loop has no time for them, they are
  /// read and judged once more in the background.
  private func verdict(_ json: JSON, _ request: Request) throws(Problem) -> Reply {
    guard json["rules"] != nil else { throw Problem(.missingKey("rules", remedy: Self.shapes)) }
    let value = try Self.value(in: json)
    let rules = Node(json).mappingValue("rules")
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

  private static func value(in json: JSON) throws(Problem) -> Input {
    switch json["value"] {
    case .string(let text)?: return .text(text)
    case .illFormedString?: return .illFormed
    case .array(let elements)?:
      var texts: [String] = []
      for element in elements {
        guard case .string(let text) = element else {
          throw Problem(.wrongType(pointer: "/value", element, expected: "a string"))
        }
        texts.append(text)
      }
      return .choices(texts)
    case nil: throw Problem(.missingKey("value", remedy: shapes))
    case let other?: throw Problem(.wrongType(pointer: "/value", other, expected: "a string"))
    }
  }

  /// - Returns: the verdict, or the problem if it would take more than the budget.
  /// - Throws: `Problem` 400 that says what is wrong with the rules.
  private func judge(
    _ value: Input, by node: Node?, within budget: WorkBudget, in sentences: Sentences,
    isCancelled: (@Sendable () -> Bool)? = nil
  ) throws(Problem) -> Result<Verdict, Problem> {
    var reading = Reading(limits: .request(budget))
    let rules = Rule.list(node, "rules", &reading)
    if reading.isOverBudget { return .failure(.tooCostly(reading, within: budget)) }
    guard let rules, reading.faults.isEmpty else { throw .unusable(reading) }
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

  private func reply(
    to inputs: Inputs, of published: PublishedPrompt, only: [String]?, _ request: Request
  ) throws(Problem) -> Reply {
    @Sendable func response(to verdicts: Verdicts) -> Response {
      prompts.verdicts.count(verdicts.isValid, at: .validate, for: request)
      return only == nil ? published.response(to: verdicts) : published.inLanguage(verdicts.response)
    }
    switch try prompts.judging.begin(inputs, of: published.judged, only: only, for: request) {
    case .decided(let verdicts): return .now(response(to: verdicts))
    case .later(let work): return .later { () throws(Problem) in response(to: try await work()) }
    }
  }

  private func response(_ verdict: Verdict, to request: Request) -> Response {
    prompts.verdicts.count(verdict.isValid, at: .validate, for: request)
    var json = JSONWriter()
    json.value(verdict)
    return Response.json(json.bytes).limited
  }
}

extension Problem {
  fileprivate static func unusable(_ reading: Reading) -> Problem {
    let why = reading.faults.first?.sentence ?? ""
    return about(.unusable(.unusableRules, what: "These rules cannot be used", why: why), reading)
  }

  fileprivate static func tooCostly(_ reading: Reading, within budget: WorkBudget) -> Problem {
    let why = reading.faults.last?.sentence ?? "send fewer or simpler rules"
    return about(.readingTooCostly(what: "These rules take", budget, why: ": " + why), reading)
  }

  private static func about(_ reason: Reason, _ reading: Reading) -> Problem {
    let errors = reading.faults.map { Detail(message: $0.sentence, pointer: "#" + $0.place.pointer) }
    return Problem(reason, errors: errors, omitted: reading.omittedFaultCount)
  }
}
