package import Prompts
internal import StrictJSON

/// What an ask is made of, before a store gives it an id and a link.
package struct AskDraft: Sendable {
  /// The named prompt; nil for a definition of its own.
  package var prompt: String?
  /// The definition as JSON.
  package var definition: [UInt8]
  /// Whether the definition has a password field: then definition, values and outcome are sealed.
  package var holdsPasswords: Bool
  /// Initial values: a JSON object by field.
  package var values: [UInt8]
  /// A JSON object, given back with the outcome.
  package var metadata: [UInt8]
  /// Where to send the outcome; nil: nowhere. Whether it is allowed is the caller's to check.
  package var callback: String?
  /// How long it can be answered, from its making.
  package var expiresIn: Duration

  package static let defaultExpiry: Duration = .seconds(86_400)

  package init(
    definition: [UInt8], holdsPasswords: Bool, prompt: String? = nil, values: [UInt8] = Array("{}".utf8),
    metadata: [UInt8] = Array("{}".utf8), callback: String? = nil, expiresIn: Duration = defaultExpiry
  ) {
    self.prompt = prompt
    self.definition = definition
    self.holdsPasswords = holdsPasswords
    self.values = values
    self.metadata = metadata
    self.callback = callback
    self.expiresIn = expiresIn
  }

  /// A draft of this prompt as it is now; later changes to it do not reach the ask.
  package init(_ prompt: Prompt, named name: String? = nil, expiresIn: Duration = defaultExpiry) {
    var json = JSONWriter()
    prompt.writeDefinition(to: &json)
    self.init(
      definition: json.bytes, holdsPasswords: prompt.hasPasswordField, prompt: name,
      expiresIn: expiresIn)
  }
}

extension Prompt {
  /// Whether an answer to this prompt holds a password, and has to be sealed where it is kept.
  package var hasPasswordField: Bool { fields.contains { $0.kind == .password } }
}
