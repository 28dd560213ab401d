/// Proof that an answer to a standing prompt was accepted: 128 random bits as 26 characters `[0-9a-z]`.
///
/// The browser that answered gets it. Nobody can make one up, and it says nothing: only a program
/// with the API token can look up what was answered.
package struct Receipt: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// A new one.
  package init() { description = RandomText().text }

  /// nil where no server would have written such a receipt.
  package init?(_ text: String) {
    guard RandomText(text) != nil else { return nil }
    description = text
  }
}
