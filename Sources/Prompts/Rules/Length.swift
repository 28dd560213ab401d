internal import StrictJSON

/// `length`: a number of code points within bounds.
struct Length: TextCondition {
  static let name = "length"
  static var keys: [String] { ["min", "max"] }

  let min: Int?
  let max: Int?

  init(min: Int?, max: Int?) { (self.min, self.max) = (min, max) }

  init?(_ arguments: Mapping, _ reading: inout Reading) {
    guard let bounds = reading.bounds(of: Self.name, arguments) else { return nil }
    (min, max) = bounds
  }

  func isMet(by text: String) -> Bool {
    // Every byte of UTF-8 begins a code point but those of the form 10xxxxxx.
    let count = text.withBytes { bytes in bytes.reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 } }
    return count >= min ?? 0 && count <= max ?? .max
  }

  /// Whether every text of so many bytes is too long; a code point has at most four.
  func refuses(_ size: InputSize) -> Bool { max.map { size.bytes / 4 > $0 } ?? false }

  func write(to json: inout JSONWriter, for reader: Audience) {
    json.member("min", ifPresent: min)
    json.member("max", ifPresent: max)
  }

  func narrow(_ premise: inout Premise) { premise.limit(to: max) }

  func sentence(for reader: Audience) -> Sentence { .length(min, max) }

  func schema(of texts: SentTexts) -> JSON? {
    // In a text of several lines CRLF counts as one code point, which minLength cannot know.
    if texts.kind.isMultiline { return nil }
    if texts.trim { return trimmedSchema(of: texts) }
    var members: [JSON.Member] = []
    if let min { members.append(.init("minLength", RuleSchema.integer(min))) }
    if let max { members.append(.init("maxLength", RuleSchema.integer(max))) }
    return .object(members)
  }
}

extension Length {
  /// Of what is left between white space; nil if engines would find the bounds too large.
  private func trimmedSchema(of texts: SentTexts) -> JSON? {
    let (min, max) = (min ?? 0, max ?? .max)
    guard min <= 1000, max <= 1000 || max == .max else { return nil }
    let end = PortablePattern.notWhiteSpace
    var lengths: [String] = min == 0 ? [""] : []
    if min <= 1, max >= 1 { lengths.append(end) }
    if max >= 2 {
      let bounds = "{\(Swift.max(0, min - 2)),\(max == .max ? "" : String(max - 2))}"
      lengths.append(end + PortablePattern.anything + bounds + end)
    }
    return texts.matching(lengths.joined(separator: "|"))
  }
}

extension Reading {
  /// `{min, max}` as counts, at least one of them, in order; shared by `length` and `count`.
  mutating func bounds(of rule: String, _ arguments: Mapping) -> (min: Int?, max: Int?)? {
    let (min, max) = (count(arguments["min"], "min"), count(arguments["max"], "max"))
    if arguments["min"] == nil, arguments["max"] == nil {
      report("`\(rule)` needs `min`, `max` or both", "write it like `\(rule): {min: 1, max: 20}`", at: arguments.place)
      return nil
    }
    if arguments["min"] != nil && min == nil || arguments["max"] != nil && max == nil { return nil }
    if let min, let max, min > max {
      report("`min` \(min) is greater than `max` \(max)", "swap them", at: arguments.place)
      return nil
    }
    return (min, max)
  }
}
