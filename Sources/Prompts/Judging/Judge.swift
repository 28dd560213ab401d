/// Judges what was entered: pure, and the same for every interface.
///
/// The order is: which fields apply, line breaks to LF, `trim`, numbers in their plain form, the `text` rule, `optional`, the rules, `allow`.
package struct Judge: Sendable {
  let predicates: Predicates

  package init(predicates: Predicates = .builtInOnly) { self.predicates = predicates }

  /// Judges a dialog's fields.
  ///
  /// - Parameters:
  ///   - only: names of the fields to judge, or `nil` for all. The others are still there to compare with.
  ///   - action: the action button that was pressed, or `nil`. If it does not apply, nothing is judged.
  ///   - now: when it is judged.
  ///   - known: results of asynchronous predicates. If one is missing, the judgement is `.needs`: ask, add the results
  ///     and judge again.
  ///   - isCancelled: called before each rule; returns true if the request is cancelled. Then discard the verdict.
  package func judge(
    _ inputs: Inputs, of edition: Edition, only: [String]? = nil,
    for action: Prompt.Button? = nil, at now: Timestamp = WallClock.system.now,
    knowing known: [PredicateQuestion: PredicateResult] = [:], isCancelled: (@Sendable () -> Bool)? = nil
  ) -> Judgement {
    let fields = edition.prompt.fields
    var inputs = inputs
    var applying = edition.hasConditions ? Applying(fields, inputs, isCancelled: isCancelled) : nil
    if let action, applying?.isMet(action.when) == false {
      return .decided(Verdicts([], of: edition.prompt, refusesAction: true))
    }
    if let applied = applying?.inputs { inputs = applied }
    var verdicts: [(field: String, verdict: Verdict)] = []
    verdicts.reserveCapacity(fields.count)
    var questions: [PredicateQuestion] = []
    var context = JudgingContext(
      sentences: edition.sentences, now: now, predicates: predicates, fields: fields, inputs: inputs, known: known,
      overflow: TextRule.overflow(of: inputs, in: fields), isCancelled: isCancelled)
    for index in fields.indices {
      let name = fields[index].name
      if let only, !only.contains(where: { isSame($0, name) }) { continue }
      if applying?.applies(index) == false { continue }
      context.index = index
      let finding = judge(inputs[name] ?? fields[index].kind.emptyInput, in: context)
      if case .pending(let question) = finding { questions.append(question) }
      verdicts.append((name, finding.verdict(in: edition.sentences) { edition.message(of: $0, at: index) }))
    }
    return questions.isEmpty ? .decided(Verdicts(verdicts, of: edition.prompt)) : .needs(questions)
  }

  /// Judges the context's field.
  fileprivate func judge(_ raw: Input, in context: JudgingContext) -> Finding {
    // In place: a field has many parts, and a copy counts a reference to each.
    guard let index = context.index else { return .unchecked }
    let fields = context.fields
    let input = raw.normalized(
      as: fields[index].kind, trim: fields[index].trim, readsNumbers: fields[index].readsNumbers)
    if let fault = TextRule.fault(in: input, kind: fields[index].kind) { return .malformed(fault) }
    if let overflow = context.overflow, overflow.index == index {
      return .malformed(.tooLongTogether(by: String(overflow.surplus)))
    }
    if fields[index].optional && input.isEmpty { return .met }
    let finding = fields[index].rules.judge(input, in: context)
    if case .met = finding, !input.isEmpty { return fields[index].allow.judge(input, in: context) }
    return finding
  }
}

// MARK: Asynchronous predicates

package extension Judge {
  /// The verdicts on a dialog's fields, after asking every predicate that their rules need.
  func verdicts(on inputs: Inputs, of edition: Edition) async -> Verdicts {
    let now = WallClock.system.now
    return await verdicts { judge(inputs, of: edition, at: now, knowing: $0) }
  }

  /// - Parameter judgement: judges with these results of predicates.
  func verdicts<Failure: Error>(
    _ judgement: ([PredicateQuestion: PredicateResult]) async throws(Failure) -> Judgement
  ) async throws(Failure) -> Verdicts {
    var known: [PredicateQuestion: PredicateResult] = [:]
    // The loop ends: each round answers at least one more question, and a prompt has a limited number.
    while true {
      switch try await judgement(known) {
      case .decided(let verdicts): return verdicts
      case .needs(let questions): known.merge(await Self.results(of: Set(questions))) { $1 }
      }
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

extension Edition {
  /// True if these values are known to be valid. False if that would take a predicate, the time or over a millisecond.
  ///
  /// - Parameter inputs: `nil` for the initial values.
  package func isKnownToBeValid(holding inputs: Inputs?) -> Bool {
    let inputs = inputs ?? Inputs(prompt.fields.map { ($0.name, $0.value) })
    let judge = Judge()
    guard prompt.fields.allSatisfy({ $0.decidedBy == .everywhere }),
      judge.cost(of: inputs, for: prompt).work <= WorkBudget.eventLoop.left,
      case .decided(let verdicts) = judge.judge(inputs, of: self)
    else { return false }
    return verdicts.isValid
  }
}

extension Prompt {
  /// The verdicts on a dialog's fields, as a server gives them, but without the predicates that are registered there.
  /// Predicates that bring their own closure are asked.
  ///
  /// - Parameters:
  ///   - values: what is entered, as an answer has it. Fields that are left out are empty; other names are ignored.
  ///   - language: that of the messages as a tag, like `de` (BCP 47), if the prompt is in it; or `nil` for the prompt's own.
  public func verdicts(on values: Values, language: String? = nil) async -> Verdicts {
    var reading = Reading()
    let inputs = Inputs(Node(values.json), of: fields, &reading)
    var verdicts = await Judge().verdicts(on: inputs, of: edition(in: language.map(Language.init(unchecked:))))
    if verdicts.isValid { verdicts.values = verdicts.values(of: inputs) }
    return verdicts
  }
}

extension Field {
  /// The verdict of this field by itself on a value, as if no other field were in the dialog. A predicate whose closure is
  /// asynchronous, or that is known to a server only, cannot be asked, so it is not met.
  ///
  /// - Parameter language: that of the message as a tag, like `de` (BCP 47), or `nil` for English.
  public func verdict(on value: any ValueConvertible, language: String? = nil) -> Verdict {
    let sentences = language.map { Sentences(in: Language(unchecked: $0)) } ?? .english
    let context = JudgingContext(
      sentences: sentences, now: WallClock.system.now, predicates: .builtInOnly, fields: [self], index: 0)
    return Judge().judge(Input(value), in: context).verdict(in: sentences) {
      $0.message(for: Audience(sentences: sentences, kind: kind, fields: [self]))
    }
  }
}

extension [Rule] {
  /// The verdict of these rules, in order, on an input without a prompt.
  ///
  /// A rule that looks at another field is not met. Nor is a predicate whose closure is asynchronous, reads other fields
  /// or is known to a server only.
  ///
  /// - Parameter language: that of the message as a tag, like `de` (BCP 47), or `nil` for English.
  public func verdict(on value: any ValueConvertible, language: String? = nil) -> Verdict {
    let sentences = language.map { Sentences(in: Language(unchecked: $0)) } ?? .english
    return verdict(on: Input(value), sentences: sentences)
  }

  /// The same in another language.
  ///
  /// - Parameters:
  ///   - now: when it is judged.
  ///   - isCancelled: see `Judge.judge`.
  package func verdict(
    on input: Input, sentences: Sentences = .english, at now: Timestamp = WallClock.system.now,
    isCancelled: (@Sendable () -> Bool)? = nil
  ) -> Verdict {
    let input = input.normalized(trim: false, readsNumbers: areOfNumbers)
    let fault = TextRule.fault(in: input, kind: .multiline).map(Finding.malformed)
    let context = JudgingContext(sentences: sentences, now: now, predicates: .builtInOnly, isCancelled: isCancelled)
    return (fault ?? judge(input, in: context)).verdict(in: sentences) {
      $0.message(for: Audience(sentences: sentences))
    }
  }

  /// True if one of them asks for a number. Inside other rules none does.
  var areOfNumbers: Bool { contains { $0.name == NumberRule.name || $0.name == IntegerRule.name } }

  /// Judges until the first rule that is not met.
  func judge(_ input: Input, in context: JudgingContext) -> Finding {
    for rule in self {
      let finding = rule.judge(input, in: context)
      guard case .met = finding else { return finding }
    }
    return .met
  }
}

extension Rule {
  func judge(_ input: Input, in context: JudgingContext) -> Finding {
    if let isCancelled = context.isCancelled, isCancelled() { return .unchecked }
    let finding = condition.judge(input, of: self, in: context)
    guard case .unmet(let rule, saying: nil) = finding, rule === self, takesNoFullWidth(in: context.field?.kind),
      input.text?.unicodeScalars.contains(where: { 0xFF01...0xFF5E ~= $0.value }) == true
    else { return finding }
    return .unmet(self, saying: context.sentences(.width))
  }

  /// True if it asks for ASCII, as patterns of telephone numbers do. If it fails and there are full-width characters, its
  /// message says so.
  func takesNoFullWidth(in kind: Field.Kind?) -> Bool {
    kind == .tel && name == PatternRule.name
      || [EmailRule.name, URLRule.name, DateRule.name, TimeRule.name, DateTimeRule.name].contains(name)
  }
}

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
