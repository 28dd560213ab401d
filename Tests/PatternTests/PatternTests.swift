import Testing

@testable import Prompts

@Suite struct `A pattern` {
  @Test(arguments: [
    ("a", "a", true), ("a", "ab", false), ("a", "ba", false), ("", "", true), ("", "a", false), ("a|b", "b", true),
    ("a|bc", "ac", false), ("^a$", "a", true), ("a$|b", "b", true), ("a^b", "ab", false), ("(?:)", "", true),
    (".", "😀", true), (".", "e\u{301}", false), ("..", "\r\n", false), ("[^]", "\n", true), ("[]", "a", false),
    ("[]|a", "a", true), (#".+@.+\..+"#, "bob@gmail", false), (#".+@.+\..+"#, "bob@gmail.com", true),
  ])
  func `only matches whole texts`(source: String, text: String, isMatch: Bool) throws {
    #expect(try Pattern(source).matches(text) == isMatch)
  }

  @Test func `takes the NUL and what comes after it as part of the text`() throws {
    #expect(try !Pattern("a").matches("a\0"))
    #expect(try Pattern("[^]{3}").matches("a\0b"))
  }

  @Test(arguments: [
    ("k", "\u{212A}"), ("s", "\u{17F}"), ("\u{DF}", "\u{1E9E}"), ("\u{3C3}", "\u{3C2}"), ("\u{1C4}", "\u{1C5}"),
    ("\u{13A0}", "\u{AB70}"), ("\u{10400}", "\u{10428}"), ("[a-z]", "\u{212A}"), (#"\w"#, "\u{17F}"),
  ])
  func `without ignoreCase keeps the cases apart, and with it follows simple case folding`(source: String, text: String)
    throws
  {
    #expect(try !Pattern(source).matches(text))
    #expect(try Pattern(source, ignoreCase: true).matches(text))
    let negated = source.hasPrefix("[") ? "[^" + source.dropFirst() : "[^\(source)]"
    #expect(try !Pattern(negated, ignoreCase: true).matches(text))
  }

  @Test(arguments: [("\u{DF}", "ss"), ("i", "\u{130}"), ("i", "\u{131}"), ("\u{FB01}", "fi")])
  func `does not fold what folds to several code points or to none`(source: String, text: String) throws {
    #expect(try !Pattern(source, ignoreCase: true).matches(text))
  }

  @Test(arguments: [
    (#"\p{L}+"#, false, DecidedBy.server), (#"[^\P{Lu}]"#, false, .server), (#"\p{ASCII}"#, true, .server),
    ("\u{264}", true, .server), ("\u{264}", false, .everywhere), ("[\u{264}\u{A7CB}]", true, .everywhere),
    ("[^\u{10D50}]", true, .server), ("\u{FB05}", true, .server), ("[a-z\u{DF}]", true, .everywhere),
    ("[^]", true, .everywhere), (#"\W"#, true, .everywhere),
  ])
  func `with properties or with young letters in either case is decided by the server`(
    source: String, ignoreCase: Bool, decidedBy: DecidedBy
  ) throws {
    #expect(try Pattern(source, ignoreCase: ignoreCase).decidedBy(upTo: 16) == decidedBy)
  }

  @Test(arguments: [
    (#"\p{L}"#, "é", "1"), (#"\p{Letter}"#, "é", "1"), (#"\p{gc=Uppercase_Letter}"#, "É", "é"),
    (#"\p{General_Category=Nd}"#, "٣", "a"), (#"\p{Script=Greek}"#, "λ", "l"), (#"\p{sc=Grek}"#, "λ", "l"),
    (#"\P{L}"#, "1", "é"), (#"[\p{L}\d]"#, "7", "-"), (#"[^\p{L}\d]"#, "-", "7"), (#"\p{C}"#, "\u{E01FF}", "a"),
    (#"\p{Cn}"#, "\u{E01FF}", "\u{1}"), (#"\P{LC}"#, "ª", "a"), (#"\p{Any}"#, "😀", ""), (#"\p{ASCII}"#, "a", "é"),
    (#"[^\p{Assigned}]"#, "\u{E01FF}", "a"),
  ])
  func `knows properties by the names of ECMAScript`(source: String, member: String, stranger: String) throws {
    let pattern = try Pattern(source)
    #expect(pattern.matches(member))
    #expect(!pattern.matches(stranger))
  }

  @Test func `folds the letters of a property before it negates a class and after it negates a property`() throws {
    #expect(try Pattern(#"\p{Lu}"#, ignoreCase: true).matches("a"))
    #expect(try Pattern(#"\P{Lu}"#, ignoreCase: true).matches("A"))
    #expect(try !Pattern(#"[^\p{Lu}]"#, ignoreCase: true).matches("a"))
    #expect(try !Pattern(#"[^\P{Lu}]"#, ignoreCase: true).matches("A"))
  }

  @Test func `reads a group within 511 others`() throws {
    let pattern = try Pattern(String(repeating: "(", count: 512) + String(repeating: ")", count: 512))
    #expect(pattern.matches(""))
    #expect(!pattern.matches("a"))
  }

  @Test func `is compiled once for all who hold it, and only for the same bytes and case`() throws {
    let pattern = try Pattern.shared("caf\u{E9}", ignoreCase: false)
    #expect(try Pattern.shared("caf\u{E9}", ignoreCase: false) === pattern)
    #expect(try Pattern.shared("caf\u{E9}", ignoreCase: true).matches("CAF\u{C9}"))
    #expect(try Pattern.shared("cafe\u{301}", ignoreCase: false).matches("cafe\u{301}"))
    #expect(pattern.matches("caf\u{E9}") && !pattern.matches("CAF\u{C9}") && !pattern.matches("cafe\u{301}"))
    // Many that nobody holds make room.
    for number in 0..<200 { _ = try Pattern.shared("\(number)", ignoreCase: false) }
    #expect(try Pattern.shared("caf\u{E9}", ignoreCase: false) === pattern)
    withExtendedLifetime(pattern) {}
  }
}

extension Pattern {
  /// Who decides about texts of up to so many code points.
  func decidedBy(upTo longestText: Int) -> DecidedBy {
    var premise = Premise()
    premise.limit(to: longestText)
    return decidedBy(on: premise)
  }
}
