internal import Crypto
internal import MicroHTTP
internal import Pages
internal import Prompts
internal import StrictJSON

/// A prompt as it is offered: its documents and its page, made once and served until the next reload.
struct Offer: Sendable {
  let name: String
  let prompt: Prompt
  /// Changes whenever the rules JSON does.
  let version: String
  let rules: ConstantBody
  /// The rules JSON itself, for pages that carry what was typed.
  let rulesJSON: [UInt8]
  let definition: ConstantBody
  /// The values it takes, as JSON Schema.
  let schema: ConstantBody
  let page: ConstantBody

  /// - Parameter headers: what every response carries.
  init(_ named: NamedPrompt, pages: Pages, headers: [(name: String, value: String)]) {
    name = named.name
    prompt = named.prompt
    let unversioned = Self.rules(named, version: "")
    version = SHA256.hash(data: unversioned).prefix(8).map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }.joined()
    rulesJSON = Self.rules(named, version: version)
    rules = ConstantBody(bytes: rulesJSON, type: "application/json", version: version, headers: headers)
    var definition = JSONWriter()
    prompt.writeDefinition(to: &definition)
    var schema = JSONWriter()
    prompt.writeSchema(to: &schema, id: Pages.Address(prompt: name).schema)
    self.schema = ConstantBody(bytes: schema.bytes, type: "application/schema+json", headers: headers)
    let negotiated = headers + [("Vary", "Accept")]
    self.definition = ConstantBody(bytes: definition.bytes, type: "application/json", headers: negotiated)
    page = ConstantBody(
      bytes: pages.dialog(prompt, at: Pages.Address(prompt: name), rules: rulesJSON), type: "text/html; charset=utf-8",
      headers: negotiated)
  }

  private static func rules(_ named: NamedPrompt, version: String) -> [UInt8] {
    var json = JSONWriter(reserving: 1024)
    named.prompt.writeRules(to: &json, name: named.name, version: version)
    return json.bytes
  }
}

extension Pages.Address {
  /// Where a prompt of that name is found.
  init(prompt name: String) { self.init(page: "/prompts/\(name)", validate: "/validate/\(name)") }

  var schema: String { page + "/schema" }

  /// Where a browser lands after an outcome.
  var done: String { page + "/done" }
}
