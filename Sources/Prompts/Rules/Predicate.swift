internal import Base
internal import Pattern
internal import StrictJSON

/// `predicate`: a closure decides, or a predicate that the server knows by name.
struct PredicateRule: DependentCondition {
  static let name = "predicate"
  static let arguments = [
    Argument<Self>(
      name: "name", needs: ("a name", "write it like `predicate: integer`"), isShorthand: true,
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

  func judge(_ input: Input, of rule: Rule, in context: Context) -> Finding {
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

  var dependency: Dependency? { .predicate(predicate, reading: fields) }

  /// Browsers know what is built in.
  private var isBuiltIn: Bool { closure == nil && Predicates.builtIn[predicate] != nil }

  func decidedBy(on premise: Premise) -> DecidedBy { isBuiltIn ? .everywhere : .server }
  func sentence(for reader: Audience) -> Sentence { isBuiltIn ? .integer : .predicate }
}

extension Prompt {
  /// A fault for a translation into its own language and for each rule that asks a predicate which is not registered.
  package func faults(knowing predicates: Predicates) -> [Fault] {
    let same = translations.map(\.language).filter { $0 == language }
    return same.map { Fault(FaultReason.ownLanguage($0), at: .none) }
      + fields.enumerated().flatMap { index, field in
        (field.rules + field.allow).flatMap(\.predicates).filter { predicates[$0] == nil }.map { name in
          let nearest = Nearest.nearest(to: name, among: predicates.names)
          return Fault(FaultReason.unregisteredPredicate(name, nearest: nearest), at: .field(index))
        }
      }
  }
}

/// The result of a predicate for a text.
public enum PredicateResult: Sendable {
  case valid
  /// Not valid, and what to say; or `nil` for the rule's own message.
  case invalid(String? = nil)
  /// It could not be checked, which is never valid.
  case unchecked
}

/// A closure that decides a `predicate` rule. It is a class so that two closures under one name can be told apart.
package final class Predicate: Sendable {
  package enum Check: Sendable {
    /// Called on the server's own threads: it must not wait for anything.
    case immediate(@Sendable (_ text: String, _ values: Values) -> PredicateResult)
    /// May be slow, like running a program or asking a database. It is told the person's language.
    case asynchronous(@Sendable (_ text: String, _ values: Values, _ language: String) async -> PredicateResult)
  }

  let check: Check

  package init(_ check: Check) { self.check = check }

  /// - Parameter isValid: called on the server's own threads: it must not wait for anything.
  package init(isValid: @escaping @Sendable (String) -> Bool) {
    check = .immediate { text, _ in isValid(text) ? .valid : .invalid() }
  }
}

/// One text put to one predicate.
package struct PredicateQuestion: Sendable, Hashable {
  /// The predicate's name.
  package let predicate: String
  fileprivate let asked: Predicate
  package let text: String
  /// Asks it in the language of the person, which all questions of one judgement have.
  let result: @Sendable () async -> PredicateResult

  // Code points decide, not canonical equivalence as in String's ==.
  package static func == (one: Self, other: Self) -> Bool { one.asked === other.asked && isSame(one.text, other.text) }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// The predicates that a server knows by name, the built-in ones among them.
package struct Predicates: Sendable {
  /// `integer`: what Swift's `Int` reads, so `[+-]?[0-9]+` within 64 bits. Browsers decide it too.
  static let builtIn: [String: Predicate] = [
    "integer": Predicate { text in
      // Int reads no digits outside ASCII either, but that may change with its version.
      text.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
        && Int(text) != nil
    }
  ]

  private var registered: [String: Predicate]

  package init(_ predicates: [String: Predicate] = [:]) { registered = predicates }

  package subscript(name: String) -> Predicate? { Self.builtIn[name] ?? registered[name] }

  package var names: [String] { (Array(Self.builtIn.keys) + registered.keys).sorted() }

  /// Only the built-in ones: what rules without a prompt may ask.
  package static let builtInOnly = Predicates()
}
