internal import Asks
internal import Foundation
internal import Prompts
internal import StrictJSON

/// The body of `POST /asks`, read and checked.
struct AskRequest {
  /// The prompt's name, or `nil` if the ask has a definition of its own.
  let name: String?
  /// With the ask's own context, if it has some.
  let prompt: Prompt
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
  ///   - ownLanguage: that of a definition that names none.
  /// - Throws: `Problem` 400 with every fault of a definition, 404 for an unknown prompt.
  init(
    _ json: JSON, registry: PromptRegistry, predicates: Predicates, allowedCallbacks allowed: [CallbackPrefix],
    language ownLanguage: Language
  ) throws(Problem) {
    let body = try Problem.reading { reading in
      reading.mapping(
        Node(json), as: "the body", keys: Self.keys, remedy: #"send {"prompt": "name"} or {"definition": {...}}"#)?
        .given
    }
    let (title, message, language) = try Problem.reading { reading in
      (
        reading.string(body["title"], "title"), reading.string(body["message"], "message"),
        reading.language(body["language"], "language")
      )
    }
    let (named, seconds, callback) = try Problem.reading { reading in
      (
        reading.string(body["prompt"], "prompt"), reading.count(body["expiresIn"], "expiresIn", in: 1...31_622_400),
        reading.string(body["callback"], "callback")
      )
    }
    guard ["prompt", "definition", "schema"].count(where: { json[$0] != nil }) == 1 else { throw Problem(.noQuestion) }
    var prompt: Prompt
    switch (named, body["definition"], body["schema"]) {
    case (let name?, nil, nil):
      prompt = try registry.prompt(name).judged.authored
    case (nil, let definition?, nil):
      prompt = try Self.prompt("definition", predicates) { Prompt(definition, &$0) }
    case (nil, nil, let schema?):
      prompt = try Self.prompt("schema", predicates) { Prompt(schema: schema, title: title, message: message, &$0) }
    default:
      throw Problem(.noQuestion)
    }
    if body["schema"] == nil, let key = ["title", "message"].first(where: { body[$0] != nil }) {
      throw Problem(.onlyWithSchema(key: key))
    }
    if let context = body["context"] {
      prompt.context += try Self.part("context", "cannot be shown") { Prompt.Context.read(context, &$0) }
    }
    if named == nil {
      prompt.language = prompt.language ?? ownLanguage
      if let own = prompt.language, prompt.translations.contains(where: { $0.language == own }) {
        throw Problem(.translatedIntoItself(own))
      }
    }
    prompt.askedIn = language?.lookup(in: prompt.languages)
    (name, self.prompt) = (named, prompt)
    expiresIn = seconds.map { .seconds($0) } ?? AskDraft.defaultExpiry
    metadata = try Self.metadata(json["metadata"])
    self.callback = try callback.map { text throws(Problem) in try Self.callback(text, allowed) }
    values = body["values"] == nil ? .object([]) : json["values"] ?? .object([])
    if let values = body["values"] { _ = try Inputs(values, of: prompt) }
  }

  var draft: AskDraft {
    var draft = AskDraft(prompt)
    (draft.prompt, draft.expiresIn) = (name, expiresIn)
    draft.values = Self.bytes(values)
    draft.metadata = Self.bytes(metadata)
    draft.callback = callback
    return draft
  }

  /// - Parameters:
  ///   - key: where it stands in the body: `definition` or `schema`.
  private static func prompt(
    _ key: String, _ predicates: Predicates, _ read: (inout Reading) -> Prompt?
  ) throws(Problem) -> Prompt {
    let prompt = try part(key, "cannot be used", read)
    if let fault = prompt.faults(knowing: predicates).first {
      throw Problem(.unusable(.ofPart(key), what: "This \(key) cannot be used", why: fault))
    }
    return prompt
  }

  private static func part<Part>(
    _ key: String, _ what: String, _ read: (inout Reading) -> Part?
  ) throws(Problem) -> Part {
    var reading = Reading(limits: .request(.form))
    do throws(InlineFaults) { return try reading.whole(read) } catch {
      let why = "; use fewer or simpler patterns."
      throw Problem(
        error.isOverBudget
          ? .readingTooCostly(what: "This \(key) takes", .form, why: why) : .unusableParts(key, what), error)
    }
  }

  private static func callback(_ text: String, _ allowed: [CallbackPrefix]) throws(Problem) -> String {
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
