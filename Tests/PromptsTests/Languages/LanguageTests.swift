import Testing

@testable import Prompts

@Suite struct `A language` {
  @Test(arguments: [
    ("de", "de"), ("DE", "de"), ("pt-br", "pt-BR"), ("zh-hans", "zh-Hans"), ("ZH-HANT-tw", "zh-Hant-TW"),
    ("es-419", "es-419"),
    ("sl-rozaj", "sl-rozaj"), ("de-1996", "de-1996"), ("ckb", "ckb"),
  ])
  func `is read in any case`(text: String, tag: String) { #expect(Language(text)?.tag == tag) }

  @Test(arguments: [
    "", "d", "german!", "de_DE", "de-", "-de", "de--DE", "de-D", "x-mine", "i-klingon", "abcd", "de-u-co-phonebk",
    "zh-yue",
    "d\u{E9}", "de\u{0}", "*", String(repeating: "a", count: 9), "de" + String(repeating: "-variant", count: 5),
  ])
  func `is a tag that every browser takes`(text: String) { #expect(Language(text) == nil) }

  @Test(arguments: [
    ("ar", true), ("ar-EG", true), ("he", true), ("fa", true), ("ur-PK", true), ("ckb", true), ("az-Arab", true),
    ("pa-Arab-PK", true), ("en", false), ("arn", false), ("ar-Latn", false), ("he-Latn-IL", false), ("ja", false),
  ])
  func `runs the way its script does`(tag: String, isRightToLeft: Bool) {
    #expect(Language(tag)?.isRightToLeft == isRightToLeft)
  }

  /// RFC 4647, section 3.4, and what people expect of it.
  @Test(
    arguments: [
      ("de", ["en", "de"], "de"), ("de-AT", ["en", "de"], "de"), ("de-AT", ["de", "de-AT"], "de-AT"),
      ("de-1996-AT", ["de"], nil), ("fr", ["en", "de"], nil), ("zh-CN", ["zh-Hans"], "zh-Hans"),
      ("zh", ["zh-Hans"], "zh-Hans"), ("zh-Hans-SG", ["zh-Hans"], "zh-Hans"), ("zh-TW", ["zh-Hans"], nil),
      ("zh-HK", ["zh-Hans", "zh-Hant"], "zh-Hant"), ("zh-TW", ["zh-TW"], "zh-TW"), ("zh-HK", ["en", "zh-TW"], "zh-TW"),
      ("zh-Hans-HK", ["zh-Hans"], "zh-Hans"), ("zh-Hant-CN", ["zh-Hans"], nil), ("pt", ["pt-BR"], "pt-BR"),
      ("pt-PT", ["en", "pt-BR"], "pt-BR"),
      ("no", ["nb"], "nb"), ("nn-NO", ["en", "nb"], "nb"), ("nb", ["no"], "no"), ("no", ["nb", "nn", "no"], "no"),
      ("en-GB", ["en"], "en"), ("en", ["en-GB"], "en-GB"), ("e", ["en"], nil), ("enm", ["en"], nil),
    ] as [(String, [String], String?)])
  func `is looked up from its end`(wanted: String, offered: [String], found: String?) {
    #expect(Language(wanted)?.lookup(in: offered.compactMap { Language($0) })?.tag == found)
  }
}
