/// The context of a rule besides the text: the other fields, the predicates, the language.
struct JudgingContext: Sendable {
  let sentences: Sentences
  /// The time of the verdict; read once for all fields.
  let now: Timestamp
  let predicates: Predicates
  /// All fields of the dialog; none if a text is judged by itself.
  var fields: [Field] = []
  /// The index of the field that is judged, or `nil` if a text is judged by itself.
  var index: Int?
  /// The inputs as they were sent, by name; a field that is not among them is empty.
  var inputs = Inputs()
  /// The results of asynchronous predicates.
  var known: [PredicateQuestion: PredicateResult] = [:]
  /// See `TextRule.overflow`.
  var overflow: (index: Int, surplus: Int)?
  /// True if the rules decide if a field applies. `oneOf` then means that one of its values is chosen.
  var isCondition = false
  /// Asked before each rule whether the request is cancelled; or `nil` if it cannot be.
  var isCancelled: (@Sendable () -> Bool)?

  /// The field that is judged, or `nil` if a text is judged by itself.
  var field: Field? { index.map { fields[$0] } }

  /// Another field's input, normalised as that field wants it; or `nil` if there is no such field.
  func input(of name: String) -> Input? { fields.named(name).map(inputs.normalized) }
}
