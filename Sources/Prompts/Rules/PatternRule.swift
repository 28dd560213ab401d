/// `pattern`: the whole text matches an ECMAScript pattern.
struct PatternRule: TextCondition {
  static let name = "pattern"
  static let arguments = [
    Argument<Self>(
      name: "pattern", needs: ("a pattern", FaultRow("write-pattern")), isShorthand: true,
      read: { rule, arguments, reading in
        let ignoreCase = reading.bool(arguments["ignoreCase"], "ignoreCase") ?? false
        guard let node = arguments["pattern"], let source = reading.string(node, "pattern", orLiteral: true) else {
          return false
        }
        do throws(PatternFault) { rule.pattern = try reading.pattern(source, ignoreCase: ignoreCase) } catch {
          reading.report(error, at: node.place)
          return false
        }
        return true
      }, write: { rule, json, _ in json.member("pattern", rule.pattern.source) }),
    // Compiled with the pattern.
    Argument<Self>(
      name: "ignoreCase", read: { _, _, _ in true },
      write: { $0.pattern.ignoreCase.write(as: "ignoreCase", to: &$1, for: $2) }),
  ]

  var pattern = PatternRule.unread
  private static let unread = try! Pattern("")

  /// That of a format of JSON Schema, if the pattern is one of its own.
  func sentence(for reader: Audience) -> Sentence { SchemaReader.sentences[pattern.source] ?? .pattern }

  func work(on size: InputSize) -> Int { pattern.work(onBytes: size.bytes) }
  func isMet(by text: String) -> Bool { pattern.matches(text) }
  func decidedBy(on premise: Premise) -> DecidedBy { pattern.decidedBy(on: premise) }

  var limits: Limits {
    Limits(lengths: (pattern.shortestMatch, pattern.longestMatch ?? .max), pattern: pattern)
  }

  func schema(of texts: RawTextContext) -> JSON? {
    // A program that has given a schema has an engine for its patterns.
    if texts.areAnswers, !pattern.ignoreCase {
      return texts.matching(PatternPrinter().print(pattern.syntax.withoutEnds) ?? pattern.source)
    }
    // A line feed may have been CRLF, and validators backtrack like browsers.
    guard !texts.kind.isMultiline, pattern.decidedBy(on: texts.premise) == .everywhere else { return nil }
    let syntax = pattern.syntax
    let said = texts.trim ? syntax.withoutAssertions?.withNeitherEnd(in: .whiteSpace) : syntax.withoutEnds
    return said.flatMap(PatternPrinter().print).map { texts.matching($0) }
  }
}
