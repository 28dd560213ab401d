internal import Asks
internal import Foundation
internal import Prompts

/// Reads and checks what is to be asked: a body of `POST /asks`, or a question of this program.
struct AskReader: Sendable {
  /// Finds a standing prompt by its name, or says that there is none.
  let offered: @Sendable (String) throws(Problem) -> PublishedPrompt
  let predicates: Predicates
  /// The URLs to which callbacks may go.
  let allowedCallbacks: [CallbackPrefix]
  /// True if something says who visitors are.
  let knowsVisitors: Bool
  /// True if something says who belongs to which group.
  let knowsGroups: Bool
  /// The ways to tell people.
  let channels: [Channel]
  /// The language of definitions that name none.
  let language: Language
  /// See `Configuration.timeZone`.
  var timeZone: Field.TimeZone?

  private static let metadataLimit = 4096

  /// The ask of a body.
  ///
  /// - Throws: `Problem` 400 with every fault of a definition, 404 for an unknown prompt.
  func draft(_ json: JSON) throws(Problem) -> Draft {
    for key in ["prompt", "definition", "schema"] {
      if let right = json[key].flatMap({ Self.kind(of: $0) }), right != key {
        switch right {
        case "prompt": throw Problem("wrong-type.prompt", ["key": key])
        case "schema": throw Problem("wrong-type.schema", ["key": key])
        // To a tool, `title` and `fields` are arguments of their own.
        default: throw Problem("wrong-type.definition", ["key": key])
        }
      }
    }
    let parts = try Self.parts(of: json)
    guard ["prompt", "definition", "schema"].count(where: { json[$0] != nil }) == 1 else {
      throw Problem("missing-key.question")
    }
    return try draft(parts, of: json)
  }

  /// The same of a question of this program.
  func draft(_ question: Question) throws(AskFault) -> Draft {
    var own: Prompt?, name: String?
    switch question.source {
    case .offered(let offered): name = offered
    case .prompt(let prompt):
      own = prompt
      own?.language = prompt.language ?? language
      try own?.check(nil, predicates)
    }
    let terms = try question.terms()
    do throws(Problem) {
      var parts = try Self.parts(of: terms)
      (parts.given, parts.prompt) = (own, name)
      return try draft(parts, of: terms)
    } catch {
      throw AskFault(error)
    }
  }

  private static func parts(of json: JSON) throws(Problem) -> AskParts {
    try Problem.reading { reading in
      let remedy = FaultRow("write-prompts-body")
      guard let body = reading.body(json, keys: AskKey.names, remedy: remedy) else { return nil }
      return AskKey.all.reduce(into: AskParts()) { parts, key in
        if let node = body[key.name] { key.read(json[key.name] ?? .null, node, &reading, &parts) }
      }
    }
  }

  private func draft(_ parts: AskParts, of json: JSON) throws(Problem) -> Draft {
    var warnings: [Fault] = []
    // Looked up once: a reload may put another prompt under the name.
    let offered = try parts.prompt.map { (name) throws(Problem) in try self.offered(name) }
    let known = parts.given ?? offered?.edition.authored
    var prompt = if let known { known } else { try own(parts, &warnings) }
    if parts.schema == nil, let key = parts.title.map({ _ in "title" }) ?? parts.message.map({ _ in "message" }) {
      throw Problem("unknown-key.schema", ["key": key])
    }
    if let context = parts.context {
      prompt.context += try part("context", &warnings) { Prompt.Context.read(context, &$0) }
    }
    if parts.prompt == nil {
      let ownLanguage = prompt.language ?? self.language
      if prompt.translations.contains(where: { $0.language == ownLanguage }) {
        throw Problem("wrong-value.own-language", ["language": ownLanguage])
      }
      prompt.language = ownLanguage
    }
    prompt.requestedLanguage = parts.language?.lookup(in: prompt.languages)
    // Most asks put a standing prompt as it is.
    let isUnchanged = parts.context == nil && prompt.requestedLanguage == nil
    var draft = (isUnchanged ? offered?.draft : nil) ?? AskDraft(prompt, named: parts.prompt)
    if let expiresIn = parts.expiresIn { draft.expiresIn = expiresIn }
    if let text = parts.callback { draft.terms.callback = try callback(text) }
    if let json = parts.metadata { draft.terms.metadata = try Self.metadata(json) }
    if let key = ["for", "notBy"].first(where: { json[$0] != nil }) ?? (prompt.answerers.isEmpty ? nil : "for"),
      !knowsVisitors, parts.person == nil
    {
      throw Problem("identity-unknown", ["key": key])
    }
    try Self.checkPeople(json)
    draft.terms.answerers = try Problem.reading { Answerers(only: parts.only, never: parts.never, &$0) }
    draft.terms.requestedBy = parts.requestedBy
    draft.terms.person = parts.person
    draft.terms.resultWithin = parts.resultWithin ?? prompt.resultWithin
    try check(draft.terms, of: prompt)
    draft.terms.notices = try notices(parts, of: prompt)
    if let values = parts.values {
      _ = try Problem.reading { Inputs(initial: values.node, of: prompt.fields, &$0) }
      draft.values = values.json.bytes
    }
    return Draft(ask: draft, prompt: prompt, isOwn: parts.given != nil, warnings: warnings)
  }

  /// Checks that lists of people in a body name somebody.
  ///
  /// - Throws: `Problem` 422.
  static func checkPeople(_ json: JSON) throws(Problem) {
    for key in Answerers.keys {
      if case .array(let entries)? = json[key], entries.isEmpty { throw Problem("wrong-value.nobody", ["key": key]) }
    }
  }

  /// Checks that somebody may answer a prompt on these terms, as far as ids tell.
  ///
  /// - Throws: `Problem` 422.
  func check(_ terms: AskTerms, of prompt: Prompt) throws(Problem) {
    if !knowsGroups, let key = terms.answerers.keyOfGroup ?? prompt.answerers.keyOfGroup {
      throw Problem("identity-unknown.groups", ["key": key])
    }
    if let nobody = Answerers.nobody(of: [prompt.answerers, terms.answerers], besides: terms.requestedBy) {
      throw Problem(nobody)
    }
    if let person = terms.person, !prompt.answerers.admit(person) || !terms.admit(person) {
      throw Problem("wrong-value.person")
    }
  }

  /// The key that asks this, if it is clear: a prompt by its name, a definition or a schema.
  private static func kind(of json: JSON) -> String? {
    if case .string(let text) = json { return NamedPrompt.isName(text) ? "prompt" : nil }
    return json["properties"] != nil ? "schema" : json["fields"] != nil || json["buttons"] != nil ? "definition" : nil
  }

  struct Draft: Sendable {
    var ask: AskDraft
    /// With all that the ask has of its own, and with the closures of its rules.
    let prompt: Prompt
    /// True if the prompt is one of this program, so that only the ask leads to its closures.
    let isOwn: Bool
    let warnings: [Fault]
  }

  /// The prompt that came with the request.
  private func own(_ parts: AskParts, _ warnings: inout [Fault]) throws(Problem) -> Prompt {
    if let schema = parts.schema {
      return try part("schema", &warnings) { Prompt(schema: schema, title: parts.title, message: parts.message, &$0) }
    }
    guard let definition = parts.definition else { throw Problem("missing-key.question") }
    return try part("definition", &warnings) { Prompt(definition, &$0) }
  }

  /// - Parameter key: where it stands in the body.
  private func part<Part>(
    _ key: String, _ warnings: inout [Fault], _ read: (inout Reading) -> Part?
  ) throws(Problem) -> Part {
    var reading = Reading(budget: .form, predicates: predicates.names, timeZone: timeZone)
    do throws(InlineFaults) {
      let part = try reading.whole(read)
      warnings += reading.warnings
      return part
    } catch {
      if error.isOverBudget {
        throw Problem("too-costly.part", ["part": key, "allowed": WorkBudget.form]).with(error)
      }
      switch key {
      case "schema": throw Problem("unusable-schema").with(error)
      case "context": throw Problem("unusable-context").with(error)
      default: throw Problem("unusable-definition").with(error)
      }
    }
  }

  /// Who is told of the ask, and when again: each as it says itself, else as its prompt does.
  private func notices(_ parts: AskParts, of prompt: Prompt) throws(Problem) -> Notices? {
    let own = try Problem.reading {
      NoticePlan(notify: parts.notify, remindBefore: parts.remindBefore, &$0)
    }
    var notices = Notices()
    notices.noticePlan = prompt.noticePlan
    if parts.notify != nil { notices.noticePlan.channels = own.channels }
    if parts.remindBefore != nil { notices.noticePlan.remindBefore = own.remindBefore }
    if notices.noticePlan.channels.isEmpty {
      if parts.remindBefore != nil {
        throw Problem("wrong-value", ["name": "remindBefore", "rule": "given with `notify`"])
      }
      return nil
    }
    if let name = channels.unknown(in: notices.noticePlan) {
      if channels.names.isEmpty { throw Problem("unknown-channel.none", ["name": name]) }
      throw Problem("unknown-channel", ["name": name, "known": channels.names.joined(separator: ", ")])
    }
    if parts.person != nil { throw Problem("wrong-value.told") }
    notices.ofDefinition = prompt.answerers
    return notices
  }

  private func callback(_ text: String) throws(Problem) -> String {
    let url: CallbackURL
    do throws(PlainError) { url = try CallbackURL(text) } catch {
      throw Problem("wrong-value.callback", ["why": "\(error)"])
    }
    guard allowedCallbacks.contains(where: { $0.allows(url) }) else {
      throw allowedCallbacks.isEmpty ? Problem("callback-not-allowed.none") : Problem("callback-not-allowed")
    }
    return url.text
  }

  private static func metadata(_ json: JSON) throws(Problem) -> [UInt8] {
    if let pointer = json.pointerToIllFormedString {
      let message = "This text has half a surrogate pair, which UTF-8 cannot encode; send both halves or leave it out."
      var problem = Problem("wrong-value.metadata")
      problem.errors = [Problem.Detail(message: message, pointer: "#/metadata" + pointer)]
      throw problem
    }
    let bytes = json.bytes
    guard bytes.count <= metadataLimit else { throw Problem("wrong-value.metadata-limit", ["limit": metadataLimit]) }
    return bytes
  }
}

extension JSON {
  /// The place of the first string that cannot be written again, as a JSON pointer in a URI fragment (RFC 6901, section
  /// 6), or `nil` if there is none.
  var pointerToIllFormedString: String? {
    let parts: [(key: String, value: JSON)]
    switch self {
    case .illFormedString: return ""
    case .array(let elements): parts = elements.enumerated().map { ("\($0)", $1) }
    case .object(let members): parts = members.map { ($0.key, $0.value) }
    case .null, .bool, .number, .string: return nil
    }
    for (key, value) in parts {
      if let rest = value.pointerToIllFormedString { return JSONPointer.text([key]).inFragment + rest }
    }
    return nil
  }
}
