package import Prompts
internal import StrictJSON

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

/// A new ask, before a store gives it an id and a link.
package struct AskDraft: Sendable {
  /// The named prompt, or `nil` for a definition of its own.
  package var prompt: String?
  /// The definition as JSON.
  package let definition: [UInt8]
  /// True if the definition has a password field: then definition, values and outcome are sealed.
  package let holdsPasswords: Bool
  /// Initial values: a JSON object by field.
  package var values = Array("{}".utf8)
  package var terms = AskTerms()
  /// The ids of the asks that its definition is kept apart from; those in its terms come with them.
  var apartFrom: [String] = []
  /// The time in which it can be answered after it was made.
  package var expiresIn = defaultExpiry

  package static let defaultExpiry: Duration = .seconds(86_400)

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

extension Prompt {
  /// True if an answer to this prompt holds a password, and has to be sealed where it is kept.
  package var hasPasswordField: Bool { fields.contains { $0.kind == .password } }
}

extension Ask {
  /// A new ask with an id of its own, as a store keeps it.
  init(_ draft: AskDraft, at now: Timestamp, sealedWith secrets: SecretBox) {
    let id = AskID(at: now)
    func keep(_ bytes: [UInt8], _ part: SecretBox.Part) -> Sealable {
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

/// An ask's end, and the bytes every reader gets of it.
package struct ClosedAsk: Sendable {
  package let id: AskID
  /// The named prompt it was made from, or `nil` if it has a definition of its own.
  let prompt: String?
  let createdAt: Timestamp
  package let outcome: Outcome.Kind
  package let closedAt: Timestamp
  /// `{"id","status":"closed","outcome",…}`: written once when the ask closed, and kept. Readers get the prompt and the
  /// time it was made before it: see `SecretBox.json(of:)`.
  ///
  /// Sealed if the prompt has a password field; open it only for a reader with the API token and for the callback that
  /// the program asked for.
  package let json: Sealable
  /// The fingerprint of the idempotency key and body of the request that ended it, or `nil` if it had no key.
  var request: [UInt8]?
}

extension ClosedAsk {
  /// The end of an ask as every store keeps it: `{"id","status":"closed","outcome","values","closedAt","metadata"}`.
  init(
    _ ask: Ask, as ended: Ended, at now: Timestamp, with secrets: SecretBox, key: IdempotencyKey?
  ) {
    let json = JSONWriter.object { json in
      json.member("id", ask.id.description)
      json.member("status", "closed")
      ended.writeMembers(to: &json)
      json.member("closedAt", now.description)
      ask.terms.writeMembers(to: &json)
    }
    let context = SecretBox.context(.closed, of: ask.id)
    self.init(
      id: ask.id, prompt: ask.prompt, createdAt: ask.createdAt, outcome: ended.outcome.kind, closedAt: now,
      json: secrets.seal(json, context: context, if: ask.holdsPasswords),
      request: key.flatMap { secrets.answerFingerprints(of: $0).first })
  }
}

/// An ask in a list of them: what its program may read, without its definition.
package struct ListedAsk: Sendable {
  /// A place in the list: give it back to read on from there. It names an ask, and the store finds its position.
  package struct Cursor: Sendable, Hashable, Comparable, CustomStringConvertible {
    let createdAt: Timestamp
    let id: String
    /// The ask's position, by which cursors of one list compare; 0 in one that a program gave back.
    private let position: Int64

    init(createdAt: Timestamp, id: String, position: Int64 = 0) {
      self.createdAt = createdAt
      self.id = id
      self.position = position
    }

    /// - Returns: `nil` if no server would have written such a cursor.
    package init?(_ text: String) {
      guard let (_, moment, id) = text.wholeMatch(of: #/(0|[1-9][0-9]*)-(.*)/#)?.output,
        let milliseconds = Int64(moment), AskID(String(id)) != nil
      else { return nil }
      self.init(createdAt: Timestamp(milliseconds: milliseconds), id: String(id))
    }

    package var description: String { "\(createdAt.milliseconds)-\(id)" }

    package static func < (one: Self, other: Self) -> Bool { one.position < other.position }
  }

  package let id: AskID
  /// Counts up in the order of commits.
  let position: Int64
  /// The named prompt it was made from, or `nil` if it has a definition of its own.
  package let prompt: String?
  package let createdAt: Timestamp
  package let expiresAt: Timestamp
  let terms: AskTerms
  /// The end of the ask, or `nil` while it is open.
  package let closed: ClosedAsk?

  package var cursor: Cursor { Cursor(createdAt: createdAt, id: id.description, position: position) }

  /// One line of JSON Lines: `{"cursor","prompt","createdAt","expiresAt"}` and the members that `GET /asks/{id}` has,
  /// with the metadata of an open ask too.
  ///
  /// - Throws: `SecretFault` if the outcome is sealed and these secrets do not open it.
  package func line(openedWith secrets: SecretBox) throws(SecretFault) -> [UInt8] {
    let kept = try closed.map { (closed) throws(SecretFault) in try secrets.open(closed.json) }
    return JSONWriter.object { json in
      json.member("cursor", cursor.description)
      json.member("prompt", ifPresent: prompt)
      json.member("createdAt", createdAt.description)
      json.member("expiresAt", expiresAt.description)
      terms.writePeople(to: &json)
      if let kept { return json.members(of: kept) }
      json.member("id", id.description)
      json.member("status", "open")
      terms.writeMembers(to: &json)
    }
  }
}
