/// Judges what was entered: pure, and the same for every interface.
///
/// The order is: which fields apply, line breaks to LF, `trim`, the `text` rule, `optional`, the rules, `allow`.
package struct Judge: Sendable {
  package let predicates: Predicates

  package init(predicates: Predicates = .builtInOnly) { self.predicates = predicates }

  /// Judges a dialog's fields.
  ///
  /// - Parameters:
  ///   - sentences: what is said of what no rule of the prompt's own judges. `Edition` has them with its prompt.
  ///   - only: names of the fields to judge, or `nil` for all. The others are still there to compare with.
  ///   - action: the action button that was pressed, or `nil`. If it does not apply, nothing is judged.
  ///   - known: results of asynchronous predicates. If one is missing, the judgement is `.needs`: ask, add the results
  ///     and judge again.
  ///   - isCancelled: asked before each rule whether nobody waits any more; the verdict is then worth nothing.
  ///   - now: when it is judged, which is read only if a rule depends on it.
  package func judge(
    _ inputs: Inputs, of prompt: borrowing Prompt, in sentences: Sentences = .english, only: [String]? = nil,
    for action: Prompt.Button? = nil, at now: @autoclosure () -> Timestamp = WallClock.system.now,
    knowing known: [PredicateQuestion: PredicateResult] = [:], isCancelled: (@Sendable () -> Bool)? = nil
  ) -> Judgement {
    let fields = prompt.fields
    var judged = only.map { names in
      fields.indices.filter { index in names.contains { isSame($0, fields[index].name) } }
    }
    var inputs = inputs
    if prompt.hasConditions {
      var applying = Applying(fields, inputs, isCancelled: isCancelled)
      if let action, !applying.isMet(action.when) { return .decided(.refusingAction(of: fields)) }
      judged = (judged ?? Array(fields.indices)).filter { applying.applies($0) }
      inputs = applying.inputs
    }
    var failures: [Verdicts.Failure] = []
    var questions: [PredicateQuestion] = []
    var context = Context(
      sentences: sentences, now: prompt.readsClock ? now() : .zero, predicates: predicates, fields: fields,
      inputs: inputs, known: known,
      overflow: TextRule.overflow(of: inputs, in: fields), isCancelled: isCancelled)
    let entries = inputs.entries.span
    for index in fields.indices where judged?.contains(index) ?? true {
      context.index = index
      let verdict = fields.span.borrow(index) { field in
        if let place = inputs.index(of: field.name, near: index) {
          judge(entries[place].input, field, context, &questions)
        } else {
          judge(field.kind.emptyInput, field, context, &questions)
        }
      }
      if let verdict, !verdict.isValid { failures.append((index, verdict)) }
    }
    return questions.isEmpty ? .decided(Verdicts(on: fields, only: judged, failures: failures)) : .needs(questions)
  }

  /// The verdict on a field, or `nil` if a predicate has to be asked first; its question is added.
  private func judge(
    _ raw: Input, _ field: Field, _ context: Context, _ questions: inout [PredicateQuestion]
  ) -> Verdict? {
    var input = raw
    // Nearly every text is fine, and one look is enough to tell.
    if field.kind == .boolean || !raw.isPlain(trim: field.trim) {
      input = raw.normalized(trim: field.trim)
      if let fault = TextRule.fault(in: input, kind: field.kind) { return .invalid(fault, context.sentences) }
    }
    if let overflow = context.overflow, overflow.index == context.index {
      return .invalid(.tooLongTogether(by: String(overflow.surplus)), context.sentences)
    }
    if field.optional && input.isEmpty { return .valid }
    var finding = field.rules.judge(input, in: context)
    if case .met = finding, !input.isEmpty { finding = field.allow.judge(input, in: context) }
    if case .met = finding { return .valid }
    if case .pending(let question) = finding { questions.append(question) }
    return finding.verdict(in: context)
  }

}

// MARK: Asynchronous predicates

extension Judge {
  /// The verdicts on a dialog's fields, after asking every predicate that their rules come to.
  package func verdicts(on inputs: Inputs, of edition: Edition) async -> Verdicts {
    let now = WallClock.system.now
    return await verdicts { judge(inputs, of: edition.prompt, in: edition.sentences, at: now, knowing: $0) }
  }

  /// - Parameters:
  ///   - first: what judging came to before any predicate was asked, if that was done.
  ///   - again: judges with these results of predicates.
  package func verdicts<Failure: Error>(
    after first: Judgement? = nil,
    judging again: ([PredicateQuestion: PredicateResult]) async throws(Failure) -> Judgement
  ) async throws(Failure) -> Verdicts {
    var known: [PredicateQuestion: PredicateResult] = [:]
    var judgement = first
    // Each round answers at least one more question, and a prompt has only so many.
    while true {
      switch judgement {
      case .decided(let verdicts)?: return verdicts
      case .needs(let questions)?: known.merge(await Self.results(of: Set(questions))) { $1 }
      case nil: break
      }
      judgement = try await again(known)
    }
  }

  private static func results(of questions: Set<PredicateQuestion>) async -> [PredicateQuestion: PredicateResult] {
    await withTaskGroup(of: (PredicateQuestion, PredicateResult).self) { group in
      for question in questions {
        group.addTask { (question, await question.result()) }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }
}

// MARK: Judging without a server

extension Prompt {
  /// The verdicts on a dialog's fields, as a server gives them in the prompt's own language, but without the predicates
  /// that are registered there. Predicates that bring their own closure are asked.
  ///
  /// - Parameter inputs: what is entered, by field name. Fields that are left out are empty; other names are ignored.
  public func verdicts(on inputs: [String: Input]) async -> Verdicts {
    await Judge().verdicts(on: Inputs(inputs.map { ($0.key, $0.value) }), of: edition())
  }
}

extension [Rule] {
  /// What these rules, in order, say of an input by themselves, in English.
  ///
  /// A rule that looks at another field is not met. A predicate counts as not met if only a server knows it or if its
  /// closure is asynchronous.
  public func verdict(on input: Input) -> Verdict {
    verdict(on: input, sentences: .english, isCancelled: nil)
  }

  /// The same in another language.
  ///
  /// - Parameters:
  ///   - now: when it is judged.
  ///   - isCancelled: see `Judge.judge`.
  package func verdict(
    on input: Input, sentences: Sentences, at now: Timestamp = WallClock.system.now,
    isCancelled: (@Sendable () -> Bool)?
  ) -> Verdict {
    let input = input.normalized(trim: false)
    if let fault = TextRule.fault(in: input, kind: .multiline) { return .invalid(fault, sentences) }
    let context = Context(sentences: sentences, now: now, predicates: .builtInOnly, isCancelled: isCancelled)
    return judge(input, in: context).verdict(in: context) ?? .unchecked(sentences)
  }

  /// Judges until the first rule that is not met.
  func judge(_ input: Input, in context: Context) -> Finding {
    for index in indices {
      let finding = span.borrow(index) { $0.judge(input, in: context) }
      guard case .met = finding else { return finding }
    }
    return .met
  }
}

extension Rule {
  func judge(_ input: Input, in context: Context) -> Finding {
    if let isCancelled = context.isCancelled, isCancelled() { return .unchecked }
    return condition.judge(input, of: self, in: context)
  }
}

extension Finding {
  /// What it means for a person, or `nil` if a predicate has to be asked first.
  fileprivate func verdict(in context: Context) -> Verdict? {
    switch self {
    case .met: .valid
    case .unmet(let rule, let said):
      .invalid(rule: rule.name, message: said ?? rule.message(for: context.audience))
    case .unchecked: .unchecked(context.sentences)
    case .pending: nil
    }
  }
}

extension Verdict {
  /// A fault that the rule `text` finds.
  fileprivate static func invalid(_ fault: Sentence, _ sentences: Sentences) -> Verdict {
    .invalid(rule: TextRule.name, message: sentences(fault))
  }

  fileprivate static func unchecked(_ sentences: Sentences) -> Verdict {
    .invalid(rule: PredicateRule.name, message: sentences(.unchecked))
  }
}

extension Span where Element: AnyObject {
  /// Calls `body` with an element without counting a reference to it: the array that the span is of keeps it.
  ///
  /// A count is two atomic writes, for each field and each rule of a verdict; without this, a verdict takes 12 % more
  /// instructions and 30 % more time (`VerdictBench`).
  fileprivate func borrow<Result>(_ index: Int, _ body: (Element) -> Result) -> Result {
    Unmanaged.passUnretained(self[index])._withUnsafeGuaranteedRef(body)
  }
}
