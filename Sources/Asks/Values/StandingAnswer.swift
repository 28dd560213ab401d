package import Prompts
internal import StrictJSON

/// One answer that somebody gave to a standing prompt, one that is open to all.
package struct StandingAnswer: Sendable {
  /// A place in the list of a prompt's answers: give it back to read on from there.
  package struct Cursor: Hashable, Sendable, CustomStringConvertible {
    /// Counts up with every answer; its steps mean nothing.
    let position: Int64

    init(position: Int64) { self.position = position }

    /// - Returns: `nil` if no server would have written such a cursor.
    package init?(_ text: String) {
      guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let position = Int64(text), String(position) == text
      else { return nil }
      self.position = position
    }

    package var description: String { String(position) }
  }

  /// The prompt's name.
  package let prompt: String
  package let cursor: Cursor
  package let answeredAt: Timestamp
  /// `{"outcome",…}` as the person answered, with `subject` if the page gave one; sealed if the prompt has a password field.
  package let outcome: Sealable
  /// What `outcome` is sealed for.
  let context: String

  /// The outcome as every store keeps it, and the context that it is sealed for.
  ///
  /// The position is not known before the row is there: a random context stands in for it.
  static func sealed(
    _ outcome: Outcome, about subject: String?, if holdsPasswords: Bool, with secrets: SecretBox
  ) -> (outcome: Sealable, context: String) {
    let context = holdsPasswords ? "answer \(RandomText())" : ""
    return (
      secrets.keep(outcome.json(adding: subject.map { ("subject", $0) }), sealed: holdsPasswords, context: context),
      context
    )
  }

  /// How the person answered.
  ///
  /// - Throws: as `line(openedWith:)`.
  package func outcome(openedWith secrets: SecretBox) throws -> Outcome {
    try Outcome(kept: try secrets.open(outcome, context: context))
  }

  /// One line of JSON Lines: `{"cursor","answeredAt","outcome","values","subject"}`.
  ///
  /// - Throws: `SecretFault` if the answer is sealed and these secrets do not open it.
  package func line(openedWith secrets: SecretBox) throws(SecretFault) -> [UInt8] {
    try json(openedWith: secrets) { _ in }
  }

  /// What a receipt is redeemed for: `{"receipt","prompt","cursor","answeredAt","outcome","values","subject"}`.
  ///
  /// - Throws: as `line(openedWith:)`.
  package func json(redeeming receipt: Receipt, openedWith secrets: SecretBox) throws(SecretFault) -> [UInt8] {
    try json(openedWith: secrets) { json in
      json.member("receipt", receipt.description)
      json.member("prompt", prompt)
    }
  }

  private func json(
    openedWith secrets: SecretBox, _ first: (inout JSONWriter) -> Void
  ) throws(SecretFault) -> [UInt8] {
    let outcome = try secrets.open(outcome, context: context)
    var json = JSONWriter()
    json.object { json in
      first(&json)
      json.member("cursor", cursor.description)
      json.member("answeredAt", answeredAt.description)
      json.members(of: outcome)
    }
    return json.bytes
  }
}
