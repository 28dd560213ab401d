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

  /// The fault of a rule that asks a predicate which is not among these.
  static func unregistered(_ name: String, among names: [String]) -> FaultRow {
    Nearest.nearest(to: name, among: names).map {
      FaultRow("unregistered-predicate.near", ["name": name, "nearest": $0])
    } ?? FaultRow("unregistered-predicate", ["name": name])
  }
}

/// One text put to one predicate.
package struct PredicateQuestion: Sendable, Hashable {
  /// The predicate's name.
  let predicate: String
  let asked: Predicate
  let text: String
  /// Asks it in the language of the person, which all questions of one judgement have.
  let result: @Sendable () async -> PredicateResult

  // Code points decide, not canonical equivalence as in String's ==.
  package static func == (one: Self, other: Self) -> Bool { one.asked === other.asked && isSame(one.text, other.text) }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension Prompt {
  /// A fault for a translation into its own language and for each rule that asks a predicate which is not registered.
  package func faults(knowing predicates: Predicates) -> [Fault] {
    let same = translations.map(\.language).filter { $0 == language }
    return same.map { Fault(FaultRow("own-language", ["language": $0]), at: .none) }
      + fields.enumerated().flatMap { index, field in
        (field.rules + field.allow).flatMap(\.predicates).filter { predicates[$0] == nil }.map { name in
          Fault(Predicate.unregistered(name, among: predicates.names), at: .field(index))
        }
      }
  }
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

  subscript(name: String) -> Predicate? { Self.builtIn[name] ?? registered[name] }

  package var names: [String] { (Array(Self.builtIn.keys) + registered.keys).sorted() }

  /// Only the built-in ones: what rules without a prompt may ask.
  static let builtInOnly = Predicates()
}
