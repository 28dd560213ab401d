internal import MicroHTTP
internal import Prompts
internal import StrictJSON

/// How somebody ends a dialog: the outcome asked for, and what was entered, not yet judged.
enum Submission {
  case ok(Inputs)
  /// Never judged, whatever came with it.
  case cancel
  case action(Prompt.Button, Inputs)

  /// - Throws: `Problem` 400 where the body says no such thing.
  init(_ body: Body, to prompt: Prompt) throws(Problem) {
    switch body {
    case .form(let form): try self.init(form, to: prompt)
    case .json(let json): try self.init(json, to: prompt)
    }
  }

  private init(_ form: Form, to prompt: Prompt) throws(Problem) {
    // A button sends one pair only, so an action that validates sends its name; and a form without
    // either was sent by a script that pressed no button: that is OK.
    for name in ["outcome", "action"] where form.values(name).count > 1 {
      throw .badRequest("“\(name)” appears twice in the form; send it once.")
    }
    let outcome = form["outcome"] ?? (form["action"] == nil ? "ok" : "action")
    try self.init(outcome, action: form["action"], prompt) { () throws(Problem) in
      try Inputs(form, of: prompt, besides: ["outcome", "action"])
    }
  }

  private init(_ json: JSON, to prompt: Prompt) throws(Problem) {
    guard case .object(let members) = json else {
      throw .badRequest(
        "The body must be an object, not \(json.kindInWords); send {\"outcome\": \"ok\", \"values\": {...}}.")
    }
    guard case .string(let outcome)? = json["outcome"] else {
      throw .badRequest("“outcome” must be “ok”, “cancel” or “action”; send {\"outcome\": \"ok\", \"values\": {...}}.")
    }
    var action: String?
    if outcome != "cancel" {
      let keys = ["outcome", "values", "action"]
      for member in members where !keys.contains(member.key) {
        throw .badRequest("There is no key “\(member.key)” here; \(Nearest.remedy(for: member.key, among: keys))")
      }
      switch json["action"] {
      case nil, .null: break
      case .string(let name): action = name
      case let other?: throw .wrongType(other, "a string", "/action")
      }
    }
    try self.init(outcome, action: action, prompt) { () throws(Problem) in
      try json["values"].map { (values) throws(Problem) in try Inputs(values, of: prompt, at: "/values") } ?? Inputs()
    }
  }

  private init(
    _ outcome: String, action: String?, _ prompt: Prompt, inputs: () throws(Problem) -> Inputs
  ) throws(Problem) {
    switch outcome {
    case "ok": self = .ok(try inputs())
    case "cancel": self = .cancel
    case "action":
      let names = prompt.buttons.compactMap(\.name)
      guard let action, let button = prompt.action(action) else {
        let remedy = names.isEmpty ? "this prompt has no actions" : Nearest.remedy(for: action ?? "", among: names)
        throw .badRequest("“action” must name an action of this prompt; \(remedy)")
      }
      self = .action(button, button.validates ? try inputs() : Inputs())
    default:
      throw .badRequest("“outcome” cannot be “\(outcome)”; send “ok”, “cancel” or “action”.")
    }
  }
}
