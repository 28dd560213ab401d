internal import MicroHTTP
internal import Prompts

extension Submission {
  /// - Throws: `Problem` 400 if the body says no such thing, 409 if it answers another version of the prompt.
  init(_ request: Request, to target: some ShownAnswerable) throws(Problem) {
    let published = target.published, prompt = target.prompt
    let outcome: String, name: String?, version: String?, reason: Input?, inputs: () throws(Problem) -> Inputs
    switch try Body(request, limits: .values) {
    case .form(let form):
      // A button sends only one pair, so an action that validates sends its name; and a form without either was sent by
      // a script that pressed no button: that is OK.
      for name in ["outcome", "action", Form.versionName, Field.reasonName] where form.values(name).count > 1 {
        throw Problem("sent-twice.form", ["what": "“\(name)”"])
      }
      (outcome, name) = (form["outcome"] ?? (form["action"] == nil ? "ok" : "action"), form["action"])
      (version, reason) = (form[Form.versionName], form[Field.reasonName].map { .text($0) })
      inputs = { () throws(Problem) in
        try Inputs(form, of: prompt.fields, besides: ["outcome", "action"]).untouched(prompt.fields) {
          () throws(Problem) in try target.initial
        }
      }
    case .json(let json):
      (outcome, name, version) = try Self.members(of: json)
      reason = prompt.reason == nil ? nil : try Self.reason(in: json)
      inputs = { () throws(Problem) in
        switch json["values"] {
        case nil, .null?: Inputs()
        default: try Inputs(json, under: "values", of: prompt.fields)
        }
      }
    }
    if let version, outcome != "cancel", version != published.version { throw Problem("prompt-changed") }
    try self.init(outcome, action: name, reason: reason, to: prompt, inputs)
  }

  /// - Parameters:
  ///   - reason: why, if the outcome is `cancel`.
  ///   - inputs: only read if the outcome needs them.
  /// - Throws: `Problem` 400 if the prompt has no such ending.
  init(
    _ outcome: String, action name: String?, reason: Input?, to prompt: Prompt, _ inputs: () throws(Problem) -> Inputs
  ) throws(Problem) {
    switch outcome {
    case "ok": self = .ok(try inputs())
    case "cancel": self = .cancel(reason)
    case "action":
      guard let name, let button = prompt.action(name) else {
        let names = prompt.buttons.compactMap(\.name)
        if names.isEmpty { throw Problem("wrong-action.none") }
        throw Problem("wrong-action", ["nearest": Nearest(to: name ?? "", among: names)])
      }
      self = try .action(button, inputs)
    default: throw Problem("wrong-value.outcome", ["outcome": outcome.excerpt])
    }
  }

  private static func reason(in json: JSON) throws(Problem) -> Input? {
    switch json["reason"] {
    case nil, .null?: nil
    case .string(let text)?: .text(text)
    case .illFormedString?: .illFormed
    default: throw Problem("wrong-value", ["name": "reason", "rule": "a string"])
    }
  }

  private static func members(of json: JSON) throws(Problem) -> (outcome: String, action: String?, version: String?) {
    let outcome = json.text("outcome"), keys = ["outcome", "values", "action", "version"]
    // Whatever comes with it.
    if outcome == "cancel" { return ("cancel", nil, nil) }
    // As with `Inputs(faultless:of:)`, what has no fault is read without places.
    let isFaultless = json.members.allSatisfy { member in
      if case .string = member.value { keys.contains(member.key) } else { member.key == "values" }
    }
    if isFaultless, let outcome { return (outcome, json.text("action"), json.text("version")) }
    return try Problem.reading { reading in
      let remedy = FaultRow("write-outcome")
      guard let body = reading.body(json, keys: keys, remedy: remedy),
        let outcome = reading.string("outcome", in: body, of: "the body", remedy: remedy)
      else { return nil }
      let (action, version) = (reading.string(body["action"], "action"), reading.string(body["version"], "version"))
      return (outcome, action, version)
    }
  }
}
