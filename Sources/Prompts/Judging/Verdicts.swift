/// The verdicts on a dialog's fields, in the fields' order.
public struct Verdicts: Sendable {
  /// Every judged field's name and verdict. A field that does not apply was not judged.
  public let entries: [(field: String, verdict: Verdict)]
  /// The dialog's fields.
  private let fields: [Field]
  /// The paths of the objects that every answer has; see `Prompt.objects`.
  private let objects: [[String]]
  /// True if the chosen action does not apply to these inputs, so that nothing was judged.
  package let refusesAction: Bool
  /// The values of inputs that `Prompt.verdicts` found valid, as a program gets them; `nil` if one is not.
  public internal(set) var values: Values?

  /// - Parameter prompt: the dialog, with all its fields. The entries are in the same order.
  init(_ entries: [(field: String, verdict: Verdict)], of prompt: Prompt, refusesAction: Bool = false) {
    self.entries = entries
    (fields, objects) = (prompt.fields, prompt.objects)
    self.refusesAction = refusesAction
  }

  /// True if every judged field is valid.
  public var isValid: Bool { entries.allSatisfy(\.verdict.isValid) }

  /// The message of the first invalid field, or `nil` if all are valid.
  public var message: String? { entries.lazy.compactMap(\.verdict.message).first }

  /// The place of a field's value in an answer, as a JSON pointer.
  package func pointer(to field: String) -> String { ValuePath.pointer(fields.named(field)?.path ?? [field]) }

  /// Calls `body` for each invalid field, with the failed rule's name and what to say.
  package func forEachInvalid(_ body: (_ field: String, _ rule: String, _ message: String) -> Void) {
    for case (let field, .invalid(let rule, let message)) in entries { body(field, rule, message) }
  }

  /// The values of the inputs that were judged, if all are valid.
  package func values(of inputs: Inputs) -> Values {
    Values(
      placing: entries.compactMap { entry in
        guard let field = fields.named(entry.field), let value = Value(inputs.normalized(for: field), of: field)
        else { return nil }
        return (field.path, value)
      }, keeping: objects)
  }

  /// The verdict on a field, or `nil` if no such field was judged.
  public subscript(field: String) -> Verdict? { entries.first { isSame($0.field, field) }?.verdict }
}
