package import Prompts

/// One prompt put to one person once: a link for the person, an id for the program that waits.
package struct Ask: Sendable {
  /// What the program calls it.
  package let id: AskID
  /// The named prompt it was made from; nil for a definition of its own.
  package let prompt: String?
  /// The definition as JSON, kept as it was when the ask was made.
  package let definition: Sealable
  /// Initial values: a JSON object by field.
  package let values: Sealable
  /// The program's own JSON object, given back with the outcome.
  package let metadata: [UInt8]
  /// Where to send the outcome; nil: nowhere.
  package let callback: String?
  package let createdAt: Timestamp
  /// From this moment on nobody can answer.
  package let expiresAt: Timestamp
  /// How it ended; nil while it is open.
  package let closed: ClosedAsk?

  package var isOpen: Bool { closed == nil }
}

/// An ask's end, and the bytes every reader gets of it.
package struct ClosedAsk: Sendable {
  package let id: AskID
  package let outcome: Outcome.Kind
  package let closedAt: Timestamp
  /// `{"id","status":"closed","outcome",…}`: written once when the ask closed, and kept.
  ///
  /// Sealed where the prompt has a password field; open it only for a reader with the API token
  /// and for the callback that the program asked for.
  package let json: Sealable
}
