package import Prompts

/// An ask's end, and the bytes every reader gets of it.
package struct ClosedAsk: Sendable {
  package let id: AskID
  /// The named prompt it was made from, or `nil` if it has a definition of its own.
  let prompt: String?
  let createdAt: Timestamp
  package let outcome: Outcome.Kind
  let closedAt: Timestamp
  /// `{"id","status":"closed","outcome",…}`: written once when the ask closed, and kept. Readers get the prompt and the
  /// time it was made before it: see `SecretBox.json(of:)`.
  ///
  /// Sealed if the prompt has a password field; open it only for a reader with the API token and for the callback that
  /// the program asked for.
  let json: Sealable
  /// The fingerprint of the idempotency key and body of the request that ended it, or `nil` if it had no key.
  var request: [UInt8]?
  /// What the program did after it, as it said; or `nil`.
  var result: Sealable?
  /// The time that the program has to say so, or `nil` if nobody waits for that.
  package var resultWithin: Duration?
  /// True if a person gave an answer, of which something can come.
  package var wasAnswered: Bool { outcome == .ok || outcome == .action }
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
    self.init(
      id: ask.id, prompt: ask.prompt, createdAt: ask.createdAt, outcome: ended.outcome.kind, closedAt: now,
      json: secrets.seal(json, context: SecretBox.context(.closed, of: ask.id), if: ask.holdsPasswords),
      request: key.flatMap { secrets.answerFingerprints(of: $0).first }, resultWithin: ask.terms.resultWithin)
  }
}
