internal import Platform
internal import Prompts

/// The arguments of `ask_person`.
struct AskArguments {
  /// The arguments that make a definition. All others are keys of `POST /asks`, except for those of the call itself.
  static let ofDefinition = ["title", "message", "fields", "ok", "cancel", "buttons"]
  static let ofTheCall = ["wait", "key", "withdrawIfCancelled"]

  /// The body for `POST /asks`.
  let body: JSON
  /// The title that tells the person what it is about.
  let title: String
  /// The bytes of the question: the same question has the same ones.
  let fingerprint: [UInt8]

  init(_ arguments: ToolArguments) throws(PlainError) {
    let given = arguments.members
    let definition = given.filter { Self.ofDefinition.contains($0.key) }
    let besides = given.filter {
      !(Self.ofDefinition + Self.ofTheCall + ["schema", "prompt"]).contains($0.key)
    }
    let body: [JSON.Member]
    switch (arguments["prompt"], arguments["schema"]) {
    case (.some, .some): throw Self.askedTwice("prompt", "schema")
    case (let prompt?, nil):
      if let key = definition.first?.key {
        throw PlainError(
          "`prompt` names a whole prompt, with its own title and fields; leave `\(key)` out, or `prompt`.")
      }
      body = [.init("prompt", prompt)]
    case (nil, let schema?):
      guard case .object = schema else {
        throw PlainError(
          "`schema` is \(schema.kindInWords); send the JSON Schema itself, as an object and not as a string.")
      }
      if arguments["fields"] != nil { throw Self.askedTwice("schema", "fields") }
      if let key = definition.first(where: { !["title", "message"].contains($0.key) })?.key {
        throw PlainError("`\(key)` goes with `fields`; leave it out, or write `fields` instead of a `schema`.")
      }
      body = [.init("schema", schema)] + definition
    case (nil, nil):
      if arguments["title"] == nil {
        throw PlainError(
          "Say what to ask: a `title`, and `fields` or a `schema` if there is something to fill in; "
            + "or the name of a `prompt` that list_prompts returned.")
      }
      body = [.init("definition", .object(definition))]
    }
    let titles = [JSON.object(given).text("title"), arguments["schema"]?.text("title")]
    title = titles.compactMap(\.self).first { !$0.isEmpty } ?? "a question"
    self.body = try Self.limited(.object(body + besides))
    let asked = given.filter { !Self.ofTheCall.contains($0.key) }.sorted { $0.key < $1.key }
    fingerprint = JSON.object(asked).bytes
  }

  private static func askedTwice(_ one: String, _ other: String) -> PlainError {
    PlainError("`\(one)` and `\(other)` both say what to fill in; keep one of them.")
  }

  /// Bytes that a body of `POST /asks` may have.
  private static let limit = 64 * 1024

  private static func limited(_ body: JSON) throws(PlainError) -> JSON {
    let bytes = body.bytes
    guard bytes.count <= limit else {
      throw PlainError("These arguments have \(bytes.count) bytes; keep to \(limit), and link to the rest.")
    }
    do throws(JSONFault) { return try JSON(parsing: bytes) } catch {
      var fault = error
      // A call has these keys beside the others.
      if fault.pointer.hasPrefix("/definition/") { fault.pointer.removeFirst("/definition".count) }
      var most = ""
      if case .tooManyKeys = fault.reason { most = ", and a question has at most \(Prompt.fieldLimit) fields" }
      throw PlainError("These arguments cannot be read: \(fault.sentence)\(most).")
    }
  }
}
