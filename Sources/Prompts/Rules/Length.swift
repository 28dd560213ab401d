/// `length`: a number of code points within bounds.
struct Length: BoundedCondition, TextCondition {
  static let name = "length"
  static let arguments = [Argument("min", \Self.min), Argument("max", \Self.max)]

  var min, max: Int?

  func isMet(by text: String) -> Bool { contains(text.unicodeScalars.count) }

  var limits: Limits { Limits(lengths: (min ?? 0, max ?? .max)) }
  func sentence(for reader: Audience) -> Sentence { .length(min, max) }

  func schema(of texts: RawTextContext) -> JSON? {
    // In a text of several lines CRLF counts as one code point, which minLength cannot know.
    if texts.kind.isMultiline, !texts.areAnswers { return nil }
    return texts.trim ? trimmedSchema(of: texts) : .bounds("Length", min, max)
  }

  /// The schema for what is left after trimming; `nil` if engines would find the bounds too large.
  private func trimmedSchema(of texts: RawTextContext) -> JSON? {
    let (min, max) = (min ?? 0, max ?? .max)
    guard min <= 1000, max <= 1000 || max == .max else { return nil }
    let end = PatternPrinter.notWhiteSpace
    var lengths: [String] = min == 0 ? [""] : []
    if min <= 1, max >= 1 { lengths.append(end) }
    if max >= 2 {
      let bounds = "{\(Swift.max(0, min - 2)),\(max == .max ? "" : String(max - 2))}"
      lengths.append(end + PatternPrinter.anything + bounds + end)
    }
    return texts.matching(lengths.joined(separator: "|"))
  }
}

extension JSON {
  /// `minLength` and `maxLength`, or `minItems` and `maxItems`.
  static func bounds(_ what: String, _ min: Int?, _ max: Int?) -> JSON {
    .object([("min", min), ("max", max)].compactMap { end, bound in bound.map { .init(end + what, .integer($0)) } })
  }
}
