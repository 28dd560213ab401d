package import StrictJSON

/// How a dialog ended, the same at every door.
public enum Outcome: Sendable {
  case ok(Values)
  case cancel
  /// The action button's name, and its values if that button validates.
  case action(String, Values?)
  /// Nobody answered in time.
  case expired
  /// The program took its question back.
  case withdrawn

  /// An outcome without what was answered.
  public enum Kind: String, Sendable, CaseIterable {
    case ok, cancel, action, expired, withdrawn
  }

  public var kind: Kind {
    switch self {
    case .ok: .ok
    case .cancel: .cancel
    case .action: .action
    case .expired: .expired
    case .withdrawn: .withdrawn
    }
  }

  /// The one word for it.
  public var word: String { kind.rawValue }

  /// Reads `{"outcome":"ok","values":{…}}` or a closed ask; `nil` if it is neither.
  package init?(_ json: JSON) {
    guard case .string(let word)? = json["outcome"], let kind = Kind(rawValue: word) else { return nil }
    let values = json["values"].map(Values.init(json:))
    switch kind {
    case .ok: self = .ok(values ?? Values([]))
    case .cancel: self = .cancel
    case .action:
      guard case .string(let name)? = json["action"] else { return nil }
      self = .action(name, values)
    case .expired: self = .expired
    case .withdrawn: self = .withdrawn
    }
  }

  /// `{"outcome":"ok","values":{…}}`
  public var json: String { String(decoding: json(adding: nil), as: UTF8.self) }

  /// The same with one more member at its end, if there is one.
  package func json(adding member: (key: String, value: String)?) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      writeMembers(to: &json)
      if let member { json.member(member.key, member.value) }
    }
    return json.bytes
  }

  /// Writes the members `outcome`, and `action` and `values` if there are any.
  package func writeMembers(to json: inout JSONWriter) {
    json.member("outcome", word)
    switch self {
    case .ok(let values): json.member("values") { $0.value(values) }
    case .action(let name, let values):
      json.member("action", name)
      if let values { json.member("values") { $0.value(values) } }
    case .cancel, .expired, .withdrawn: break
    }
  }
}

extension Values {
  /// A JSON object of typed answers.
  package init(json: JSON) {
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
