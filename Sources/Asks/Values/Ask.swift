package import Prompts

/// One prompt put to one person once: a link for the person, an id for the program that waits.
package struct Ask: Sendable {
  /// The identifier by which programs know it.
  package let id: AskID
  /// The named prompt it was made from, or `nil` if it has a definition of its own.
  package let prompt: String?
  /// The definition as JSON, kept as it was when the ask was made.
  package let definition: Sealable
  /// Initial values: a JSON object by field.
  package let values: Sealable
  package internal(set) var terms: AskTerms
  package let createdAt: Timestamp
  /// From this moment on nobody can answer.
  package internal(set) var expiresAt: Timestamp
  /// The end of the ask, or `nil` while it is open.
  package internal(set) var closed: ClosedAsk?
  /// Counts what has changed of who may answer, and until when; `nil` if nothing has, and no ask is kept apart from it.
  let revision: Int64?

  package var isOpen: Bool { closed == nil }
  /// True if its definition has a password field.
  var holdsPasswords: Bool { definition.isSealed }
}

extension Prompt {
  /// True if an answer to this prompt holds a password, and has to be sealed where it is kept.
  package var hasPasswordField: Bool { fields.contains { $0.kind == .password } }
}

extension Ask {
  /// A new ask with an id of its own, as a store keeps it.
  init(_ draft: AskDraft, at now: Timestamp, sealedWith secrets: SecretBox) {
    let id = AskID(at: now)
    func keep(_ bytes: [UInt8], _ part: SecretBox.AskPart) -> Sealable {
      secrets.seal(bytes, context: SecretBox.context(part, of: id), if: draft.holdsPasswords)
    }
    var terms = draft.terms
    terms.apartFrom = Set(draft.apartFrom + terms.answerers.asks).sorted()
    self.init(
      id: id, prompt: draft.prompt, definition: keep(draft.definition, .definition),
      values: keep(draft.values, .values), terms: terms, createdAt: now, expiresAt: now + draft.expiresIn,
      closed: nil, revision: terms.apartFrom.isEmpty && terms.notices == nil ? nil : 0)
  }

  /// `{"prompt","createdAt","askedBy","id","status":"open"}`: what a waiting program reads until the ask is closed.
  package var openJSON: [UInt8] {
    JSONWriter.object { json in
      json.member("prompt", ifPresent: prompt)
      json.member("createdAt", createdAt.description)
      json.member("askedBy", ifPresent: terms.askedBy)
      json.member("id", id.description)
      json.member("status", "open")
    }
  }

  /// The JSON for the program that made the ask: id, prompt, link, status, times and metadata.
  ///
  /// - Parameter link: the person's link, whole, or `nil` if the server no longer has it.
  package func createdJSON(link: String?, warnings: [(message: String, pointer: String)] = []) -> [UInt8] {
    JSONWriter.object { json in
      json.member("id", id.description)
      json.member("prompt", ifPresent: prompt)
      json.member("createdAt", createdAt.description)
      json.member("link", ifPresent: link)
      json.member("status", isOpen ? "open" : "closed")
      json.member("expiresAt", expiresAt.description)
      terms.writePeople(to: &json)
      terms.writeMembers(to: &json)
      if warnings.isEmpty { return }
      json.array("warnings", warnings) { json, warning in
        json.value(["message": .string(warning.message), "pointer": .string(warning.pointer)] as JSON)
      }
    }
  }
}
