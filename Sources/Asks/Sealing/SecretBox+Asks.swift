extension SecretBox {
  /// What of an ask is kept, each sealed for its own place.
  enum Part: String {
    case definition, values, closed, link
  }

  static func context(_ part: Part, of id: AskID) -> String { "ask \(id) \(part.rawValue)" }

  /// The ask's definition as JSON.
  public func definition(of ask: Ask) throws(SecretFault) -> [UInt8] {
    try open(ask.definition, context: Self.context(.definition, of: ask.id))
  }

  /// The ask's initial values: a JSON object by field.
  public func values(of ask: Ask) throws(SecretFault) -> [UInt8] {
    try open(ask.values, context: Self.context(.values, of: ask.id))
  }

  /// The closed ask as JSON, the same bytes for every reader. Passwords stand in it: only for who
  /// has the API token, and for the callback.
  public func json(of closed: ClosedAsk) throws(SecretFault) -> [UInt8] {
    try open(closed.json, context: Self.context(.closed, of: closed.id))
  }
}
