public import Prompts
internal import StrictJSON

/// How an ask ended. Values are a JSON object's bytes: the typed answers, by field.
public enum AskOutcome: Sendable, Equatable {
  case ok([UInt8])
  case cancel
  /// The action button's name; `values` where that button validates, else nil.
  case action(String, values: [UInt8]?)
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

  public static func ok(_ values: Values) -> AskOutcome { .ok(values.jsonObject) }

  public static func action(_ name: String, _ values: Values?) -> AskOutcome {
    .action(name, values: values?.jsonObject)
  }

  /// Writes the members `outcome`, and `action` and `values` where there are any.
  func writeMembers(to json: inout JSONWriter) {
    json.member("outcome", word)
    switch self {
    case .ok(let values): json.member("values") { $0.literal(values) }
    case .action(let name, let values):
      json.member("action", name)
      if let values { json.member("values") { $0.literal(values) } }
    case .cancel, .expired, .withdrawn: break
    }
  }
}

extension Values {
  fileprivate var jsonObject: [UInt8] {
    var json = JSONWriter()
    json.value(self)
    return json.bytes
  }
}
