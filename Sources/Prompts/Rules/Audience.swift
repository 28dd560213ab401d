internal import Pattern

/// Whom a rule is written for: in which language, for which field, after which other rules.
struct Audience: Sendable {
  let sentences: Sentences
  /// The field's kind, or `nil` if the rule is written for no field.
  var kind: Field.Kind?
  var fields: [Field] = []
  var premise = Premise()
  /// True if rules are written with their messages.
  var includesMessages = true
  /// True if it is written for its author, who only gets the author's own messages back.
  var isAuthor = false

  /// The same for a field.
  func about(_ field: Field) -> Audience {
    var reader = self
    reader.kind = field.kind
    return reader
  }

  /// The label of the field of that name.
  func label(of name: String) -> String { fields.named(name)?.label ?? name }
}
