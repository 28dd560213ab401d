import Testing

@testable import Prompts

struct TextReaderTests {
  @Test func `takes what is next, and leaves what is not`() {
    var reader = TextReader("ab12é=")
    #expect(!reader.take("b") && reader.take("a"))
    #expect(reader.take(some: "0-9") == nil && reader.take(some: "a-z") == "b")
    #expect(reader.take(some: "0-9", 3...4) == nil && reader.take(some: "0-9", 1...1) == "1")
    #expect(reader.take(any: "a-z") == "" && reader.take(any: "^=") == "2é")
    #expect(reader.rest == "=" && reader.take("=") && reader.isAtEnd)
  }

  @Test func `takes a letter from under its accent, as bytes do`() {
    var reader = TextReader("a\u{301}")
    #expect(reader.take("a") && reader.rest.unicodeScalars.elementsEqual(["\u{301}"]))
  }

  @Test func `begins after a mark`() {
    #expect(TextReader(after: ": ", in: "a: b: c")?.rest == "b: c")
    #expect(TextReader(after: ": ", in: "a:b") == nil)
  }

  @Test(
    arguments: [
      ("a-z", "az", true), ("a-z", "aZ", false), ("a-z-", "a-z", true), ("+-", "-+", true), ("a", "", false),
      ("a", "a\u{301}", false), ("^a", "bé", true), ("^a", "ba", false), ("a^", "^", true),
    ] as [(CharacterClass, String, Bool)])
  func `knows the characters of a class`(characters: CharacterClass, text: String, isSo: Bool) {
    #expect(text.consists(of: characters) == isSo)
  }
}
