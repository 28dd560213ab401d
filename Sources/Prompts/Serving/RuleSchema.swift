internal import StrictJSON

/// What JSON Schema (draft 2020-12) can say of a rule.
///
/// A schema of ours judges the texts as they are sent, before line breaks are normalised and
/// texts trimmed; it claims a rule only where its verdict and ours are the same on every text.
enum RuleSchema {
  /// A schema with one keyword.
  static func keyword(_ name: String, _ value: JSON) -> JSON { .object([.init(name, value)]) }

  /// Nothing in the text matches.
  static func not(matching pattern: String) -> JSON { keyword("not", keyword("pattern", .string(pattern))) }

  static func integer(_ number: Int) -> JSON { .number(String(number)) }

  static func all(_ schemas: [JSON]) -> JSON {
    schemas.count == 1 ? schemas[0] : keyword("allOf", .array(schemas))
  }
}

/// The texts of a field as they are sent, which a schema judges.
struct SentTexts {
  let kind: Field.Kind
  let trim: Bool
  /// What the schemas before say of them.
  var premise = Premise()

  /// What is judged of the text matches all of a portable pattern; nil is one that matches nothing.
  func matching(_ pattern: String?) -> JSON {
    guard let pattern else { return RuleSchema.keyword("not", .object([])) }
    let space = PortablePattern.whiteSpace + "*"
    if trim { return RuleSchema.keyword("pattern", .string("^\(space)(?:\(pattern))\(space)$")) }
    let schema = RuleSchema.keyword("pattern", .string("^(?:\(pattern))$"))
    // Elsewhere the rule `text` refuses it.
    return kind.isMultiline ? RuleSchema.all([schema, RuleSchema.not(matching: #"\x0a$"#)]) : schema
  }

  func notBeginning(with pattern: String) -> JSON {
    RuleSchema.not(matching: trim ? "^\(PortablePattern.whiteSpace)*(?:\(pattern))" : "^(?:\(pattern))")
  }

  /// The rule `text`, besides that it is one.
  var usable: JSON {
    switch (kind, trim) {
    case (.boolean, false): return RuleSchema.keyword("enum", .array([.string("true"), .string("false")]))
    case (.boolean, true): return matching("true|false")
    case (.multiline, false): return RuleSchema.not(matching: #"[\x00-\x08\x0b\x0c\x0e-\x1f]"#)
    case (_, false): return RuleSchema.not(matching: #"[\x00-\x08\x0a-\x1f]"#)
    case (_, true):
      let (space, other) = (PortablePattern.whiteSpace, PortablePattern.notWhiteSpace)
      let inside = kind.isMultiline ? #"[\x0b\x0c]"# : #"[\x0a-\x0d]"#
      // White space at the ends is dropped, whatever it is.
      return RuleSchema.not(
        matching: #"[\x00-\x08\x0e-\x1f]|^"# + "\(space)*\(other)\(PortablePattern.anything)*\(inside)\(space)*\(other)"
      )
    }
  }

  /// The empty text.
  var empty: JSON {
    trim ? matching("") : RuleSchema.keyword("maxLength", .number("0"))
  }
}

extension Rule {
  /// This rule as a schema; nil: JSON Schema cannot say it.
  func schema(of texts: SentTexts) -> JSON? { condition.schema(of: texts) }

  /// Those of these rules that a schema can say, and the others, in order.
  ///
  /// - Parameter isEachJudged: also if those before it are not met, as in `any`.
  static func schemas(
    of rules: [Rule], _ texts: SentTexts, isEachJudged: Bool = false
  ) -> (said: [(rule: Rule, schema: JSON)], unsaid: [Rule]) {
    var said: [(Rule, JSON)] = []
    var unsaid: [Rule] = []
    var texts = texts
    for rule in rules {
      guard let schema = rule.schema(of: texts) else {
        unsaid.append(rule)
        continue
      }
      said.append((rule, schema))
      if !isEachJudged { rule.condition.narrow(&texts.premise) }
    }
    return (said, unsaid)
  }
}
