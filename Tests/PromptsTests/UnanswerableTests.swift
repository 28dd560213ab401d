import Foundation
import ServedFields
import TestSupport
import Testing

@testable import Prompts

@Suite struct `A field with a known answer` {
  /// Texts of each kind that has a form of its own.
  private static let answers: [Field.Kind: [String]] = [
    .email: ["alice@example.com", "a@b", "first.last+tag@mail.example.org"],
    .url: ["https://example.com", "HTTP://a", "http://[::1]:8080/a?b=c#d", "https://bücher.example/ä%20b"],
    .integer: ["0", "-12", "007", "9999999999999999999999999999999999"], .number: ["1.5", "-.5", "2e10", "1E-3"],
    .date: ["2025-01-31", "0001-01-01", "2024-02-29"], .time: ["09:30", "23:59:59.250"],
    .dateTime: ["2025-01-31T09:30", "2024-02-29 00:00:00.5"],
  ]

  /// Of all patterns that somebody could write, each rule here is one that the answer meets.
  @Test(arguments: [1, 2, 3] as [UInt64]) func `is never called unanswerable`(seed: UInt64) throws {
    var (generator, random, found) = (PatternGenerator(seed: seed), SeededGenerator(seed: seed), 0)
    let samples = (0..<40).map { _ in generator.sample() }
    let patterns = samples.compactMap { try? Rule.pattern($0.pattern, ignoreCase: $0.ignoreCase) }
    let typed = Self.answers.flatMap { kind, texts in texts.map { (kind, $0) } }.sorted { $0.1 < $1.1 }
    for (kind, text) in typed + samples.flatMap(\.texts).map({ (.multiline, $0) }) {
      if TextRule.fault(in: .text(text), kind: .multiline) != nil { continue }
      let length = text.unicodeScalars.count
      let ownPatterns = try Self.patterns(around: text, &random).map { try Rule.pattern($0) }
      let lengths = [Rule.length(min: length, max: length), .length(max: length + 1), .nonEmpty, .notBlank]
      // Rules on what the field makes of a text would be asked about another one.
      let pool = patterns + ownPatterns + lengths + [.email, .url, .integer, .number, .date, .time, .dateTime]
      let met = pool.map { $0.isValid(text) ? $0 : Rule.not($0) }
      for count in 1...4 {
        var rules = (0..<count).map { _ in met.randomElement(using: &random) ?? met[0] }
        if count == 4 { rules.append(Rule.any([pool.randomElement(using: &random) ?? pool[0], .all(rules)])) }
        let field = Field("f", kind: kind, rules: rules)
        var reading = Reading()
        let fault = field.unanswerable(&reading)
        #expect(fault == nil, "\(kind) \(text.debugDescription): \(rules) \(String(describing: fault?.why))")
        // One more code point than the text has, which no text meets together with its length.
        let longer = Field("f", kind: kind, rules: rules + [.length(max: length), .length(min: length + 1)])
        found += longer.unanswerable(&reading) == nil ? 0 : 1
      }
    }
    #expect(found > 100)
  }

  /// Patterns that match a text: itself, with parts left open.
  private static func patterns(around text: String, _ random: inout SeededGenerator) -> [String] {
    (0..<3).map { _ in
      text.unicodeScalars.map { scalar in
        let isOpen = Int.random(in: 0...2, using: &random) == 0
        return isOpen
          ? ["[^]*", "[^]", "[^]?", "[^]{1,3}"].randomElement(using: &random) ?? ""
          : "\\u{\(String(scalar.value, radix: 16))}"
      }.joined()
    }
  }

  @Test(arguments: `The conformance corpus`.files) func `is never called unanswerable in the corpus`(file: String)
    throws
  {
    let bytes = Array(try Data(contentsOf: `The conformance corpus`.directory.appending(path: file)))
    let json = try JSON(parsing: bytes, limits: JSONLimits(depth: 64, keys: 1_000_000, string: 1 << 20))
    for group in json["groups"]?.elements ?? [] {
      let isAnswered = group["cases"]?.elements.contains { $0["valid"]?.isTrue == true } == true
      for served in group["fields"]?.elements ?? [] where isAnswered && served["optional"]?.isTrue != true {
        var reading = Reading()
        let field = try #require(Field(served: served, &reading))
        guard !field.kind.offersOptions,
          field.name == group["field"]?.text ?? group["fields"]?.elements.first?["name"]?.text
        else { continue }
        #expect(field.unanswerable(&reading) == nil, "\(file): \(group["description"]?.text ?? "")")
      }
    }
  }
}
