/// What the program that waits calls an ask: 128 random bits as 26 characters `[0-9a-z]`.
package struct AskID: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// A new one.
  package init() { description = RandomText().text }

  /// nil where no server would have written such an id.
  package init?(_ text: String) {
    guard RandomText(text) != nil else { return nil }
    description = text
  }
}
