import Foundation
import TestSupport
import Testing

@testable import Prompts

@Suite struct `What cannot be seen` {
  @Test(arguments: [
    ("make deploy\u{E003B}\u{E0063}", "make deploy⟨U+E003B⟩⟨U+E0063⟩"), ("a\u{202E}b\u{2066}c", "a⟨U+202E⟩b⟨U+2066⟩c"),
    ("a\u{AD}\u{34F}\u{61C}\u{115F}\u{2800}\u{FFF9}", "a⟨U+00AD⟩⟨U+034F⟩⟨U+061C⟩⟨U+115F⟩⟨U+2800⟩⟨U+FFF9⟩"),
    ("a\u{0}\u{1B}\u{7F}\u{9B}\r\u{2028}", "a⟨U+0000⟩⟨U+001B⟩⟨U+007F⟩⟨U+009B⟩⟨U+000D⟩⟨U+2028⟩"),
    ("a\tb\nc", "a\tb\nc"),
    // Emoji, and digits, which are one in a key cap only.
    ("👨‍👩‍👧 ❤️ ☎︎ 1️⃣ 👍🏽️", "👨‍👩‍👧 ❤️ ☎︎ 1️⃣ 👍🏽️"), ("1\u{FE0F}0\u{FE0E}", "1⟨U+FE0F⟩0⟨U+FE0E⟩"),
    ("a\u{200D}b❤\u{FE0F}\u{FE0F}👍\u{200D}", "a⟨U+200D⟩b❤\u{FE0F}⟨U+FE0F⟩👍⟨U+200D⟩"),
    // The flag of Wales; one that does not end; one that says more.
    (
      "🏴\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}",
      "🏴\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}"
    ),
    ("🏴\u{E0067}\u{E0062}", "🏴⟨U+E0067⟩⟨U+E0062⟩"),
    ("🏴\u{E0072}\u{E006D}\u{E0020}\u{E007F}", "🏴⟨U+E0072⟩⟨U+E006D⟩⟨U+E0020⟩⟨U+E007F⟩"),
    // Persian, with and without a letter that joins; Hindi; Latin.
    ("می\u{200C}خواهم کار\u{200C}ها ه\u{200D}", "می\u{200C}خواهم کار\u{200C}ها ه\u{200D}"),
    ("क्\u{200C}ष क्\u{200D}ष", "क्\u{200C}ष क्\u{200D}ष"), ("pay\u{200C}pal", "pay⟨U+200C⟩pal"),
    ("می\u{200C}\u{200C}خ", "می⟨U+200C⟩⟨U+200C⟩خ"), ("ب\u{64E}\u{200C}\u{64E}ب", "ب\u{64E}\u{200C}\u{64E}ب"),
    ("葛\u{E0100}葛\u{E0100}\u{E0101}a\u{E0100}", "葛\u{E0100}葛\u{E0100}⟨U+E0101⟩a⟨U+E0100⟩"),
    ("ᠠ\u{180B}ᠠ\u{180F}a\u{180B}", "ᠠ\u{180B}ᠠ\u{180F}a⟨U+180B⟩"),
    // Gaps that nobody sees across.
    ("a" + String(repeating: " ", count: 100) + "b", "a" + String(repeating: " ", count: 100) + "b"),
    ("a" + String(repeating: " ", count: 101) + "b", "a⟨U+0020 ×101⟩b"),
    ("a" + String(repeating: "\n", count: 12) + "  b", "a⟨U+000A ×11⟩\n  b"),
    (
      "a" + String(repeating: " \n", count: 60) + String(repeating: "\u{3000}", count: 200),
      "a⟨U+0020 ×119⟩\n⟨U+3000 ×200⟩"
    ),
    ("a" + String(repeating: "\t \n", count: 60) + "b", "a⟨U+0009…U+0020 ×179⟩\nb"),
    // More than anybody reads.
    (String(repeating: "a\u{200B}", count: 100), String(repeating: "a⟨U+200B⟩", count: 100)),
    (
      String(repeating: "a\u{200B}", count: 100) + "b\u{E0041}c\u{202E}\u{200D}d",
      String(repeating: "a⟨U+200B⟩", count: 100) + "bcd⟨… ×3⟩"
    ),
  ])
  func `is written out, unless emoji or writing need it`(text: String, revealed: String) {
    #expect(text.revealed == revealed)
    #expect(revealed.revealed == revealed)
    #expect(text.hiddenSummary.isEmpty == (text == revealed))
  }

  @Test func `is named once each, and in one line`() {
    #expect("a\u{202E}b\u{200B}c\u{202E}".hiddenSummary == "⟨U+202E⟩ ⟨U+200B⟩")
    // Browsers send line feeds with carriage returns.
    #expect("a\r\nb\rc".hiddenSummary == "")
    let many = String(String.UnicodeScalarView((0xE0020...0xE0040).compactMap(Unicode.Scalar.init)))
    #expect(many.hiddenSummary.hasSuffix("⟨U+E0027⟩ …"))
  }

  @Test func `is all that Unicode ignores by default`() {
    for scalar in (0...0x10FFFF).compactMap(Unicode.Scalar.init) where scalar.properties.isDefaultIgnorableCodePoint {
      #expect(scalar.isHidden, "\(scalar.value)")
    }
  }

  /// Promise 2.19 | The browser and the server find the same characters.
  @Test(.enabled(if: NodeProcess.isAvailable)) func `is the same in the browser`() throws {
    let tables = [
      "hidden", "virama", "joinsNext", "joinsPrevious", "transparent", "arabic", "pictograph", "ideograph", "mongolian",
    ]
    .map { UnicodeData.set($0, in: "hidden.txt").ranges }
    let others = [
      0x200C, 0x200C, 0x200D, 0x200D, 0xFE0F, 0x1F3F4, 0x1F3FD, 0x20E3, 0x31, 0x41, 0xE0067, 0xE0062, 0xE007F, 0xE0100,
      0x180B,
    ]
    var random = SeededGenerator(seed: 7)
    func point() -> Unicode.Scalar {
      guard Bool.random(using: &random), let range = tables.randomElement(using: &random)?.randomElement(using: &random)
      else {
        return Unicode.Scalar(UInt32(others.randomElement(using: &random) ?? 0)) ?? "a"
      }
      return Unicode.Scalar(UInt32.random(in: range, using: &random)) ?? "a"
    }
    func gap() -> [Unicode.Scalar] {
      (0..<Int.random(in: 0...130, using: &random)).map { _ in
        [" ", " ", "\n", "\t", "\u{A0}"].randomElement(using: &random) ?? " "
      }
    }
    var texts = (0..<40_000).map { _ in
      String(String.UnicodeScalarView((0..<Int.random(in: 1...12, using: &random)).map { _ in point() }))
    }
    texts += (0..<2_000).map { _ in String(String.UnicodeScalarView([point()] + gap() + [point()] + gap())) }
    // Each code point of the tables beside what each exception looks at.
    for range in tables.joined() {
      for value in [range.lowerBound, range.upperBound] + (range.lowerBound > 0 ? [range.lowerBound - 1] : []) {
        guard let scalar = Unicode.Scalar(value), let next = Unicode.Scalar(range.upperBound + 1) else { continue }
        texts += [0x200C, 0x200D, 0xFE0F, 0xE0100, 0x180B].compactMap(Unicode.Scalar.init).flatMap { hidden in
          ["\(scalar)\(hidden)\(scalar)", "ب\(hidden)\(next)", "\(next)\(hidden)ب", "❤\(hidden)\(scalar)"]
        }
      }
    }
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "hidden.mjs").path
    let shown = try JSONDecoder().decode(
      [String].self, from: NodeProcess.run([script], input: JSONEncoder().encode(texts)))
    #expect(shown.count == texts.count)
    for (text, shown) in zip(texts, shown) where !shown.utf8.elementsEqual(text.revealed.utf8) {
      Issue.record("\(text.unicodeScalars.map { String($0.value, radix: 16) }): \(shown) and \(text.revealed)")
    }
  }

  @Test(arguments: Languages.offered.map(\.tag))
  func `stands in no sentence of our own but as a mark of direction around a value`(tag: String) {
    let sentences = Sentences(in: Language(unchecked: tag))
    for text in PageText.allCases { #expect(sentences[text].revealed == sentences[text]) }
    for rule in ["a\u{E0041}b", "\u{202E}"] {
      let said = sentences(.sameAs(rule)).unicodeScalars.filter { $0 != "\u{2068}" && $0 != "\u{2069}" }
      #expect(!said.contains { $0.isHidden })
      #expect(said.contains("⟨"))
    }
  }
}
