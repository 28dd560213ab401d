/// A condition on what a person enters, and what to say when it is not met.
///
/// ```swift
/// let rules = [Rule.nonEmpty.saying("Enter your email address"), try .pattern(#".+@.+\..+"#)]
/// rules[1].isValid("bob@gmail")  // false
/// ```
///
/// It never changes. As a class, it is passed on as one reference, however much the condition holds.
public final class Rule: Sendable {
  let condition: any Condition
  /// The condition itself, if it is one on the results of other rules.
  private let list: (any Combinator)?
  /// The rule's name, as in `nonEmpty`.
  public let name: String
  /// The message for a failure, or `nil` to use the built-in message.
  public let message: String?

  init(_ condition: any Condition, message: String? = nil) {
    var list = condition as? any Combinator
    if let message, let all = list, type(of: all).saysInnerMessages {
      // Rules without a message of their own say the list's.
      list = all.mapInner { $0.message == nil ? $0.saying(message) : $0 }
    }
    self.list = list
    self.condition = list ?? condition
    name = type(of: condition).name
    self.message = message
  }

  /// The same rule with a message of your own, which should say what to do.
  public func saying(_ message: String) -> Rule { Rule(condition, message: message) }

  /// True if a text meets this rule.
  ///
  /// A rule that looks at another field is not met. Nor is a predicate whose closure is asynchronous, reads other fields
  /// or is known to a server only.
  public func isValid(_ text: String) -> Bool { verdict(on: text).isValid }

  /// The verdict of this rule by itself, in a language (BCP 47) or English: see `isValid`.
  public func verdict(on value: any ValueConvertible, language: String? = nil) -> Verdict {
    [self].verdict(on: value, language: language)
  }

  func message(for reader: Audience) -> String {
    // Of rules that are meant together, the last says most.
    if saysInnerMessages, let last = inner.last { return last.message(for: reader) }
    return message?.revealed ?? reader.sentences(condition.sentence(for: reader))
  }

  /// The rules inside this one.
  var inner: [Rule] { list?.rules ?? [] }

  /// True if the message for a failure is always that of a rule inside this one.
  var saysInnerMessages: Bool { list.map { type(of: $0).saysInnerMessages } ?? false }

  /// The same rule with other rules inside it.
  ///
  /// - Parameter message: another message, or `nil` for its own.
  func mapInner(saying message: String? = nil, _ change: (Rule) -> Rule) -> Rule {
    list.map { Rule($0.mapInner(change), message: message ?? self.message) } ?? self
  }

  /// Every rule in this one, itself first.
  var flattened: [Rule] { [self] + inner.flatMap(\.flattened) }

  /// Names of the predicates that this rule asks and that a server has to know.
  var predicates: [String] {
    flattened.compactMap {
      if case .predicate(let name, _, isOwn: false)? = $0.condition.dependency { name } else { nil }
    }
  }

  /// True if it, or a rule inside it, brings its own closure.
  var hasOwnPredicates: Bool {
    flattened.contains { if case .predicate(_, _, isOwn: true)? = $0.condition.dependency { true } else { false } }
  }
}

// MARK: Who decides

extension Rule {
  /// True if browsers decide it too, given that no text is longer than this many code points.
  func isDecidedByBrowsers(upTo longestText: Int) -> Bool {
    var premise = Premise()
    premise.limit(to: longestText)
    return condition.decidedBy(on: premise) == .everywhere
  }

  /// The judge of each of these rules, which judge in this order, each only if those before it are met.
  static func decidedBy(_ rules: [Rule], on premise: Premise = Premise()) -> [DecidedBy] {
    var premise = premise
    return rules.map { rule in
      defer { premise.narrow(to: rule) }
      return rule.condition.decidedBy(on: premise)
    }
  }
}

// MARK: Faults

extension Rule {
  /// The faults of this rule in this place of a definition.
  ///
  /// - Parameter isKindKnown: false if the field's kind could not be read, so that nothing is said of it.
  func faults(in field: Field, of fields: [Field], isKindKnown: Bool = true) -> [FaultRow] {
    if name == ItemsRule.name, isKindKnown {
      guard field.kind == .list else { return [FaultRow("items-of-texts", ["kind": field.kind.withArticle])] }
      let item = field.item
      return inner.flatMap { $0.faults(ofItem: item) }
    }
    return [fault(in: field, of: fields, isKindKnown: isKindKnown)].compactMap(\.self)
      + inner.flatMap { $0.faults(in: field, of: fields, isKindKnown: isKindKnown) }
  }

  private func fault(in field: Field, of fields: [Field], isKindKnown: Bool) -> FaultRow? {
    for other in condition.dependency?.fields ?? [] {
      if isSame(other, field.name) { return FaultRow("rule-on-own-field", ["rule": name, "field": other]) }
      if fields.named(other) == nil {
        let others = fields.map(\.name).filter { !isSame($0, field.name) }
        if others.isEmpty { return FaultRow("rule-on-no-field.alone", ["rule": name, "field": other]) }
        let nearest = Nearest(to: other, among: others)
        return FaultRow("rule-on-no-field", ["rule": name, "field": other, "nearest": nearest])
      }
    }
    if !isKindKnown { return nil }
    if field.kind.isList, !Self.namesForLists.contains(name) {
      return field.kind == .list
        ? FaultRow("text-rule-of-choices.list", ["rule": name, "kind": field.kind.withArticle])
        : FaultRow("text-rule-of-choices", ["rule": name, "kind": field.kind.withArticle])
    }
    return condition.fault(in: field, of: fields)
  }

  /// The reasons for which this rule cannot judge a text by itself: it looks at another field, needs its field's time
  /// zone, or asks a predicate that only a server with that prompt knows.
  package var standaloneFaults: [String] {
    flattened.compactMap { rule in
      switch rule.condition.dependency {
      case let dependency? where !dependency.fields.isEmpty:
        "The rule `\(rule.name)` looks at another field; send {\"prompt\": ..., \"values\": {...}} instead."
      case .time(_, lacksZone: true)?:
        "`now`, `today` and offsets need a time zone; add one to the rule, like \"timeZone\": \"Europe/Berlin\"."
      case .predicate(let name, _, _)? where Predicates.builtInOnly[name] == nil:
        "No predicate `\(name)` is built in; only prompts of this server can ask its own."
      default: nil
      }
    }
  }
}

// MARK: JSON

extension Rule {
  /// Writes the rule as served: flat, with `rule` as its name and its message resolved.
  func write(to json: inout JSONWriter, for reader: Audience) {
    json.object { json in
      json.member("rule", name)
      condition.write(to: &json, for: reader)
      if reader.includesMessages {
        let isOwn = reader.isAuthor || saysInnerMessages
        json.member("message", ifPresent: isOwn ? message : message(for: reader))
      }
      if inner.isEmpty, condition.decidedBy(on: reader.premise) == .server {
        json.member("decidedBy", DecidedBy.server.rawValue)
      }
    }
  }
}

extension JSONWriter {
  /// Rules that judge in this order, each only if those before it are met.
  mutating func rules(_ rules: [Rule], for reader: Audience) {
    var reader = reader
    array(rules) { json, rule in
      rule.write(to: &json, for: reader)
      reader.premise.narrow(to: rule)
    }
  }
}

extension Prompt {
  /// The input that the field at this index accepts, in the server's words for the last rule that has a form or bounds
  /// to tell; or `nil`.
  package func accepted(by index: Int, in sentences: Sentences) -> String? {
    let told = [
      "email", "url", "format", "integer", "number", "date", "time", "dateTime", "range", "step", "length", "count",
    ]
    let field = fields[index]
    // How many lines a list can have at most is no news, and a bound like `now` moves on.
    let rule =
      field.items.last { told.contains($0.name) }
      ?? field.rules.last { rule in
        if case .time(isRelative: true, _)? = rule.condition.dependency { return false }
        return told.contains(rule.name) && rule.condition.limits.counts.max != Field.itemLimit
      }
    let reader = Audience(
      sentences: sentences, kind: field.items.isEmpty ? field.kind : field.item.kind, fields: fields)
    return rule.map { sentences($0.condition.sentence(for: reader)) }
  }
}

/// The field, the time or the predicate that a condition depends on besides the text.
enum Dependency {
  /// Another field, of this name.
  case field(String)
  /// The time of the verdict, or a time zone.
  case time(isRelative: Bool, lacksZone: Bool)
  /// The predicate of this name; `isOwn` if the rule brings its closure.
  case predicate(String, reading: [String], isOwn: Bool)

  /// The names of the fields that it looks at.
  var fields: [String] {
    switch self {
    case .field(let name): [name]
    case .predicate(_, let names, _): names
    case .time: []
    }
  }
}

/// Whom a rule is written for: in which language, for which field, after which other rules.
struct Audience: Sendable {
  let sentences: Sentences
  /// The field's kind, or `nil` if the rule is written for no field.
  var kind: Field.Kind?
  var fields: [Field] = []
  var premise = Premise()
  /// True if rules are written with their messages.
  var includesMessages = true
  /// True if it is written for its author, who only gets the author's own messages back.
  var isAuthor = false

  /// The same for a field.
  func about(_ field: Field) -> Audience {
    var reader = self
    reader.kind = field.kind
    return reader
  }

  /// The label of the field of that name.
  func label(of name: String) -> String { fields.named(name)?.label ?? name }
}
