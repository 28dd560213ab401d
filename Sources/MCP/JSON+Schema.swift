internal import StrictJSON

extension JSON {
  /// True if the value is of a type of JSON Schema other than a string.
  func isOf(type: String?) -> Bool {
    switch self {
    case .object: type == "object"
    case .array: type == "array"
    case .number: type == "integer"
    case .bool: type == "boolean"
    case .null, .string, .illFormedString: false
    }
  }

  /// The same without members that are null, at every depth, except where a schema speaks of values.
  var withoutNulls: JSON {
    let ofValues = ["const", "default", "enum", "examples"]
    switch self {
    case .array(let elements): return .array(elements.map(\.withoutNulls))
    case .object(let members):
      return .object(
        members.compactMap { member in
          if ofValues.contains(member.key) { return member }
          if case .null = member.value { return nil }
          return .init(member.key, member.value.withoutNulls)
        })
    case .null, .bool, .number, .string, .illFormedString: return self
    }
  }
}
