/// `predicate`: a closure decides, or a predicate that the server knows by name.
struct PredicateRule: Condition {
  static let name = "predicate"
  static let arguments = [
    Argument<Self>(
      name: "name", needs: ("a name", FaultRow("write-predicate")), isShorthand: true,
      read: { rule, arguments, reading in
        guard let node = arguments["name"], let name = reading.string(node, "predicate") else { return false }
        reading.check(predicate: name, at: node.place)
        rule.predicate = name
        return true
      }, write: { rule, json, _ in json.member("name", rule.predicate) }),
    Argument<Self>(
      name: "fields",
      read: { rule, arguments, reading in
        guard let fields = reading.strings(arguments["fields"], "fields") else { return false }
        rule.fields = fields
        return true
      }, write: { rule, json, _ in if !rule.fields.isEmpty { json.member("fields") { $0.array(rule.fields) } } }),
  ]

  var predicate = ""
  /// The closure that decides, or `nil` to ask the predicate that the server knows by this name.
  var closure: Predicate?
  /// The other fields whose values the closure gets; it is asked again when one of them changes.
  var fields: [String] = []

  func judge(_ input: Input, of rule: Rule, in context: JudgingContext) -> Finding {
    guard case .text(var text) = input else { return .unmet(rule) }
    // Programs get a moment with its offset, as in the answer.
    if let field = context.field, let timeZone = field.timeZone { text = field.answer(to: text, in: timeZone) }
    guard let asked = closure ?? context.predicates[predicate], fields.isEmpty || !context.fields.isEmpty else {
      return .unchecked
    }
    let values = Values(
      fields.compactMap { name in
        context.fields.named(name).flatMap { Value(context.inputs.normalized(for: $0), of: $0) }.map { (name, $0) }
      })
    let result: PredicateResult
    switch asked.check {
    case .immediate(let check): result = check(text, values)
    case .asynchronous(let check):
      let question = PredicateQuestion(
        predicate: predicate, asked: asked, text: text,
        result: { [text, language = context.sentences.language.tag] in await check(text, values, language) })
      guard let known = context.known[question] else { return .pending(question) }
      result = known
    }
    return switch result {
    case .valid: .met
    case .invalid(let message): .unmet(rule, saying: message?.revealed)
    case .unchecked: .unchecked
    }
  }

  var dependency: Dependency? { .predicate(predicate, reading: fields, isOwn: closure != nil) }

  /// Browsers know what is built in.
  private var isBuiltIn: Bool { closure == nil && Predicates.builtIn[predicate] != nil }

  func decidedBy(on premise: Premise) -> DecidedBy { isBuiltIn ? .everywhere : .server }
  func sentence(for reader: Audience) -> Sentence { isBuiltIn ? .integer : .predicate }
}
