/// What a rule may look at besides the text: the other fields, the predicates, the language.
struct Context: Sendable {
  let sentences: Sentences
  let fields: [Field]
  /// Which of the fields is judged; nil: a text by itself.
  var index: Int?
  let predicates: Predicates
  let known: [PredicateQuestion: PredicateAnswer]
  /// The inputs as they were sent, by name; a field that is not among them is empty.
  let inputs: Inputs
  /// Asked before each rule whether nobody waits for the verdict any more; `nil` if that is not to be asked.
  var isCancelled: (@Sendable () -> Bool)?
  /// nil: all texts together are not too long.
  var overflow: TextRule.Overflow?

  /// The field that is judged; nil: a text by itself.
  var field: Field? { index.map { fields[$0] } }

  /// Whom a message is written for.
  var audience: Audience { Audience(sentences: sentences, field: field, fields: fields) }

  /// Another field's input, normalised as that field wants it; nil: there is no such field.
  func input(of name: String) -> Input? {
    guard let field = fields.named(name) else { return nil }
    return (inputs[name] ?? field.kind.emptyInput).normalized(trim: field.trim)
  }
}

/// What was entered, by field.
package struct Inputs: Sendable {
  /// What was sent for one field.
  package struct Entry: Sendable {
    package let name: String
    package let input: Input
  }

  package private(set) var entries: [Entry] = []

  package init() {}

  package init(_ entries: [(name: String, input: Input)]) {
    self.entries = entries.map { Entry(name: $0.name, input: $0.input) }
  }

  /// nil: nothing was sent for it.
  package subscript(name: String) -> Input? { index(of: name, near: 0).map { entries[$0].input } }

  /// Where a field's input is, looked for at this place first: what is sent for a dialog mostly comes in its fields'
  /// order. nil: nothing was sent for it.
  func index(of name: String, near index: Int) -> Int? {
    let entries = entries.span
    if index < entries.count, isSame(entries[index].name, name) { return index }
    for index in entries.indices where isSame(entries[index].name, name) { return index }
    return nil
  }

  /// Makes room for so many fields.
  package mutating func reserve(_ count: Int) { entries.reserveCapacity(count) }

  package mutating func append(_ name: String, _ input: Input) { entries.append(Entry(name: name, input: input)) }
}
