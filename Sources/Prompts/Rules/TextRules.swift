internal import Pattern
internal import StrictJSON

/// `none`: always met.
struct NoneRule: Condition {
  static let name = "none"
  static var judgesChoices: Bool { true }

  func judge(_ input: Input, of rule: Rule, in context: Context) -> Finding { .met }
  func sentence(for reader: Audience) -> Sentence { .nonEmpty }
  func schema(of texts: RawTextContext) -> JSON? { .object([]) }
  var core: PatternSyntax? { .anyText }
}

/// `nonEmpty`: at least one code point; of choices, at least one chosen.
struct NonEmpty: Condition {
  static let name = "nonEmpty"
  static var judgesChoices: Bool { true }

  func judge(_ input: Input, of rule: Rule, in context: Context) -> Finding { input.isEmpty ? .unmet(rule) : .met }

  var lengths: (min: Int, max: Int) { (1, .max) }
  var shape: PatternSyntax? { .repetition(.codePoint(.all), min: 1, max: nil) }
  var core: PatternSyntax? { shape }

  func sentence(for reader: Audience) -> Sentence {
    reader.kind?.offersOptions == true ? .chooseOption : .nonEmpty
  }

  func schema(of texts: RawTextContext) -> JSON? {
    if !texts.kind.isList, texts.trim { return NotBlank().schema(of: texts) }
    return .keyword(texts.kind.isList ? "minItems" : "minLength", .integer(1))
  }
}

/// `notBlank`: at least one code point that is not white space (ECMA-262, `\s`).
struct NotBlank: TextCondition {
  static let name = "notBlank"
  /// True if it stands for a field's `required`: then it says what `nonEmpty` says.
  var isRequired = false

  func sentence(for reader: Audience) -> Sentence { isRequired ? .nonEmpty : "notBlank" }
  func isMet(by text: String) -> Bool { text.unicodeScalars.contains { !$0.isWhiteSpace } }
  var lengths: (min: Int, max: Int) { (1, .max) }
  var shape: PatternSyntax? { .sequence([.anyText, .codePoint(.whiteSpace.complement), .anyText]) }
  var core: PatternSyntax? { shape }
  func schema(of texts: RawTextContext) -> JSON? { .keyword("pattern", .string(PatternPrinter.notWhiteSpace)) }
}

/// `length`: a number of code points within bounds.
struct Length: BoundedCondition, TextCondition {
  static let name = "length"
  static let arguments = [Argument("min", \Self.min), Argument("max", \Self.max)]

  var min, max: Int?

  func isMet(by text: String) -> Bool { contains(text.unicodeScalars.count) }

  /// True if every text of this many bytes is too long; a code point has at most four.
  func refuses(_ size: InputSize) -> Bool { max.map { size.bytes / 4 > $0 } ?? false }

  var lengths: (min: Int, max: Int) { (min ?? 0, max ?? .max) }
  var shape: PatternSyntax? { .repetition(.codePoint(.all), min: min ?? 0, max: max) }
  var core: PatternSyntax? { shape }
  func narrow(_ premise: inout Premise) { premise.limit(to: max) }
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

/// `pattern`: the whole text matches an ECMAScript pattern.
struct PatternRule: TextCondition {
  static let name = "pattern"
  static let arguments = [
    Argument<Self>(
      name: "pattern", needs: ("a pattern", "write it like `pattern: '[a-z]+'`"), isShorthand: true,
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
  func narrow(_ premise: inout Premise) { premise.limit(to: pattern.longestMatch) }
  var lengths: (min: Int, max: Int) {
    (pattern.syntax.lengthOfShortestMatch, pattern.longestMatch ?? .max)
  }
  var shape: PatternSyntax? { pattern.syntax }
  var core: PatternSyntax? { pattern.syntax.withoutAssertions }

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

/// `sameAs`: equal to another field's text, code point by code point.
struct SameAs: DependentCondition {
  static let name = "sameAs"
  static let arguments = [
    Argument(
      "field", \Self.field, isShorthand: true, needs: ("the name of a field", "write it like `sameAs: password`"))
  ]

  var field = ""
  var dependency: Dependency? { .field(field) }

  func judge(_ input: Input, of rule: Rule, in context: Context) -> Finding {
    guard case .text(let text) = input, case .text(let other)? = context.input(of: field) else { return .unmet(rule) }
    return isSame(text, other) ? .met : .unmet(rule)
  }

  func sentence(for reader: Audience) -> Sentence { .sameAs(reader.label(of: field)) }

  func fault(in field: Field, of fields: [Field]) -> FaultReason? {
    fields.named(self.field)?.kind.isList == true ? .sameAsList(self.field) : nil
  }
}

extension JSON {
  /// `minLength` and `maxLength`, or `minItems` and `maxItems`.
  static func bounds(_ what: String, _ min: Int?, _ max: Int?) -> JSON {
    .object([("min", min), ("max", max)].compactMap { end, bound in bound.map { .init(end + what, .integer($0)) } })
  }
}
