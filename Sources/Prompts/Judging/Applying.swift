/// Finds out which fields of a dialog apply to the inputs.
///
/// A condition looks at the text as rules do, with line breaks as LF and trimmed; whether that field is valid does not
/// matter. A field that does not apply itself, or whose text breaks the rule `text`, meets no condition.
struct Applying {
  private let fields: [Field]
  private let all: Inputs
  private let isCancelled: (@Sendable () -> Bool)?
  /// For each field, true if it applies, or `nil` if that is not known yet.
  private var known: [Bool?]

  init(_ fields: [Field], _ inputs: Inputs, isCancelled: (@Sendable () -> Bool)? = nil) {
    self.fields = fields
    all = inputs
    self.isCancelled = isCancelled
    known = Array(repeating: nil, count: fields.count)
  }

  /// The inputs of the fields that apply. To rules that look at any other field, that field is empty.
  var inputs: Inputs {
    mutating get {
      let dropped = fields.indices.filter { !applies($0) }.map { fields[$0].name }
      return dropped.isEmpty ? all : all.without(dropped)
    }
  }

  mutating func applies(_ index: Int) -> Bool {
    if let known = known[index] { return known }
    // Provisional: if a condition depends on itself, it is not met. A valid definition has no such condition.
    known[index] = false
    let applies = isMet(fields[index].when)
    known[index] = applies
    return applies
  }

  /// True if all these conditions are met.
  mutating func isMet(_ when: [When]) -> Bool {
    when.allSatisfy { when in
      guard let index = fields.index(of: when.field), applies(index) else { return false }
      let field = fields[index], input = all.normalized(for: field)
      guard TextRule.fault(in: input, kind: field.kind) == nil, input.byteCount <= TextRule.limitTogether else {
        return false
      }
      let context = JudgingContext(
        // No condition depends on the time.
        sentences: .english, now: .zero, predicates: .builtInOnly, isCondition: true, isCancelled: isCancelled)
      if case .met = when.rules.judge(input, in: context) { return true }
      return false
    }
  }
}

package extension Prompt {
  /// For each field, true if it applies to the inputs.
  func applyingFields(to inputs: Inputs) -> [Bool] {
    var applying = Applying(fields, inputs)
    return fields.indices.map { applying.applies($0) }
  }

  /// True if the inputs meet all these conditions.
  func isMet(_ when: [When], by inputs: Inputs) -> Bool {
    var applying = Applying(fields, inputs)
    return applying.isMet(when)
  }
}
