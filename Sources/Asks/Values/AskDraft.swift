package import Prompts

/// A new ask, before a store gives it an id and a link.
package struct AskDraft: Sendable {
  /// The named prompt, or `nil` for a definition of its own.
  package var prompt: String?
  /// The definition as JSON.
  package let definition: [UInt8]
  /// True if the definition has a password field: then definition, values and outcome are sealed.
  let holdsPasswords: Bool
  /// Initial values: a JSON object by field.
  package var values = Array("{}".utf8)
  package var terms = AskTerms()
  /// The ids of the asks that its definition is kept apart from; those in its terms come with them.
  var apartFrom: [String] = []
  /// The time in which it can be answered after it was made.
  package var expiresIn = defaultExpiry

  static let defaultExpiry: Duration = .seconds(86_400)

  package init(definition: [UInt8], holdsPasswords: Bool) {
    self.definition = definition
    self.holdsPasswords = holdsPasswords
  }

  /// A draft of this prompt as it is now; later changes to it do not reach the ask.
  package init(_ prompt: Prompt, named name: String? = nil, expiresIn: Duration = defaultExpiry) {
    var json = JSONWriter()
    prompt.writeDefinition(to: &json, isKept: true)
    self.init(definition: json.bytes, holdsPasswords: prompt.hasPasswordField)
    self.prompt = name
    self.expiresIn = expiresIn
    apartFrom = prompt.answerers.asks
  }
}
