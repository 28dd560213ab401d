import Testing

@testable import Prompts

@Suite("A pattern is decided by the server")
struct BacktrackingCostTests {
  @Test(
    "when a backtracking engine could take exponential time",
    arguments: [
      "^(a+)+$", "(a*)*", "(a*)+b", "(a|a)*", "(a|b|ab)*c", "(a|ab|b)+", "(?:a?a)+", "(a+b?)+c", "(.*)*", "([^]*)*",
      "(a{1,3})+",
      "(a{2}|a{3})*", "(?:a|a){30}", "(a?){25}a{25}", "((a?){5}){6}", "(a{1,10}){1,20}b", "(?:a?b?)+c", "(\\w+\\s?)+",
      "((a)+)+",
      "(x+x+)+y", "(?:(?:a|b)+|c)+d", "(a|[ab])*c", "(?:)|(?:a+)+", "^(?:\\d+,?)+$", "(?<n>a+)+", "(a*?)*?",
      "(a+){10,}",
      "(a?)+(a?)+(a?)+b", "(a|b)*(?:b|ab)+(ab|a|b)*x",
      "a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?aaaaaaaaaaaaaaaaaaaaaaaaa",
      "(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)",
    ])
  func exponential(source: String) throws {
    #expect(try Pattern(source).decidedBy == .server)
  }

  @Test(
    "when it could take cubic time",
    arguments: [
      "a*a*a*", "[a-z]*[a-z]*[a-z]*x", ".*[A-Z].*[0-9].*[a-z].*", #"\s*\S*\s*\w*\W*\s*.*;"#,
      "[ab]{0,1000}[ab]{0,1000}[ab]{0,1000}c",
    ])
  func cubic(source: String) throws {
    #expect(try Pattern(source).decidedBy == .server)
  }

  @Test(
    "and else everywhere",
    arguments: [
      "a*", "a*b*c*", "(ab*c)*", "(?:a|b)*", "(a|ba)*", "(?:a,)*", "(a+,)*", "a*a*", ".*.*", ".+@.+", "(a{3})*",
      "(?:ab{0,5}){0,9}",
      "(a?){0,25}a{25}", "(a?b)*", "a{1000}", "(?:a{10}){100}", "[ab]{0,1000}c", "(?:a|a)", "(?:ab|ac)+",
      "(\\d+\\.)*\\d+", "(^a|b$)*",
      "a{0,60}a{0,60}",
    ])
  func quadratic(source: String) throws {
    #expect(try Pattern(source).decidedBy == .everywhere)
  }

  @Test("is told apart without counting out what cannot be counted out", .timeLimit(.minutes(1)))
  func bounded() throws {
    let sources = [
      "(?:(?:a{0,10}b{0,10}){0,10}c?){0,10}", String(repeating: "a|", count: 511),
      "(?:" + String(repeating: #"\w?"#, count: 300) + ")*",
    ]
    for source in sources { #expect(throws: Never.self) { try Pattern(source) } }
  }
}

@Suite("A verdict on the server")
struct LinearTimeTests {
  @Test("comes where a backtracking engine would take for ever", .timeLimit(.minutes(1)))
  func nestedRepetition() throws {
    let pattern = try Pattern("^(a+)+$")
    let text = String(repeating: "a", count: 100_000)
    #expect(pattern.matches(text))
    #expect(!pattern.matches(text + "b"))
  }

  @Test(
    "comes on the longest text, whatever the pattern", .timeLimit(.minutes(1)),
    arguments: [".*a.{1000}", ".*a[ab]{1000}", "(?:[ab]*a[ab]{30}){1,3}", "(?:.*a.{100}|.*b.{101}|.*a.{102})"])
  func wideAutomaton(source: String) throws {
    let pattern = try Pattern(source)
    var random = SeededGenerator(seed: 1)
    let text = String((0..<16_384).map { _ in Bool.random(using: &random) ? "a" as Character : "b" })
    #expect(!pattern.matches(text + "\n"))
  }
}
