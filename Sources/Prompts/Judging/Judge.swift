/// Judges what was entered: pure, the same for every door.
///
/// The order is: line breaks to LF, `trim`, the `text` rule, `optional`, the rules, `allow`.
public struct Judge: Sendable {
  public let predicates: Predicates
  public let sentences: Sentences

  public init(predicates: Predicates = .builtInOnly, sentences: Sentences = .english) {
    self.predicates = predicates
    self.sentences = sentences
  }

  /// Judges a dialog's fields.
  ///
  /// - Parameters:
  ///   - only: names of the fields to judge; nil: all. The others are still there to compare with.
  ///   - known: answers of asynchronous predicates. Where one is missing the result is `.needs`;
  ///     ask, add the answers and judge again.
  public func judge(
    _ inputs: Inputs, of prompt: Prompt, only: [String]? = nil,
    knowing known: [PredicateQuestion: PredicateAnswer] = [:]
  ) -> Judgement {
    var entries: [(field: String, verdict: Verdict)] = []
    var questions: [PredicateQuestion] = []
    entries.reserveCapacity(prompt.fields.count)
    var context = Context(
      audience: Audience(sentences: sentences, field: nil, fields: prompt.fields),
      predicates: predicates, known: known, inputs: inputs)
    for (index, field) in prompt.fields.enumerated() where only?.contains(where: { isSame($0, field.name) }) ?? true {
      context.audience.field = field
      switch judge(inputs.input(of: field.name, near: index) ?? field.kind.emptyInput, field, context) {
      case .verdict(let verdict): entries.append((field.name, verdict))
      case .question(let question): questions.append(question)
      }
    }
    return questions.isEmpty ? .decided(Verdicts(entries: entries)) : .needs(questions)
  }

  private enum Step {
    case verdict(Verdict)
    case question(PredicateQuestion)
  }

  private func judge(_ raw: Input, _ field: Field, _ context: Context) -> Step {
    var input = raw
    // Nearly every text is as it should be, and one look says so.
    if field.trim || field.kind == .boolean || !raw.hasNoControls {
      input = raw.normalized(trim: field.trim)
      if let fault = TextRule.fault(in: input, kind: field.kind) {
        return .verdict(.invalid(rule: TextRule.name, message: sentences(fault)))
      }
    }
    if field.optional && input.isEmpty { return .verdict(.valid) }
    if let step = first(of: field.rules, on: input, context) { return step }
    if !input.isEmpty, let step = first(of: field.allow, on: input, context) { return step }
    return .verdict(.valid)
  }

  /// The first rule that is not met; nil: all are.
  private func first(of rules: [Rule], on input: Input, _ context: Context) -> Step? {
    // By index: a rule is judged where it lies, without a copy of what it holds.
    for index in rules.indices {
      switch rules[index].judge(input, in: context) {
      case .met: continue
      case .unmet(let failure):
        return .verdict(
          .invalid(
            rule: failure?.rule ?? rules[index].name,
            message: failure?.message ?? rules[index].message(for: context.audience)))
      case .unchecked:
        return .verdict(.invalid(rule: PredicateRule.name, message: sentences(.unchecked)))
      case .pending(let question): return .question(question)
      }
    }
    return nil
  }

  /// Judges one input by rules alone, without a prompt; predicates must be immediate ones.
  fileprivate func judge(_ input: Input, by rules: [Rule]) -> Verdict {
    let input = input.normalized(trim: false)
    if let fault = TextRule.fault(in: input, kind: .multiline) {
      return .invalid(rule: TextRule.name, message: sentences(fault))
    }
    let context = Context(
      audience: Audience(sentences: sentences, field: nil, fields: []), predicates: predicates, known: [:],
      inputs: Inputs())
    switch first(of: rules, on: input, context) {
    case nil: return .valid
    case .verdict(let verdict): return verdict
    case .question: return .invalid(rule: PredicateRule.name, message: sentences(.unchecked))
    }
  }

  /// The values of inputs that were found valid.
  public func values(of inputs: Inputs, for prompt: Prompt) -> Values {
    Values(
      prompt.fields.map { field in
        let input = (inputs[field.name] ?? field.kind.emptyInput).normalized(trim: field.trim)
        return (field.name, Value(input, kind: field.kind, optional: field.optional))
      })
  }
}

extension [Rule] {
  /// What these rules, in order, say of an input by themselves: no field, no server.
  public func verdict(on input: Input, sentences: Sentences = .english) -> Verdict {
    Judge(sentences: sentences).judge(input, by: self)
  }
}
