/// What a rule may look at besides the text: the other fields, the predicates, the language.
struct Context: Sendable {
  var audience: Audience
  let predicates: Predicates
  let known: [PredicateQuestion: PredicateAnswer]
  /// The inputs as they were sent, by name; a field that is not among them is empty.
  let inputs: Inputs

  /// Another field's input, normalised as that field wants it; nil: there is no such field.
  func input(of name: String) -> Input? {
    guard let field = audience.fields.first(where: { isSame($0.name, name) }) else { return nil }
    return (inputs[name] ?? field.kind.emptyInput).normalized(trim: field.trim)
  }
}

/// What was entered, by field.
public struct Inputs: Sendable {
  public private(set) var entries: [(name: String, input: Input)]

  public init(_ entries: [(name: String, input: Input)] = []) { self.entries = entries }

  /// nil: nothing was sent for it.
  public subscript(name: String) -> Input? { input(of: name, near: 0) }

  /// The same, looked for at this place first: what is sent for a dialog mostly comes in its fields' order.
  func input(of name: String, near index: Int) -> Input? {
    if index < entries.count, isSame(entries[index].name, name) { return entries[index].input }
    for index in entries.indices where isSame(entries[index].name, name) { return entries[index].input }
    return nil
  }

  /// Makes room for so many fields.
  public mutating func reserve(_ count: Int) { entries.reserveCapacity(count) }

  public mutating func append(_ name: String, _ input: Input) { entries.append((name, input)) }
}
