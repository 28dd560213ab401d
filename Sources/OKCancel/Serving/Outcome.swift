public import Prompts
internal import StrictJSON

/// How a dialog ended.
public enum Outcome: Sendable {
  case ok(Values)
  case cancel
  /// `values` where the action validates; nil where it does not.
  case action(String, Values?)

  /// The one word for it, the same at every door.
  public var word: String {
    switch self {
    case .ok: "ok"
    case .cancel: "cancel"
    case .action: "action"
    }
  }

  /// `{"outcome":"ok","values":{…}}`
  public var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("outcome", word)
      switch self {
      case .ok(let values): json.member("values") { $0.value(values) }
      case .cancel: break
      case .action(let name, let values):
        json.member("action", name)
        if let values { json.member("values") { $0.value(values) } }
      }
    }
    return json.bytes
  }
}
