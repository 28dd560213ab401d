/// Who gives the verdict on a rule.
public enum DecidedBy: String, Hashable, Sendable {
  /// Browser and server both, with the same verdict on every text.
  case everywhere
  /// The server alone; a browser asks it.
  case server
}
