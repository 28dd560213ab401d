/// What answers a `predicate` rule.
package enum Predicate: Sendable {
  /// Answers at once, on the server's own threads: it must not wait for anything.
  case immediate(@Sendable (String) -> Bool)
  /// Answers later: a program that is run, a database that is asked.
  case asynchronous(@Sendable (String) async -> PredicateAnswer)
}

package enum PredicateAnswer: Sendable {
  case valid
  /// nil: the rule's own message.
  case invalid(String?)
  /// It could not be checked, which is never valid.
  case unchecked
}

/// One text put to one predicate.
package struct PredicateQuestion: Sendable, Hashable {
  package let predicate: String
  package let text: String

  init(_ predicate: String, _ text: String) {
    self.predicate = predicate
    self.text = text
  }

  // Code points decide, not canonical equivalence as in String's ==.
  package static func == (one: Self, other: Self) -> Bool {
    isSame(one.predicate, other.predicate) && isSame(one.text, other.text)
  }

  package func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

/// The predicates a server knows, by name; the built-in ones always.
package struct Predicates: Sendable {
  /// `integer`: what Swift's `Int` reads, so `[+-]?[0-9]+` within 64 bits. Browsers decide it too.
  static let builtIn: [String: Predicate] = [
    "integer": .immediate { text in
      // Int also reads no other digits than ASCII's, but let that not be a matter of its version.
      text.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
        && Int(text) != nil
    }
  ]

  private var registered: [String: Predicate]

  package init(_ predicates: [String: Predicate] = [:]) { registered = predicates }

  package subscript(name: String) -> Predicate? { Self.builtIn[name] ?? registered[name] }

  package var names: [String] { (Array(Self.builtIn.keys) + registered.keys).sorted() }

  /// Only those built in: what a question without a prompt may ask.
  package static let builtInOnly = Predicates()
}
