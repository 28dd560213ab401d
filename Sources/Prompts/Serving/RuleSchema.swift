internal import StrictJSON

/// What JSON Schema (draft 2020-12) can say of a rule.
///
/// A schema of ours judges the texts as they are sent, before line breaks are normalised and
/// texts trimmed; it claims a rule only where its verdict and ours are the same on every text.
enum RuleSchema {
  /// A schema with one keyword.
  static func keyword(_ name: String, _ value: JSON) -> JSON { .object([.init(name, value)]) }

  /// The whole text matches: ECMAScript with `u`, anchored so that no engine's `$` stops before a last line feed.
  static func pattern(_ source: String) -> JSON {
    keyword("pattern", .string("^(?:\(source))$(?![\\s\\S])"))
  }

  static func integer(_ number: Int) -> JSON { .number(String(number)) }

  static func all(_ schemas: [JSON]) -> JSON {
    schemas.count == 1 ? schemas[0] : keyword("allOf", .array(schemas))
  }
}

extension Rule {
  /// This rule as a schema; nil: JSON Schema cannot say it.
  func schema(of kind: Field.Kind) -> JSON? { condition.schema(of: kind) }

  /// Those of these rules that a schema can say, and the names of the others, in order.
  static func schemas(of rules: [Rule], kind: Field.Kind) -> (said: [JSON], unsaid: [Rule]) {
    var said: [JSON] = []
    var unsaid: [Rule] = []
    for rule in rules {
      if let schema = rule.schema(of: kind) { said.append(schema) } else { unsaid.append(rule) }
    }
    return (said, unsaid)
  }
}
