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

  init(_ arguments: ToolArguments) throws(Mistake) {
    let given = arguments.members
    let definition = given.filter { Self.ofDefinition.contains($0.key) }
    let besides = given.filter {
      !(Self.ofDefinition + Self.ofTheCall + ["schema", "prompt"]).contains($0.key)
    }
    let body: [JSON.Member]
    switch (arguments["prompt"], arguments["schema"]) {
    case (.some, .some): throw .askedTwice("prompt", "schema")
    case (let prompt?, nil):
      if let other = definition.first { throw .besidePrompt(other.key) }
      body = [.init("prompt", prompt)]
    case (nil, let schema?):
      guard case .object = schema else { throw .badSchema(schema) }
      if arguments["fields"] != nil { throw .askedTwice("schema", "fields") }
      if let button = definition.first(where: { !["title", "message"].contains($0.key) }) {
        throw .withoutFields(button.key)
      }
      body = [.init("schema", schema)] + definition
    case (nil, nil):
      if arguments["title"] == nil { throw .nothingAsked }
      body = [.init("definition", .object(definition))]
    }
    let titles = [JSON.object(given).text("title"), arguments["schema"]?.text("title")]
    title = titles.compactMap(\.self).first { !$0.isEmpty } ?? "a question"
    self.body = try Self.limited(.object(body + besides))
    let asked = given.filter { !Self.ofTheCall.contains($0.key) }.sorted { $0.key < $1.key }
    fingerprint = JSON.object(asked).bytes
  }

  /// Bytes that a body of `POST /asks` may have.
  private static let limit = 64 * 1024

  private static func limited(_ body: JSON) throws(Mistake) -> JSON {
    let bytes = body.bytes
    guard bytes.count <= limit else { throw .tooManyBytes(bytes.count, limit: limit) }
    do throws(JSONFault) { return try JSON(parsing: bytes) } catch {
      var fault = error
      // A call has these keys beside the others.
      if fault.pointer.hasPrefix("/definition/") { fault.pointer.removeFirst("/definition".count) }
      throw .unreadable(fault)
    }
  }
}
