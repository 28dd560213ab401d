package import StrictJSON

extension Prompt {
  /// The values this prompt takes and answers, as JSON Schema, draft 2020-12.
  ///
  /// A field takes its text, and what an answer has in its place: a number, true or false, null. What the
  /// schema cannot say of each of them (other fields, predicates, exact arithmetic, patterns that only the server
  /// decides) is listed under `x-okcancel`, field by field, as rules. To JSON Schema 5.0 is an integer; the server judges
  /// numbers as they are written.
  ///
  /// - Parameter id: the schema's own URI.
  package func writeSchema(to json: inout JSONWriter, id: String, sentences: Sentences = .english) {
    let parts = fields.map { ($0, $0.schemaParts) }
    json.object { json in
      json.member("$schema", "https://json-schema.org/draft/2020-12/schema")
      json.member("$id", id)
      json.member("title", title)
      json.member("description", ifPresent: message)
      json.member("type", "object")
      json.member("properties") { json in
        json.object { json in
          for (field, parts) in parts { json.member(field.name, field.schema(saying: parts.said)) }
        }
      }
      json.member("required") { $0.array(fields.filter(\.mustBeSent).map(\.name)) }
      json.member("additionalProperties", false)
      let unsaid = parts.filter { !$0.1.unsaid.isEmpty || $0.0.trim }
      if !unsaid.isEmpty {
        json.member("x-okcancel") { json in
          json.object { json in
            for (field, parts) in unsaid {
              let reader = Audience(sentences: sentences, field: field, fields: fields)
              json.member(field.name) { json in
                json.object { json in
                  if field.trim { json.member("trim", true) }
                  json.member("rules") { $0.array(parts.unsaid) { $1.write(to: &$0, for: reader) } }
                }
              }
            }
          }
        }
      }
    }
  }
}

extension Field {
  /// Rules a schema of this field says, and those it cannot say.
  fileprivate var schemaParts: (said: [JSON], unsaid: [Rule]) {
    let all = rules + allowAsRules
    let (said, unsaid) = Rule.schemas(of: all, texts)
    return (said.map(\.schema), kind.quantity == .number ? all.filter { !Self.isSaidOfNumbers($0) } : unsaid)
  }

  /// Whether the schema says a rule of numbers as well as of texts.
  private static func isSaidOfNumbers(_ rule: Rule) -> Bool {
    [NoneRule.name, NonEmpty.name, IntegerRule.name, NumberRule.name].contains(rule.name)
  }

  /// `allow` judges any text but the empty one.
  private var allowAsRules: [Rule] {
    allow.map { Rule.any([.oneOf([""]), $0]) }
  }

  /// Whether an answer that leaves this field out is invalid: the empty text, `false` or no choice.
  fileprivate var mustBeSent: Bool {
    !optional && !saidRules.verdict(on: kind.emptyInput).isValid
  }

  /// The rules that the schema says; others must not make it stricter than the verdict.
  private var saidRules: [Rule] { Rule.schemas(of: rules, texts).said.map(\.rule) }

  private var texts: SentTexts { SentTexts(kind: kind, trim: trim) }

  fileprivate func schema(saying said: [JSON]) -> JSON {
    var members: [JSON.Member] = [.init("title", .string(label))]
    if let help { members.append(.init("description", .string(help))) }
    let text = textSchema(saying: said)
    let others = [numberSchema, booleanSchema, mustBeSent ? nil : RuleSchema.keyword("type", .string("null"))]
      .compactMap { $0 }
    members += others.isEmpty ? text : [.init("anyOf", .array([.object(text)] + others))]
    return .object(members)
  }

  /// What a field takes as text, and a field of choices as texts.
  private func textSchema(saying said: [JSON]) -> [JSON.Member] {
    var members: [JSON.Member] = []
    if kind == .choices {
      members.append(.init("type", .string("array")))
      members.append(.init("items", .object(textMembers)))
    } else {
      members += textMembers
    }
    let empty = kind == .choices ? RuleSchema.keyword("maxItems", .number("0")) : texts.empty
    if optional, !said.isEmpty {
      members.append(.init("anyOf", .array([empty, RuleSchema.all(said)])))
    } else if !said.isEmpty {
      members.append(.init("allOf", .array(said)))
    }
    return members
  }

  /// The same number as JSON; nil where the field holds none.
  private var numberSchema: JSON? {
    guard kind.quantity == .number else { return nil }
    var members: [JSON.Member] = [.init("type", .string(kind == .integer ? "integer" : "number"))]
    for range in rules.compactMap({ $0.condition as? RangeRule }) {
      for (name, bound) in [("minimum", range.min), ("maximum", range.max)] {
        // A bound that no double holds could be read as a stricter one.
        guard let literal = bound.flatMap({ ExactNumber($0.text)?.jsonLiteral }) else { continue }
        if !members.contains(where: { $0.key == name }) { members.append(.init(name, .number(literal))) }
      }
    }
    return .object(members)
  }

  /// Those of true and false that are valid; nil where the field holds neither.
  private var booleanSchema: JSON? {
    guard kind == .boolean else { return nil }
    let said = saidRules
    let valid = [true, false].filter { said.verdict(on: .text(String($0))).isValid }
    switch valid.count {
    case 0: return nil
    case 1: return RuleSchema.keyword("const", .bool(valid[0]))
    default: return RuleSchema.keyword("type", .string("boolean"))
    }
  }

  /// Any text that the rule `text` lets pass.
  private var textMembers: [JSON.Member] {
    guard case .object(let usable) = texts.usable else { return [] }
    return [.init("type", .string("string"))] + usable
  }
}
