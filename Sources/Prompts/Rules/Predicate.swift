internal import StrictJSON

/// `predicate`: what the server registered under a name says so.
struct PredicateRule: Condition {
  static let name = "predicate"
  static var keys: [String] { ["name"] }
  static var shorthand: String? { "name" }

  let predicate: String

  init(predicate: String) { self.predicate = predicate }

  init?(_ arguments: Mapping, _ reading: inout Reading) {
    guard let node = arguments["name"] else {
      reading.report("`predicate` needs a name", "write it like `predicate: integer`", at: arguments.place)
      return nil
    }
    guard let name = reading.string(node, "predicate") else { return nil }
    predicate = name
  }

  func judge(_ input: Input, in context: Context) -> Finding {
    guard case .text(let text) = input else { return .unmet(nil) }
    let answer: PredicateAnswer
    switch context.predicates[predicate] {
    case .immediate(let isValid)?: answer = isValid(text) ? .valid : .invalid(nil)
    case .asynchronous?:
      let question = PredicateQuestion(predicate, text)
      guard let known = context.known[question] else { return .pending(question) }
      answer = known
    case nil: answer = .unchecked
    }
    return switch answer {
    case .valid: .met
    case .invalid(let message): .unmet(message.map { Finding.Failure(rule: Self.name, message: $0) })
    case .unchecked: .unchecked
    }
  }

  func decidedBy(on premise: Premise) -> DecidedBy { Predicates.builtIn[predicate] == nil ? .server : .everywhere }

  func write(to json: inout JSONWriter, for reader: Audience) { json.member("name", predicate) }

  func sentence(for reader: Audience) -> Sentence { predicate == "integer" ? .integer : .predicate }
}
