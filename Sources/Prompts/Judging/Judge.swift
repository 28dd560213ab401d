/// Judges what was entered: pure, the same for every door.
///
/// The order is: line breaks to LF, `trim`, the `text` rule, `optional`, the rules, `allow`.
package struct Judge: Sendable {
  package let predicates: Predicates
  package let sentences: Sentences

  package init(predicates: Predicates = .builtInOnly, sentences: Sentences = .english) {
    self.predicates = predicates
    self.sentences = sentences
  }

  /// Judges a dialog's fields.
  ///
  /// - Parameters:
  ///   - only: names of the fields to judge; nil: all. The others are still there to compare with.
  ///   - known: answers of asynchronous predicates. Where one is missing the result is `.needs`;
  ///     ask, add the answers and judge again.
  ///   - isCancelled: asked before each rule whether nobody waits any more; the verdict is then worth nothing.
  package func judge(
    _ inputs: Inputs, of prompt: borrowing Prompt, only: [String]? = nil,
    knowing known: [PredicateQuestion: PredicateAnswer] = [:], isCancelled: (@Sendable () -> Bool)? = nil
  ) -> Judgement {
    let allFields = prompt.fields
    let judged = only.map { names in
      allFields.indices.filter { index in names.contains { isSame($0, allFields[index].name) } }
    }
    var failures: [Verdicts.Failure] = []
    var questions: [PredicateQuestion] = []
    var context = Context(
      sentences: sentences, fields: allFields, predicates: predicates, known: known, inputs: inputs,
      isCancelled: isCancelled, overflow: TextRule.overflow(of: inputs, in: allFields))
    // As spans, fields, inputs and rules are looked at where they lie, without counting a reference to each.
    let (fields, entries) = (allFields.span, inputs.entries.span)
    for index in fields.indices where judged?.contains(index) ?? true {
      context.index = index
      let finding = fields.borrow(index) { field in
        if let entry = inputs.index(of: field.name, near: index) {
          judge(entries[entry].input, field, context)
        } else {
          judge(field.kind.emptyInput, field, context)
        }
      }
      switch finding {
      case .met: continue
      case .unmet(let rule, let message):
        if failures.isEmpty { failures.reserveCapacity(fields.count - index) }
        failures.append(Verdicts.Failure(index: index, rule: rule, message: message))
      case .open(let question): questions.append(question)
      }
    }
    return questions.isEmpty
      ? .decided(Verdicts(on: allFields, only: judged, failures: failures)) : .needs(questions)
  }

  /// What is found of a whole field.
  private enum Step {
    case met
    case unmet(rule: String, message: String)
    case open(PredicateQuestion)
  }

  private func judge(_ raw: Input, _ field: Field, _ context: Context) -> Step {
    // Nearly every text is fine, and one look is enough to tell.
    if field.kind != .boolean, raw.isPlain(trim: field.trim) { return judge(normalized: raw, field, context) }
    let input = raw.normalized(trim: field.trim)
    if let fault = TextRule.fault(in: input, kind: field.kind) {
      return .unmet(rule: TextRule.name, message: sentences(fault))
    }
    return judge(normalized: input, field, context)
  }

  private func judge(normalized input: Input, _ field: Field, _ context: Context) -> Step {
    if let overflow = context.overflow, overflow.index == context.index {
      return .unmet(rule: TextRule.name, message: sentences(.tooLongTogether(by: String(overflow.surplus))))
    }
    if field.optional && input.isEmpty { return .met }
    let step = judge(input, by: field.rules, context)
    guard case .met = step, !input.isEmpty else { return step }
    return judge(input, by: field.allow, context)
  }

  /// Until the first rule that is not met.
  private func judge(_ input: Input, by rules: [Rule], _ context: Context) -> Step {
    let rules = rules.span
    for index in rules.indices {
      let step = rules.borrow(index) { judge(input, by: $0, context) }
      guard case .met = step else { return step }
    }
    return .met
  }

  private func judge(_ input: Input, by rule: Rule, _ context: Context) -> Step {
    if let isCancelled = context.isCancelled, isCancelled() { return .unmet(rule: rule.name, message: "") }
    return switch rule.condition.judge(input, in: context) {
    case .met: .met
    case .unmet(let failure):
      .unmet(
        rule: failure?.rule ?? rule.name,
        message: failure?.message ?? rule.message(in: context.sentences, for: context.audience))
    case .unchecked: .unmet(rule: PredicateRule.name, message: sentences(.unchecked))
    case .pending(let question): .open(question)
    }
  }

  /// Judges one input by rules alone, without a prompt; predicates must be immediate ones.
  fileprivate func judge(
    _ input: Input, by rules: [Rule], isCancelled: (@Sendable () -> Bool)?
  ) -> Verdict {
    let input = input.normalized(trim: false)
    if let fault = TextRule.fault(in: input, kind: .multiline) {
      return .invalid(rule: TextRule.name, message: sentences(fault))
    }
    let context = Context(
      sentences: sentences, fields: [], predicates: predicates, known: [:], inputs: Inputs(), isCancelled: isCancelled)
    return switch judge(input, by: rules, context) {
    case .met: .valid
    case .unmet(let rule, let message): .invalid(rule: rule, message: message)
    case .open: .invalid(rule: PredicateRule.name, message: sentences(.unchecked))
    }
  }

  /// The values of inputs that were found valid.
  package func values(of inputs: Inputs, for prompt: Prompt) -> Values {
    Values(
      prompt.fields.map { field in
        let input = (inputs[field.name] ?? field.kind.emptyInput).normalized(trim: field.trim)
        return (field.name, Value(input, kind: field.kind, optional: field.optional))
      })
  }
}

extension [Rule] {
  /// What these rules, in order, say of an input by themselves: no field, no server.
  public func verdict(on input: Input) -> Verdict {
    verdict(on: input, sentences: .english, isCancelled: nil)
  }

  /// - Parameter isCancelled: see `Judge.judge`.
  package func verdict(
    on input: Input, sentences: Sentences, isCancelled: (@Sendable () -> Bool)?
  ) -> Verdict {
    Judge(sentences: sentences).judge(input, by: self, isCancelled: isCancelled)
  }
}
