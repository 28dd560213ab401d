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
    let negotiated = headers + [("Vary", "Accept")]
    self.definition = ConstantBody(bytes: definition.bytes, type: "application/json", headers: negotiated)
    page = ConstantBody(
      bytes: pages.dialog(prompt, at: Address(name), rules: rulesJSON), type: "text/html; charset=utf-8",
      headers: negotiated)
  }

  private static func rules(_ named: NamedPrompt, version: String) -> [UInt8] {
    var json = JSONWriter(reserving: 1024)
    named.prompt.writeRules(to: &json, name: named.name, version: version)
    return json.bytes
  }

  /// Where a prompt of that name is found.
  struct Address: Sendable {
    let page: String
    let validate: String
    var done: String { page + "/done" }

    init(_ name: String) {
      page = "/prompts/\(name)"
      validate = "/validate/\(name)"
    }
  }
}
