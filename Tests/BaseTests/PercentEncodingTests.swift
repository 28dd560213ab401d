import Testing

@testable import Platform
@testable import Prompts

struct PercentEncodingTests {
  @Test(
    arguments: [
      ("a-z", "aé~", "a%C3%A9%7E"), ("", "\u{0}a\u{7F}", "%00%61%7F"), ("^%\n", "50%\r\né", "50%25\r%0Aé"),
      ("a", "a\u{301}", "a%CC%81"),
    ] as [(CharacterClass, String, String)])
  func `encodes all other bytes`(kept: CharacterClass, text: String, encoded: String) {
    #expect(text.percentEncoded(except: kept) == encoded)
    #expect(encoded.contains("\r") || Array(encoded.utf8)[...].percentDecoded().bytes == Array(text.utf8))
  }

  @Test(
    arguments: [
      ("a%2Fb%2f", "a/b/", nil), ("%", "%", 0), ("%4", "%4", 0), ("a%g1%41", "a%g1A", 1), ("%%41", "%A", 0),
      ("", "", nil), ("+%2B", "++", nil),
    ] as [(String, String, Int?)])
  func `decodes what is encoded, and finds the first that is not`(text: String, decoded: String, fault: Int?) {
    let found = Array(text.utf8)[...].percentDecoded()
    #expect(found.bytes == Array(decoded.utf8) && found.fault == fault)
  }

  @Test func `decodes with another mark, and a character for spaces`() {
    let found = Array("x=3D_%41=".utf8)[1...].percentDecoded(mark: UInt8(ascii: "="), space: UInt8(ascii: "_"))
    #expect(found.bytes == Array("= %41=".utf8) && found.fault == 8)
  }
}
