internal import Asks
internal import Definitions
internal import Foundation
internal import Prompts
internal import StrictJSON

/// The body of `POST /asks`, read and checked.
struct AskRequest {
  /// The prompt's name, or `nil` if the ask has a definition of its own.
  let name: String?
  /// With the ask's own context, if it has some.
  let prompt: Prompt
  /// The prompt's definition, or `nil` if this ask has one of its own.
  private let definition: [UInt8]?
  private let values: JSON
  private let metadata: JSON
  private let expiresIn: Duration
  private let callback: String?

  private static let keys = [
    "prompt", "definition", "schema", "title", "message", "context", "values", "expiresIn", "callback", "metadata",
    "language",
  ]
  private static let metadataLimit = 4096

  /// - Parameters:
  ///   - allowed: where its callback may go.
  ///   - language: that of a definition that names none.
  /// - Throws: `Problem` 400 with every fault of a definition, 404 for an unknown prompt.
  init(
    _ json: JSON, registry: PromptRegistry, predicates: Predicates, allowedCallbacks allowed: [CallbackPrefix],
    language: Language
  ) throws(Problem) {
    guard case .object(let members) = json else {
      throw Problem(.noObject("The body", json, remedy: #"send {"prompt": "name"} or {"definition": {...}}."#))
    }
    for member in members where !Self.keys.contains(member.key) {
      throw Problem(.unknownKey(member.key, remedy: Nearest.remedy(for: member.key, among: Self.keys)))
    }
    var prompt: Prompt
    var published: PublishedPrompt?
    switch (json["prompt"], json["definition"], json["schema"]) {
    case (.string(let name)?, nil, nil):
      self.name = name
      let offered = try registry.prompt(name)
      (prompt, published) = (offered.judged.authored, offered)
    case (nil, let definition?, nil):
      name = nil
      prompt = try Self.prompt("definition", predicates) { limits throws(InlineFaults) in
        try Definition.prompt(from: definition, limits: limits)
      }
    case (nil, nil, let schema?):
      name = nil
      let (title, message) = (try Self.text(json, "title"), try Self.text(json, "message"))
      prompt = try Self.prompt("schema", predicates) { limits throws(InlineFaults) in
        try Definition.prompt(fromSchema: schema, title: title, message: message, limits: limits)
      }
    default:
      throw Problem(.noQuestion)
    }
    if json["schema"] == nil, let key = ["title", "message"].first(where: { json[$0] != nil }) {
      throw Problem(.onlyWithSchema(key: key))
    }
    prompt.context += try Self.context(json["context"])
    if name == nil {
      prompt.language = prompt.language ?? language
      if let own = prompt.language, prompt.translations.contains(where: { $0.language == own }) {
        throw Problem(.translatedIntoItself(own))
      }
    }
    prompt.askedIn = try Self.language(json["language"])?.lookup(in: prompt.languages)
    self.prompt = prompt
    definition = json["context"] == nil && prompt.askedIn == nil ? published?.keptDefinition : nil
    expiresIn = try Self.expiry(json["expiresIn"])
    metadata = try Self.metadata(json["metadata"])
    callback = try Self.callback(json["callback"], allowed)
    values = json["values"] ?? .object([])
    _ = try Inputs(values, of: prompt, at: "/values")
  }

  var draft: AskDraft {
    var draft =
      definition.map { AskDraft(definition: $0, holdsPasswords: prompt.hasPasswordField) }
      ?? AskDraft(prompt)
    (draft.prompt, draft.expiresIn) = (name, expiresIn)
    draft.values = Self.bytes(values)
    draft.metadata = Self.bytes(metadata)
    draft.callback = callback
    return draft
  }

  /// The text of a member, or `nil` if there is none.
  private static func text(_ json: JSON, _ key: String) throws(Problem) -> String? {
    switch json[key] {
    case nil, .null?: return nil
    case .string(let text)?: return text
    case let other?: throw Problem(.wrongValue(key, mustBe: "a string", not: other.kindInWords))
    }
  }

  /// - Parameter key: where it stands in the body: `definition` or `schema`.
  private static func prompt(
    _ key: String, _ predicates: Predicates, _ read: (Reading.Limits) throws(InlineFaults) -> Prompt
  ) throws(Problem) -> Prompt {
    let prompt: Prompt
    do throws(InlineFaults) {
      prompt = try read(.request(.form))
    } catch {
      let why = "; use fewer or simpler patterns."
      throw Problem(
        error.isOverBudget
          ? .readingTooCostly(what: "This \(key) takes", .form, why: why) : .unusableParts(key, "cannot be used"),
        error, at: "#/\(key)")
    }
    if let fault = prompt.faults(knowing: predicates).first {
      throw Problem(.unusable(.ofPart(key), what: "This \(key) cannot be used", why: fault))
    }
    return prompt
  }

  private static func context(_ json: JSON?) throws(Problem) -> [Prompt.Context] {
    guard let json, !json.isNull else { return [] }
    do throws(InlineFaults) { return try Definition.context(from: json, limits: .request(.form)) } catch {
      throw Problem(.unusableParts("context", "cannot be shown"), error, at: "#/context")
    }
  }

  private static func language(_ json: JSON?) throws(Problem) -> Language? {
    guard let json, !json.isNull else { return nil }
    guard case .string(let tag) = json, let language = Language(tag) else {
      throw Problem(.wrongValue("language", mustBe: #"a language tag, like "de" or "pt-BR""#))
    }
    return language
  }

  private static func expiry(_ json: JSON?) throws(Problem) -> Duration {
    switch json {
    case nil, .null?: return AskDraft.defaultExpiry
    case .number(let literal)?:
      if let seconds = ExactNumber(literal)?.integer, (1...2_592_000).contains(seconds) { return .seconds(seconds) }
    default: break
    }
    throw Problem(.wrongValue("expiresIn", mustBe: "a whole number of seconds from 1 to 2592000"))
  }

  private static func callback(_ json: JSON?, _ allowed: [CallbackPrefix]) throws(Problem) -> String? {
    guard let json, !json.isNull else { return nil }
    guard case .string(let text) = json else {
      throw Problem(.wrongValue("callback", mustBe: "a URL", not: json.kindInWords))
    }
    let url: CallbackURL
    do throws(CallbackURLFault) { url = try CallbackURL(text) } catch {
      throw Problem(.wrongCallback(error))
    }
    guard allowed.contains(where: { $0.allows(url) }) else {
      throw Problem(allowed.isEmpty ? .noCallbacks : .callbackNotAllowed)
    }
    return url.text
  }

  private static func metadata(_ json: JSON?) throws(Problem) -> JSON {
    guard let json, !json.isNull else { return .object([]) }
    guard case .object = json else {
      throw Problem(.wrongValue("metadata", mustBe: "an object", not: json.kindInWords))
    }
    if let pointer = json.pointerToIllFormedString {
      let message = "This text has half a surrogate pair, which UTF-8 cannot encode; send both halves or leave it out."
      throw Problem(
        .metadataWouldChange, errors: [Problem.Detail(message: message, pointer: "#/metadata" + pointer)])
    }
    guard bytes(json).count <= metadataLimit else {
      throw Problem(.metadataTooLong(limit: metadataLimit))
    }
    return json
  }

  private static func bytes(_ json: JSON) -> [UInt8] {
    var writer = JSONWriter()
    writer.value(json)
    return writer.bytes
  }
}

extension JSON {
  fileprivate var isNull: Bool { if case .null = self { true } else { false } }

  /// Where the first string is that cannot be written again, as a JSON pointer in a URI fragment (RFC 6901, section 6),
  /// or `nil` if there is none.
  fileprivate var pointerToIllFormedString: String? {
    switch self {
    case .illFormedString: return ""
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        if let rest = element.pointerToIllFormedString { return "/\(index)" + rest }
      }
    case .object(let members):
      for member in members {
        guard let rest = member.value.pointerToIllFormedString else { continue }
        let token = member.key.replacing("~", with: "~0").replacing("/", with: "~1")
        return "/" + (token.addingPercentEncoding(withAllowedCharacters: .urlFragmentAllowed) ?? token) + rest
      }
    case .null, .bool, .number, .string: break
    }
    return nil
  }
}

extension Problem {
  /// - Parameter pointer: where what has these faults is in the body.
  fileprivate init(_ reason: Reason, _ faults: InlineFaults, at pointer: String) {
    let errors = faults.entries.map { Detail(message: $0.sentence, pointer: pointer + $0.pointer) }
    self.init(reason, errors: errors, omitted: faults.untold)
  }
}
