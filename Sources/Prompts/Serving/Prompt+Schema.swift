public import StrictJSON

extension Prompt {
  /// The values this prompt takes, as JSON Schema, draft 2020-12.
  ///
  /// What it cannot say (other fields, predicates, exact arithmetic, trimmed texts) is listed
  /// under `x-okcancel`, field by field, as rules.
  ///
  /// - Parameter id: the schema's own URI.
  public func writeSchema(to json: inout JSONWriter, id: String, sentences: Sentences = .english) {
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
    // A schema sees the text before it is trimmed, so it can say nothing of what is left.
    trim ? ([], rules + allow) : Rule.schemas(of: rules + allowAsRules, kind: kind)
  }

  /// `allow` judges any text but the empty one.
  private var allowAsRules: [Rule] {
    allow.map { Rule.any([.oneOf([""]), $0]) }
  }

  /// Whether an answer that leaves this field out is invalid: the empty text, `false` or no choice.
  fileprivate var mustBeSent: Bool {
    // Only rules that the schema says count: it must not be stricter than the verdict.
    !optional && !trim && !rules.filter { $0.schema(of: kind) != nil }.verdict(on: kind.emptyInput).isValid
  }

  fileprivate func schema(saying said: [JSON]) -> JSON {
    var members: [JSON.Member] = [.init("title", .string(label))]
    if let help { members.append(.init("description", .string(help))) }
    if kind == .choices {
      members.append(.init("type", .string("array")))
      members.append(.init("items", RuleSchema.keyword("type", .string("string"))))
    } else {
      members.append(.init("type", .string("string")))
      members.append(.init("pattern", .string(textPattern)))
    }
    let empty = RuleSchema.keyword(kind == .choices ? "maxItems" : "maxLength", .number("0"))
    if optional, !said.isEmpty {
      members.append(.init("anyOf", .array([empty, RuleSchema.all(said)])))
    } else if !said.isEmpty {
      members.append(.init("allOf", .array(said)))
    }
    return .object(members)
  }

  /// The rule `text`.
  private var textPattern: String {
    switch kind {
    case .boolean: trim ? #"^\s*(?:true|false)\s*$(?![\s\S])"# : #"^(?:true|false)$(?![\s\S])"#
    case .multiline: #"^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff]*$(?![\s\S])"#
    default:
      // A trimmed text may lose line breaks at its ends.
      trim
        ? #"^[^\u0000-\u0008\u000e-\u001f\ud800-\udfff]*$(?![\s\S])"#
        : #"^[^\u0000-\u0008\u000a-\u001f\ud800-\udfff]*$(?![\s\S])"#
    }
  }
}
