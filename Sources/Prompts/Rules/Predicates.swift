internal import Base

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
