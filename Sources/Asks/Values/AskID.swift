/// What the program that waits calls an ask: 128 random bits as 26 characters `[0-9a-z]`.
public struct AskID: Hashable, Sendable, CustomStringConvertible {
  public let description: String

  /// A new one.
  public init() { description = RandomText().text }

  /// nil where no server would have written such an id.
  public init?(_ text: String) {
    guard RandomText(text) != nil else { return nil }
    description = text
  }
}
