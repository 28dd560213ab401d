internal import MicroHTTP
internal import Prompts
internal import StrictJSON

/// `/validate`: verdicts without an outcome.
struct ValidateRoutes: Sendable {
  let site: Site

  /// `POST /validate/{name}`: form fields or a JSON object of values.
  func named(_ request: Request) throws(Problem) -> Reply {
    let offer = try site.offer(in: request)
    let inputs = try Inputs(request, of: offer.prompt)
    return reply(to: inputs, of: offer, only: try request.only(of: offer.prompt))
  }

  /// `POST /validate`: `{"rules":[…],"value":"…"}` or `{"prompt":"…","values":{…}}`.
  func general(_ request: Request) throws(Problem) -> Reply {
    // Not ignored: more would be judged than was asked for.
    guard try request.parameter("only") == nil else {
      throw .badRequest(
        "POST /validate reads no “only”; to judge some fields of a prompt, post them to /validate/{prompt}?only=a,b.")
    }
    guard case .json(let json) = try Body(request) else {
      throw Problem(
        status: .unsupportedMediaType,
        detail: "POST /validate reads application/json; to send a form, post it to /validate/{prompt}.",
        headers: [("Accept", "application/json")])
    }
    guard case .object(let members) = json else {
      throw .badRequest("The body must be an object, not \(json.kindInWords); \(Self.shapes)")
    }
    let hasRules = json["rules"] != nil || json["value"] != nil
    let keys = hasRules ? ["rules", "value"] : ["prompt", "values"]
    for member in members where !keys.contains(member.key) {
      throw .badRequest("There is no key “\(member.key)” here; \(Self.shapes)")
    }
    return hasRules ? .now(try verdict(json)) : try verdicts(json)
  }

  private static let shapes = #"send {"rules": [...], "value": "..."} or {"prompt": "...", "values": {...}}."#

  private func verdicts(_ json: JSON) throws(Problem) -> Reply {
    guard case .string(let name)? = json["prompt"] else {
      throw .badRequest("“prompt” must name a prompt; \(Self.shapes)")
    }
    guard let values = json["values"] else { throw .badRequest("“values” is missing; \(Self.shapes)") }
    let offer = try site.catalogue.offer(name)
    return reply(to: try Inputs(values, of: offer.prompt, at: "/values"), of: offer, only: nil)
  }

  private func verdict(_ json: JSON) throws(Problem) -> Response {
    guard json["rules"] != nil else { throw .badRequest("“rules” is missing; \(Self.shapes)") }
    let value: Input
    switch json["value"] {
    case .string(let text)?: value = .text(text)
    case .illFormedString?: value = .illFormed
    case .array(let elements)?:
      var texts: [String] = []
      for element in elements {
        guard case .string(let text) = element else { throw .wrongType(element, "a string", "/value") }
        texts.append(text)
      }
      value = .choices(texts)
    case nil: throw .badRequest("“value” is missing; \(Self.shapes)")
    case let other?: throw .wrongType(other, "a string", "/value")
    }
    return response(try rules(json).verdict(on: value, sentences: site.judging.judge.sentences))
  }

  private func rules(_ json: JSON) throws(Problem) -> [Rule] {
    var reading = Reading(patternLimit: Reading.strangersPatterns)
    let rules = Rule.list(Node(json).mappingValue("rules"), "rules", &reading)
    guard let rules, reading.faults.isEmpty else {
      let errors = reading.faults.map { Problem.Detail(message: $0.sentence, pointer: "#" + $0.place.pointer) }
      throw .badRequest("These rules cannot be used: \(reading.faults.first?.sentence ?? "")", errors: errors)
    }
    for name in rules.flatMap(\.standaloneFaults) { throw .badRequest(name) }
    return rules
  }

  private func reply(to inputs: Inputs, of offer: Offer, only: [String]?) -> Reply {
    site.judging.reply(to: inputs, of: offer.prompt, only: only) { verdicts in
      site.verdicts.count(verdicts.isValid, at: .validate)
      return only == nil ? offer.response(to: verdicts) : verdicts.response
    }
  }

  private func response(_ verdict: Verdict) -> Response {
    site.verdicts.count(verdict.isValid, at: .validate)
    var json = JSONWriter()
    json.value(verdict)
    return Response(.ok, type: "application/json", bytes: json.bytes)
  }
}

extension Request {
  /// The fields that `?only=a,b` names, at least one; nil: all.
  func only(of prompt: Prompt) throws(Problem) -> [String]? {
    guard let list = try parameter("only") else { return nil }
    let names = list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    for name in names where prompt.field(name) == nil { throw .unknownField(name, of: prompt) }
    return names
  }
}
