import TestSupport
import Testing

@testable import Prompts

@Suite struct `A refused pattern` {
  /// Each is said to be wrong at a column.
  @Test(
    arguments: cases(
      #"""
      \d{3}(?=a) → 6: look-around `(?=` does not run in linear time; split it into two rules; `not` negates one
      (a)\1
        → 4: the back-reference `\1` does not run in linear time; write out what may be repeated, or compare two fields with `sameAs`
      😀(?i:a)
        → 2: flags within a pattern mean different things in different engines; write `ignoreCase: true` beside the pattern, or both cases, like `[Aa]`
      a{1001}
        → 2: a quantifier’s bound is more than 1000; write at most 1000, or leave the length to a `length` rule
      (?:a{100}){11}
        → 11: quantifiers within each other repeat 1100 times, more than 1000; lower the bounds, or write `*` or `+` and leave the length to a `length` rule
      a{2,1} → 2: the bounds {2,1} are out of order; write {1,2}
      * → 1: there is nothing before `*` to repeat; put something before it, or write `\*` for the character itself
      a{ → 2: `{` must be escaped here; write `\{` for the character itself
      \é → 1: `\é` is not an escape here; write `é` without the backslash
      \A[a-z] → 1: `\A` is not needed, since the whole text is matched anyway; leave it out
      \y → 1: `\y` is not an escape; write `y` for the character itself, or `\\y` for a backslash before it
      a\0 → 2: `\0` is not accepted; write `\x00`
      \cJ → 1: `\cJ` is not accepted; write `\x0A`
      \p{Emoji}
        → 1: the property `Emoji` is not known to both browsers and the server; write a general category like `\p{L}`, a script like `\p{Script=Greek}`, or the code points in a class
      (?<a>b)(?<a>c) → 11: two groups have the name `a`; give one of them another name
      """#)
  )
  func `says what is wrong and what to do`(source: String, fault: String) throws {
    let found = try #require(#expect(throws: PatternFault.self) { try Pattern(source) })
    #expect("\(found.column): \(found)" == fault)
  }

  @Test func `says that letter case and boundaries do not go together`() {
    let fault = #expect(throws: PatternFault.self) { try Pattern(#"a\b"#, ignoreCase: true) }
    #expect(fault?.column == 2)
    #expect(
      fault?.description == "`\\b` together with `ignoreCase` means different things in different engines; "
        + "leave out `ignoreCase` and write both cases, like `[Aa]`, or write the neighbours out")
  }

  @Test func `is accepted at 1024 bytes and refused at 1025, at the code point that goes beyond`() throws {
    let longest = String(repeating: "é", count: 512)
    #expect(try Pattern(longest).matches(longest))
    let fault = #expect(throws: PatternFault.self) { try Pattern("a" + longest) }
    #expect(fault?.description.hasPrefix("the pattern is 1025 bytes long") == true)
    #expect(fault?.column == 513)
  }

  /// Promise 3.15
  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      String(repeating: "a{0,1000}", count: 113), String(repeating: "a{1000}", count: 146),
      String(repeating: #"(?:\w{0,31}-?){0,31}"#, count: 48), String(repeating: #"[^\p{L}\p{N}]{0,99}"#, count: 51),
    ])
  func `is too large when RE2 would take long to compile it, and told so at once`(source: String) {
    let fault = #expect(throws: PatternFault.self) { try Pattern(source) }
    #expect(fault == .tooLarge)
  }

  @Test(arguments: [#"\p{L}{1000}"#, #"[^\p{Lu}\s]{1,1000}"#])
  func `is not too large by its classes: one counts for no more than a letter`(source: String) throws {
    #expect(try Pattern(source).matches(String(repeating: "é", count: 1000)))
  }

  /// The remedy of each fault, followed to the letter, gives a pattern that is accepted and means what was meant.
  @Test(arguments: [
    (#"\A\d{3}"#, #"\d{3}"#, "555"), (#"\é"#, "é", "é"),
    ("[a-z]{1,2000}", "[a-z]{1,1000}", "a"), ("a**", "(?:a*)*", "aa"), ("a{2,1}", "a{1,2}", "aa"),
    ("{a}", #"\{a\}"#, "{a}"), ("a]", #"a\]"#, "a]"), ("(a", #"\(a"#, "(a"), ("a)", #"a\)"#, "a)"),
    ("[a", #"\[a"#, "[a"), (#"[\w-.]"#, #"[\w\-.]"#, "-"), ("[z-a]", #"[z\-a]"#, "-"), (#"a\"#, #"a\\"#, #"a\"#),
    (#"\ud83d"#, #"\u{1F600}"#, "😀"), (#"[\ud800-\udfff]"#, #"[\u{10000}-\u{10FFFF}]"#, "😀"),
    (#"\p{Greek}+"#, #"\p{Script=Greek}+"#, "λ"), (#"\pL"#, #"\p{L}"#, "é"), (#"\cI"#, #"\x09"#, "\t"),
    (#"[\b]"#, #"[\x08]"#, "\u{8}"), ("(?i)yes", "[Yy][Ee][Ss]", "YES"), (#"\u{D}\u"#, #"\u{D}u"#, "\ru"),
    ("(?<1>a)", "(?<a>a)", "a"), ("(?a)", "(?:a)", "a"), ("^*", "^", ""),
  ])
  func `is accepted once its remedy is followed`(refused: String, remedied: String, text: String) throws {
    #expect(throws: PatternFault.self) { try Pattern(refused) }
    #expect(try Pattern(remedied).matches(text))
  }
}
