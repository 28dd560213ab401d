extension Prompt {
  /// The values that this prompt takes and returns, as JSON Schema, draft 2020-12.
  ///
  /// A field takes its text, and what a value has in its place: a number, true or false, null. What the schema cannot say
  /// of a field (other fields, predicates, exact arithmetic, patterns that only the server decides) is listed under
  /// `x-okcancel` as rules; so are the rules of texts that are numbers, which people write in many ways.
  ///
  /// A field whose condition is not met must be left out, if the schema can say the condition; the server drops it.
  ///
  /// - Parameter id: the schema's own URI.
  package func writeSchema(to json: inout JSONWriter, id: String, sentences: Sentences = .english) {
    let parts = fields.map { ($0, $0.schemaParts) }
    // A condition inside an object says nothing of what stands outside.
    let conditions = fields.allSatisfy { $0.path.count == 1 } ? fields.conditionSchemas : [:]
    let shared = fields.sharePlaces ? fields.filter { one in fields.count { $0.at == one.at } > 1 }.map(\.name) : []
    let conditional = fields.filter { conditions[$0.name] != nil }
    json.object { json in
      json.member("$schema", "https://json-schema.org/draft/2020-12/schema")
      json.member("$id", id)
      json.member("title", title)
      json.member("description", ifPresent: message)
      writeObject(at: [], parts.map { ($0.0, $0.0.schema(saying: $0.1.expressed)) }, to: &json)
      if !conditional.isEmpty {
        json.member("$defs", .object(conditional.map { .init($0.applies, conditions[$0.name] ?? .null) }))
        json.array("allOf", conditional) { json, field in
          let own = parts.first { $0.0.name == field.name && shared.contains(field.name) }
          json.value(field.consequence(sharing: own.map { $0.0.schema(saying: $0.1.expressed) }))
        }
      }
      let leftOut = fields.filter { !$0.when.isEmpty && conditions[$0.name] == nil }.map(\.name)
      let unexpressed = parts.filter { !$0.1.unexpressed.isEmpty || $0.0.texts.trim || leftOut.contains($0.0.name) }
      if !unexpressed.isEmpty {
        json.object("x-okcancel") { json in
          for (field, parts) in unexpressed {
            let reader = Audience(sentences: sentences, kind: field.kind, fields: fields)
            json.object(field.name) { json in
              if field.texts.trim { json.member("trim", true) }
              if leftOut.contains(field.name) { field.when.write(to: &json, for: reader) }
              json.array("rules", parts.unexpressed) { $1.write(to: &$0, for: reader) }
            }
          }
        }
      }
      writeOwnDefinition(to: &json)
    }
  }

  /// The key of the definition in a schema.
  static let definitionKey = "x-okcancel-definition"

  /// Writes the definition, from which the schema is read back; but not who may answer or is told.
  private func writeOwnDefinition(to json: inout JSONWriter) {
    var prompt = self
    (prompt.answerers, prompt.noticePlan, prompt.resultWithin) = (Answerers(), NoticePlan(), nil)
    json.member(Self.definitionKey) { prompt.writeDefinition(to: &$0) }
  }

  /// Writes the members of the schema of an object of an answer.
  private func writeObject(at path: [String], _ schemas: [(field: Field, schema: JSON)], to json: inout JSONWriter) {
    let inside = schemas.filter { $0.field.path.count > path.count && ValuePath.isIn($0.field.path, path) }
    var names: [String] = []
    for (field, _) in inside where !names.contains(where: { isSame($0, field.path[path.count]) }) {
      names.append(field.path[path.count])
    }
    json.member("type", "object")
    json.object("properties") { json in
      for name in names {
        let path = path + [name], own = inside.first { ValuePath.isIn(path, $0.field.path) }
        if let own, own.field.answer.type != .object {
          let all = inside.filter { $0.field.path.count == path.count && ValuePath.isIn($0.field.path, path) }
          json.member(name, all.count == 1 ? own.schema : ["anyOf": .array(all.map(\.schema))])
          continue
        }
        json.object(name) { json in
          let first = fields.first { $0.path.count > path.count && ValuePath.isIn($0.path, path) }
          json.member("title", ifPresent: own?.field.label ?? first?.section)
          json.member("description", ifPresent: own.map(\.field.help) ?? first?.sectionHelp)
          guard let box = own?.field, box.optional, !box.answer.omitsEmpty else {
            return writeObject(at: path, schemas, to: &json)
          }
          json.array("anyOf", [true, false]) { json, isObject in
            json.object { json in
              if isObject { writeObject(at: path, schemas, to: &json) } else { json.member("type", "null") }
            }
          }
        }
      }
    }
    json.member("required") { $0.array(names.filter { mustBeThere(at: path + [$0]) }) }
    json.member("additionalProperties", false)
  }

  /// True if leaving out the value or object at a path is invalid wherever the object around it is there.
  private func mustBeThere(at path: [String]) -> Bool {
    let around = path.dropLast()
    return objects.contains { isSame(JSONPointer.text($0), JSONPointer.text(path)) }
      || fields.contains { field in
        let isBox = field.answer.type == .object
        return ValuePath.isIn(field.path, path)
          && (isBox ? field.optional && !field.answer.omitsEmpty : field.mustBeSent)
          && field.when.allSatisfy { when in
            fields.named(when.field).map { $0.answer.type == .object && ValuePath.isIn(around, $0.path) } ?? false
          }
      }
  }
}

extension Field {
  /// Rules a schema of this field says, and those it cannot say.
  fileprivate var schemaParts: (expressed: [JSON], unexpressed: [Rule]) {
    let all = rules + allowAsRules
    let (said, unexpressed) = Rule.schemas(of: all.filter { !(kind == .list && $0.name == ItemsRule.name) }, texts)
    if kind == .list {
      let isSaid = items.isEmpty || item.schemaParts.unexpressed.isEmpty
      return (said.map(\.schema), unexpressed + (isSaid ? [] : all.filter { $0.name == ItemsRule.name }))
    }
    if kind.quantity != .number { return (said.map(\.schema), unexpressed) }
    return (said.map(\.schema), all.filter { !isSaid(ofNumbers: $0) && !(isTyped && $0.isBoundOrStep) })
  }

  /// True if its value has one type of JSON, so that a text does not stand for it.
  private var isTyped: Bool { !answer.types.isEmpty }

  /// True if the schema says a rule of numbers as well as of texts, if it allows texts.
  private func isSaid(ofNumbers rule: Rule) -> Bool {
    ([NoneRule.name, NonEmpty.name] + (isTyped ? [IntegerRule.name, NumberRule.name] : [])).contains(rule.name)
  }

  /// `allow` judges any text but the empty one.
  private var allowAsRules: [Rule] { allow.map { Rule.any([.oneOf([""]), $0]) } }

  /// True if leaving this field out is invalid: its value is then the empty text, `false` or no choice.
  var mustBeSent: Bool {
    if isTyped { return !answer.omitsEmpty }
    if readsNumbers { return !optional }
    return !optional && !saidRules.verdict(on: kind.emptyInput).isValid
  }

  /// The rules that the schema says; others must not make it stricter than the verdict.
  private var saidRules: [Rule] { Rule.schemas(of: rules, texts).expressed.map(\.rule) }

  fileprivate var texts: RawTextContext {
    RawTextContext(
      kind: kind, trim: trim && !isTyped, readsNumbers: readsNumbers && !isTyped, areAnswers: isTyped)
  }

  fileprivate func schema(saying said: [JSON]) -> JSON {
    var schema: JSON = ["title": .string(label), "description": help.map(JSON.string)]
    if let unit { schema = schema + ["x-okcancel": ["unit": .string(unit)]] }
    if isTyped {
      let value = typedSchema(saying: said)
      // `format` says that there is an offset, and not which.
      if let timeZone { schema = schema + ["x-okcancel": ["timeZone": .string(timeZone.word)]] }
      let takesNull = optional && (!answer.omitsEmpty || answer.isNullable)
      return schema + (takesNull ? ["anyOf": [value, ["type": "null"]]] : value)
    }
    let forms = forms(saying: said) + (mustBeSent ? [] : [["type": "null"]])
    return schema + (forms.count == 1 ? forms[0] : ["anyOf": .array(forms)])
  }

  /// The schemas of what it takes if its value has no one type: a text, and what stands for one.
  private func forms(saying said: [JSON]) -> [JSON] {
    // The text of a list has one item a line.
    let lines: JSON? = kind == .list ? ["type": "string"] : nil
    return [textSchema(saying: said), numberSchema, booleanSchema, lines].compactMap(\.self)
  }

  /// The schema of a field whose value has one type, for what it takes and for what it answers.
  private func typedSchema(saying said: [JSON]) -> JSON {
    unionSchema ?? numberSchema ?? booleanSchema ?? literals(options.map(\.value)).map { ["enum": .array($0)] }
      ?? textSchema(saying: said)
  }

  /// The schema of values of several types, or `nil` if they have one. Of numbers it says no more than that.
  private var unionSchema: JSON? {
    let alternatives = alternatives
    if alternatives.isEmpty || kind == .choice { return nil }
    let schemas = zip(alternatives, answer.types).map { rule, type -> JSON in
      guard type == .string else { return ["type": .string(type.rawValue)] }
      let said = Rule.schemas(of: [rule], texts).expressed.map(\.schema)
      return ["type": "string"] + texts.usable + (said.isEmpty ? [:] : ["allOf": .array(said)])
    }
    return ["anyOf": .array(schemas)]
  }

  /// Its values as JSON, or `nil` if they are texts.
  func literals(_ values: [String]) -> [JSON]? {
    if answer.types.isEmpty || answer.type == .string { return nil }
    return values.map { value in
      switch valueType(of: value) {
      case .number?: .number(value)
      case .boolean?: .bool(value == "true")
      case .string?, .object?, nil: .string(value)
      }
    }
  }

  /// The schema of a field's text, or of the texts of a field of choices.
  private func textSchema(saying said: [JSON]) -> JSON {
    var (schema, empty) = (["type": "string"] + texts.usable, texts.empty)
    // A number may have digits of any script, but nothing else of ASCII.
    if texts.readsNumbers { schema = schema + ["pattern": #"^[^\x21-\x2a\x2f\x3a-\x44\x46-\x64\x66-\x7f]*$"#] }
    if kind == .choices {
      (schema, empty) = (["type": "array", "items": schema, "maxItems": .integer(options.count)], ["maxItems": 0])
    }
    if kind == .list {
      let (item, parts) = (item, item.schemaParts)
      let forms = item.isTyped ? [item.typedSchema(saying: parts.expressed)] : item.forms(saying: parts.expressed)
      schema = ["type": "array", "items": forms.count == 1 ? forms[0] : ["anyOf": .array(forms)]]
      empty = ["maxItems": 0]
    }
    if said.isEmpty { return schema }
    return schema + (optional && !isTyped ? ["anyOf": [empty, .all(said)]] : ["allOf": .array(said)])
  }

  /// The schema for the field's number as JSON, or `nil` if the field holds no number.
  private var numberSchema: JSON? {
    guard kind.quantity == .number else { return nil }
    let type: JSON = ["type": kind == .integer ? "integer" : "number"]
    let bounds = rules.flatMap { rule -> [JSON.Member] in
      let limits = rule.condition.limits
      if let step = limits.step, isTyped, step.from == nil {
        return [.init("multipleOf", .number(step.of.exactLiteral))]
      }
      return [("minimum", limits.range?.min), ("maximum", limits.range?.max)].compactMap { name, bound in
        guard let number = bound.flatMap({ ExactNumber($0.text) }) else { return nil }
        // A bound that no double holds could be read as a stricter one.
        return (isTyped ? number.exactLiteral : number.jsonLiteral).map { .init(name, .number($0)) }
      }
    }
    if isTyped { return bounds.isEmpty ? type : type + ["allOf": .array(bounds.map { .object([$0]) })] }
    return type + .object(["minimum", "maximum"].compactMap { name in bounds.first { $0.key == name } })
  }

  /// The schema for the valid ones of true and false, or `nil` if there are none.
  private var booleanSchema: JSON? {
    guard kind == .boolean else { return nil }
    let said = saidRules
    let valid = [true, false].filter { said.verdict(on: $0).isValid }
    if valid.isEmpty { return nil }
    return valid.count == 1 ? ["const": .bool(valid[0])] : ["type": "boolean"]
  }
}

// MARK: Parts of a schema

/// Parts of JSON Schema, draft 2020-12.
///
/// Our schemas judge texts as they are sent, before line breaks are normalised and texts trimmed. A schema says a rule only
/// if its verdict is the same on every text.
extension JSON {
  /// A schema with one keyword.
  static func keyword(_ name: String, _ value: JSON) -> JSON { .object([.init(name, value)]) }

  /// Nothing in the text matches.
  static func not(matching pattern: String) -> JSON { ["not": ["pattern": .string(pattern)]] }

  static func all(_ schemas: [JSON]) -> JSON { schemas.count == 1 ? schemas[0] : ["allOf": .array(schemas)] }

  static func integer(_ number: Int) -> JSON { .number(String(number)) }
}

/// The texts of a field as they are sent, which a schema judges.
struct RawTextContext {
  let kind: Field.Kind
  let trim: Bool
  /// True if rules judge the plain form of numbers, so that a schema can only say that there is a text.
  var readsNumbers = false
  /// True if a schema says if other fields apply; see `Context.isCondition`.
  var isCondition = false
  /// True if they are judged as they are answered, with line breaks as LF.
  var areAnswers = false
  /// The facts about the texts that earlier schemas ensure.
  var premise = Premise()

  /// A schema for texts that match all of a portable pattern, after trimming if the field trims. `nil` matches no text.
  func matching(_ pattern: String?) -> JSON {
    guard let pattern else { return ["not": [:]] }
    let space = PatternPrinter.whiteSpace + "*"
    if trim { return ["pattern": .string("^\(space)(?:\(pattern))\(space)$")] }
    let schema: JSON = ["pattern": .string("^(?:\(pattern))$")]
    // Elsewhere the rule `text` refuses it.
    return kind.isMultiline && !areAnswers ? .all([schema, .not(matching: #"\x0a$"#)]) : schema
  }

  func notBeginning(with pattern: String) -> JSON {
    .not(matching: trim ? "^\(PatternPrinter.whiteSpace)*(?:\(pattern))" : "^(?:\(pattern))")
  }

  /// The rule `text` as a schema, except that the value is a string.
  var usable: JSON {
    switch (kind, trim) {
    case (.boolean, false): return ["enum": ["true", "false"]]
    case (.boolean, true): return matching("true|false")
    case (.multiline, false): return .not(matching: #"[\x00-\x08\x0b\x0c\x0e-\x1f]"#)
    case (_, false): return .not(matching: #"[\x00-\x08\x0a-\x1f]"#)
    case (_, true):
      let (space, other) = (PatternPrinter.whiteSpace, PatternPrinter.notWhiteSpace)
      let inside = kind.isMultiline ? #"[\x0b\x0c]"# : #"[\x0a-\x0d]"#
      // White space at the ends is dropped, whatever it is.
      return .not(
        matching: #"[\x00-\x08\x0e-\x1f]|^"# + "\(space)*\(other)\(PatternPrinter.anything)*\(inside)\(space)*\(other)"
      )
    }
  }

  /// The empty text.
  var empty: JSON { trim ? matching("") : ["maxLength": 0] }
}

extension Rule {
  fileprivate var isBoundOrStep: Bool {
    condition.limits.range != nil || condition.limits.step.map { $0.from == nil } ?? false
  }

  /// Those of these rules that a schema can say, and the others, in order.
  ///
  /// - Parameter isEachJudged: also if those before it are not met, as in `any`.
  static func schemas(
    of rules: [Rule], _ texts: RawTextContext, isEachJudged: Bool = false
  ) -> (expressed: [(rule: Rule, schema: JSON)], unexpressed: [Rule]) {
    var said: [(Rule, JSON)] = []
    var unexpressed: [Rule] = []
    var texts = texts
    for rule in rules {
      let isAboutForm = texts.readsNumbers && ![NoneRule.name, NonEmpty.name, NotBlank.name].contains(rule.name)
      guard !isAboutForm, let schema = rule.condition.schema(of: texts) else {
        unexpressed.append(rule)
        continue
      }
      said.append((rule, schema))
      if !isEachJudged { texts.premise.narrow(to: rule) }
    }
    return (said, unexpressed)
  }
}
