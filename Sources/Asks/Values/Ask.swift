public import Prompts

/// One prompt put to one person once: a link for the person, an id for the program that waits.
public struct Ask: Sendable {
  /// What the program calls it.
  public let id: AskID
  /// The named prompt it was made from; nil for a definition of its own.
  public let prompt: String?
  /// The definition as JSON, kept as it was when the ask was made.
  public let definition: Sealable
  /// Initial values: a JSON object by field.
  public let values: Sealable
  /// The program's own JSON object, given back with the outcome.
  public let metadata: [UInt8]
  /// Where to send the outcome; nil: nowhere.
  public let callback: String?
  public let createdAt: Timestamp
  /// From this moment on nobody can answer.
  public let expiresAt: Timestamp
  /// How it ended; nil while it is open.
  public let closed: ClosedAsk?

  public var isOpen: Bool { closed == nil }
}

/// An ask's end, and the bytes every reader gets of it.
public struct ClosedAsk: Sendable {
  public let id: AskID
  public let outcome: Outcome.Kind
  public let closedAt: Timestamp
  /// `{"id","status":"closed","outcome",…}`: written once when the ask closed, and kept.
  ///
  /// Sealed where the prompt has a password field; open it only for a reader with the API token
  /// and for the callback that the program asked for.
  public let json: Sealable
}
