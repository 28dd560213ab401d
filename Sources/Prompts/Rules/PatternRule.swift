internal import StrictJSON

/// `pattern`: the whole text matches an ECMAScript pattern.
struct PatternRule: TextCondition {
  static let name = "pattern"
  static var keys: [String] { ["pattern", "ignoreCase"] }
  static var shorthand: String? { "pattern" }

  let pattern: Pattern

  init(pattern: Pattern) { self.pattern = pattern }

  init?(_ arguments: Mapping, _ reading: inout Reading) {
    guard let node = arguments["pattern"] else {
      reading.report("`pattern` needs a pattern", "write it like `pattern: '[a-z]+'`", at: arguments.place)
      return nil
    }
    let ignoreCase = reading.bool(arguments["ignoreCase"], "ignoreCase") ?? false
    guard let source = reading.string(node, "pattern", orLiteral: true) else { return nil }
    do throws(PatternFault) {
      pattern = try reading.pattern(source, ignoreCase: ignoreCase)
    } catch {
      for (index, fault) in ([error] + error.others).enumerated() {
        let mended = index == error.others.count ? error.mended.map { "; the mended pattern is `\($0)`" } : nil
        reading.report(
          "in this pattern, column \(fault.column): \(fault.reason.whatIsWrong)",
          fault.reason.whatToDo + (mended ?? ""), at: node.place)
      }
      return nil
    }
  }

  func work(on size: InputSize) -> Int { pattern.work(onBytes: size.bytes) }
  func isMet(by text: String) -> Bool { pattern.matches(text) }
  func decidedBy(on premise: Premise) -> DecidedBy { pattern.decidedBy(on: premise) }
  func narrow(_ premise: inout Premise) { premise.limit(to: pattern.longestMatch) }

  func write(to json: inout JSONWriter, for reader: Audience) {
    json.member("pattern", pattern.source)
    if pattern.ignoreCase { json.member("ignoreCase", true) }
  }

  func sentence(for reader: Audience) -> Sentence { .pattern }

  func schema(of texts: SentTexts) -> JSON? {
    // A line feed may have been CRLF, and validators backtrack like browsers.
    guard !texts.kind.isMultiline, pattern.decidedBy(on: texts.premise) == .everywhere else { return nil }
    let syntax = pattern.parsed.syntax
    let said =
      texts.trim ? syntax.withoutAssertions?.withNeitherEnd(in: .whiteSpace) : syntax.withoutAssertions ?? syntax
    return said.flatMap(PortablePattern.print).map { texts.matching($0) }
  }
}
