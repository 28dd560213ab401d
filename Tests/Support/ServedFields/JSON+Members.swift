package import Prompts

extension JSON {
  package var text: String? { if case .string(let text) = self { text } else { nil } }
  package var isTrue: Bool { if case .bool(true) = self { true } else { false } }

  /// A text as the corpus writes it: plain, `{"repeat":…,"times":…}` or `{"join":[…]}`; nil: half a surrogate pair.
  package var corpusText: String? {
    if let parts = self["join"] {
      let texts = parts.elements.map(\.corpusText)
      return texts.contains(nil) ? nil : texts.compactMap(\.self).joined()
    }
    if let part = self["repeat"], case .number(let times)? = self["times"] {
      return part.corpusText.map { String(repeating: $0, count: Int(times) ?? 0) }
    }
    return text
  }
}
