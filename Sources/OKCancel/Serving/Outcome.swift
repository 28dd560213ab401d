public import Prompts
internal import StrictJSON

/// How a dialog ended.
public enum Outcome: Sendable {
  case ok(Values)
  case cancel
  /// The action button's name; its values where that button validates, else nil.
  case action(String, Values?)
  /// Nobody answered in time.
  case expired
  /// The program took its question back.
  case withdrawn

  /// The one word for it, the same at every door.
  public var word: String {
    switch self {
    case .ok: "ok"
    case .cancel: "cancel"
    case .action: "action"
    case .expired: "expired"
    case .withdrawn: "withdrawn"
    }
  }

  /// Reads `{"outcome":"ok","values":{…}}` or a closed ask; nil: it is neither.
  init?(_ json: JSON) {
    guard case .string(let word)? = json["outcome"] else { return nil }
    let values = json["values"].map(Values.init(json:))
    switch word {
    case "ok": self = .ok(values ?? Values([]))
    case "cancel": self = .cancel
    case "action":
      guard case .string(let name)? = json["action"] else { return nil }
      self = .action(name, values)
    case "expired": self = .expired
    case "withdrawn": self = .withdrawn
    default: return nil
    }
  }

  /// `{"outcome":"ok","values":{…}}`
  public var json: String {
    var json = JSONWriter()
    json.object { json in
      json.member("outcome", word)
      switch self {
      case .ok(let values): json.member("values") { $0.value(values) }
      case .action(let name, let values):
        json.member("action", name)
        if let values { json.member("values") { $0.value(values) } }
      case .cancel, .expired, .withdrawn: break
      }
    }
    return json.text
  }
}

extension Values {
  /// A JSON object of typed answers.
  fileprivate init(json: JSON) {
    guard case .object(let members) = json else {
      self.init([])
      return
    }
    self.init(members.map { ($0.key, Value(json: $0.value)) })
  }
}

extension Value {
  fileprivate init(json: JSON) {
    switch json {
    case .bool(let bool): self = .boolean(bool)
    case .number(let literal): self = .number(literal)
    case .string(let text): self = .text(text)
    case .array(let elements):
      self = .choices(elements.compactMap { if case .string(let text) = $0 { text } else { nil } })
    case .null, .illFormedString, .object: self = .null
    }
  }
}
