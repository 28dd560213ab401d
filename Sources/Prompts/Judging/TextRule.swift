/// The rule `text`, which comes before every other: no control characters except TAB and LF, no half surrogate pairs, LF
/// only in `multiline`, a boolean is `true` or `false`, and no text is too long.
enum TextRule {
  static let name = "text"

  /// Bytes of UTF-8 in a text.
  static let limit = Premise.byteLimit

  /// Bytes of UTF-8 in all texts of a prompt together.
  static let limitTogether = 64 * 1024

  /// The message for an input that is not a usable text, or `nil` if it is one.
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
    let utf8 = text.utf8.span
    // Without a branch, so that the compiler checks many bytes at a time.
    let found = utf8.indices.reduce(0) { found, place in
      let byte = utf8[place]
      return found | (byte < 0x20 && byte != 0x09 && byte != 0x0A ? 2 : 0) | (byte == 0x0A ? 1 : 0)
    }
    if found > 1 { return .text }
    if !isMultiline, found == 1 { return .line }
    guard utf8.count > limit else { return nil }
    let surplus = surplus(of: [text], over: limit)
    return surplus > 0 ? .tooLong(by: String(surplus)) : nil
  }

  /// Counts the texts as they are judged, in the fields' order.
  ///
  /// - Returns: the field whose text takes the total over the limit, and how many characters all texts together are too
  ///   long by; `nil` if they are within the limit.
  static func overflow(of inputs: Inputs, in fields: [Field]) -> (index: Int, surplus: Int)? {
    // Normalised, no text grows; one that was not sent has at most the five bytes of `false`.
    guard inputs.byteCount + 5 * fields.count > limitTogether else { return nil }
    var (texts, bytes, index) = ([String](), 0, Int?.none)
    for (place, field) in fields.enumerated() {
      let input = inputs.normalized(for: field)
      texts += input.texts
      bytes += input.byteCount
      if bytes > limitTogether, index == nil { index = place }
    }
    return index.map { ($0, surplus(of: texts, over: limitTogether)) }
  }

  /// The number of characters at the end of these texts, joined in order, that exceed `limit` bytes.
  private static func surplus(of texts: [String], over limit: Int) -> Int {
    var (room, surplus) = (limit, 0)
    for scalar in texts.lazy.flatMap(\.unicodeScalars) {
      let size = UTF8.width(scalar)
      if surplus == 0, size <= room { room -= size } else { surplus += 1 }
    }
    return surplus
  }
}
