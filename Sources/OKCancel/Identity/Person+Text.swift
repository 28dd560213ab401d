internal import Prompts

/// Checks of an id, a name or a group that somebody in front of the server sends, in a header or in a token.
extension Person {
  /// What keeps a text from being one, and what to do, to follow where it stands; or `nil` if nothing does.
  static func fault(in text: String) -> String? {
    let scalars = text.unicodeScalars
    if scalars.prefix(limit + 1).count > limit { return "is longer than \(limit) characters; let the proxy send less" }
    return scalars.contains(where: breaksLine)
      ? "contains a control character or a line break; let the proxy send it without" : nil
  }

  /// True if any of a text can be seen. One that cannot names nobody.
  static func isVisible(_ text: String) -> Bool {
    text.unicodeScalars.contains { !$0.properties.isWhitespace && !$0.isHidden }
  }

  /// True if a text can be an id, a name or a group: some visible text, on one line, of bounded length.
  static func isValidName(_ text: String) -> Bool { fault(in: text) == nil && isVisible(text) }
}
