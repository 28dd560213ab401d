import TestSupport
import Testing

@testable import Prompts

@Suite struct `A pattern is decided by the server` {
  @Test(arguments: [
    "^(a+)+$", "(a*)*", "(a*)+b", "(a|a)*", "(a|b|ab)*c", "(a|ab|b)+", "(?:a?a)+", "(a+b?)+c", "(.*)*", "([^]*)*a",
    "(a{1,3})+",
    "(a{2}|a{3})*", "(?:a|a){30}", "(a?){25}a{25}", "((a?){5}){6}", "(a{1,10}){1,20}b", "(?:a?b?)+c", "(\\w+\\s?)+",
    "((a)+)+",
    "(x+x+)+y", "(?:(?:a|b)+|c)+d", "(a|[ab])*c", "(?:)|(?:a+)+", "^(?:\\d+,?)+$", "(?<n>a+)+", "(a*?)*?",
    "(a+){10,}",
    "(a?)+(a?)+(a?)+b", "(a|b)*(?:b|ab)+(ab|a|b)*x",
    "a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?aaaaaaaaaaaaaaaaaaaaaaaaa",
    "(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)",
  ])
  func `when a backtracking engine could take exponential time`(source: String) throws {
    #expect(try Pattern(source).decidedBy(upTo: 16_384) == .server)
  }

  /// Promise 3.16
  @Test(arguments: [
    "(?:.*){20}", ".*,?.*,?.*,?.*", #".+\d+.*"#, "a*a*", ".*,.*", ".+@.+", #".+@.+\..+"#, "a*a*a*",
    ".*[A-Z].*[0-9].*[a-z].*", #"\s*\S*\s*\w*\W*\s*.*;"#, "[ab]{0,1000}[ab]{0,1000}[ab]{0,1000}c",
    ".*a.{1000}", "[^]*,[^]*!",
  ])
  func `when some text of 16 KiB could freeze the page`(source: String) throws {
    #expect(try Pattern(source).decidedBy(upTo: 16_384) == .server)
  }

  @Test(arguments: [
    "a*", "a*b*c*", "(ab*c)*", "(?:a|b)*", "(a|ba)*", "(?:a,)*", "(a+,)*", "[^@]+@[^@]+", "(a{3})*", "[^]*,[^]*",
    "(?:ab{0,5}){0,9}", "(a?b)*", "a{1000}", "(?:a{10}){100}", "[ab]{0,1000}c", "(?:a|a)", "(?:ab|ac)+",
    #"(\d+\.)*\d+"#, "(^a|b$)*", "a{0,60}a{0,60}", ".*a.{100}", "(?:a?b?c?){3}", "(a?){0,25}a{25}", "([^]*)*",
    ".{0,200},.{0,200}",
  ])
  func `and else everywhere`(source: String) throws {
    #expect(try Pattern(source).decidedBy(upTo: 16_384) == .everywhere)
  }

  @Test(arguments: [
    (".*,.*", 1_700, 3_000), (#".+@.+\..+"#, 254, 1_000), (".*,?.*,?.*,?.*", 20, 60), (#".+\d+.*"#, 200, 400),
    ("a*a*a*", 200, 1_000), ("(a+)+", 10, 40), (".*a.{1000}", 2_500, 16_384),
  ])
  func `unless its field takes shorter texts only`(source: String, local: Int, server: Int) throws {
    let pattern = try Pattern(source)
    #expect(pattern.decidedBy(upTo: local) == .everywhere)
    #expect(pattern.decidedBy(upTo: server) == .server)
  }

  @Test(.timeLimit(.minutes(1)))
  func `is told apart without counting out what cannot be counted out`() throws {
    let sources = [
      "(?:(?:a{0,10}b{0,10}){0,10}c?){0,10}", String(repeating: "a|", count: 511),
      "(?:" + String(repeating: #"\w?"#, count: 300) + ")*",
    ]
    for source in sources { #expect(throws: Never.self) { try Pattern(source) } }
  }
}

@Suite struct `A backtracking engine` {
  /// Fewer steps than in earnest, so that a thousand patterns can be tried on their longest texts.
  private static let affordableSteps = 2_000.0

  /// Promise 3.16 | No pattern can freeze a page: if some text could keep a browser busy for more than some tens of
  /// milliseconds, the server decides the pattern.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `takes no more steps than were foreseen, on texts made to keep it busy`(seed: UInt64) throws {
    var generator = PatternGenerator(seed: seed)
    var (tried, mostExpensive) = (0, 0)
    for number in 0..<400 {
      let source = number < Self.expensive.count ? Self.expensive[number] : generator.sample(textCount: 1).pattern
      guard let syntax = try? Pattern(source).syntax else { continue }
      let longestText = BacktrackingCost.longestText(
        of: syntax, on: nil, upTo: 16_384, affordableSteps: Self.affordableSteps)
      guard longestText > 0, let engine = BacktrackingEngine(syntax) else { continue }
      for _ in 0..<12 {
        let text = generator.pumpedText(of: engine.letters, length: min(longestText, 600))
        let steps = engine.steps(on: text, atMost: 10 * Int(Self.affordableSteps))
        #expect(Double(steps) <= Self.affordableSteps, "\(source) on \(text)")
        mostExpensive = max(mostExpensive, steps)
        tried += 1
      }
    }
    #expect(tried > 2_000)
    // The bound would be none if no text came near it.
    #expect(Double(mostExpensive) > Self.affordableSteps / 2)
  }

  private static let expensive = [
    "(?:.*){20}", ".*,?.*,?.*,?.*", #".+\d+.*"#, ".*,.*", #".+@.+\..+"#, "a*a*a*", "(a+)+", "(?:a|a)*b", "(a|ab|b)+c",
    "(?:a?){5}a{5}", "[ab]{0,30}[ab]{0,30}c", "(?:a?b?)+c", "(|a)(|a)(|a)b", #"(\w+\s?)+"#, "(^a|b$)*", "(?:a{10}){10}",
    ".*a.{30}", #"^(\d{1,4}[-.\s]?){2,5}$"#, #"\s*(.+?)\s*"#, #"^[^@\s]+@[^@\s]+\.[^@\s]+$"#,
  ]
}

@Suite struct `A verdict on the server` {
  /// ASVS 1.3.12 (3) | no runaway patterns | RE2, with a limit on what it compiles
  @Test(.timeLimit(.minutes(1)))
  func `comes where a backtracking engine would take for ever`() throws {
    let pattern = try Pattern("^(a+)+$")
    let text = String(repeating: "a", count: 100_000)
    #expect(pattern.matches(text))
    #expect(!pattern.matches(text + "b"))
  }

  /// Promise 3.15 | Patterns run in linear time, and those that take long to compile are refused.
  @Test(
    .timeLimit(.minutes(1)),
    arguments: [".*a.{1000}", ".*a[ab]{1000}", "(?:[ab]*a[ab]{30}){1,3}", "(?:.*a.{100}|.*b.{101}|.*a.{102})"])
  func `comes on the longest text, whatever the pattern`(source: String) throws {
    let pattern = try Pattern(source)
    var random = SeededGenerator(seed: 1)
    let text = String((0..<16_384).map { _ in Bool.random(using: &random) ? "a" as Character : "b" })
    #expect(!pattern.matches(text + "\n"))
  }
}
