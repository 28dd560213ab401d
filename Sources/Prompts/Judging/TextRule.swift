/// The rule `text`, which stands before every other: no control characters but TAB and LF, no
/// half surrogate pairs, LF only in `multiline`, and a boolean is `true` or `false`.
enum TextRule {
  static let name = "text"

  /// What to say of an input that is no usable text; nil: it is one.
  static func fault(in input: Input, kind: Field.Kind) -> Sentence? {
    switch input {
    case .illFormed: .text
    case .text(let text):
      if kind == .boolean {
        isSame(text, "true") || isSame(text, "false") ? nil : .boolean
      } else {
        fault(in: text, isMultiline: kind.isMultiline)
      }
    case .choices(let texts): texts.lazy.compactMap { fault(in: $0, isMultiline: false) }.first
    }
  }

  private static func fault(in text: String, isMultiline: Bool) -> Sentence? {
    text.withBytes { bytes in
      var hasLine = false
      for byte in bytes where byte < 0x20 && byte != 0x09 {
        if byte != 0x0A { return .text }
        hasLine = true
      }
      return hasLine && !isMultiline ? .line : nil
    }
  }
}
