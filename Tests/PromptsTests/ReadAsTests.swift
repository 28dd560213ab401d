import Testing

@testable import Prompts

@Suite struct `What was read of a number` {
  @Test(arguments: [
    ("de", "1.234", "Gelesen als 1,234"), ("de", "1,234", nil), ("de", "1,5", nil), ("de", "1.5", "Gelesen als 1,5"),
    ("en", "1,5", "Read as 1.5"), ("en", "1.5", nil), ("en", "１２", "Read as 12"), ("en", "5.", "Read as 5"),
    ("en", "+5", "Read as 5"), ("en", " 5 ", nil), ("en", "-5", nil), ("en", "\u{2212}5", "Read as -5"),
    ("en", "1\u{66C}234", "Read as 1234"), ("en", "x", nil), ("en", "", nil), ("en", "1e5", nil),
    ("es", "1.234", "Se lee como 1,234"), ("it", "1.234", "Letto come 1,234"), ("nl", "1.234", "Gelezen als 1,234"),
    ("pt-BR", "1.234", "Lido como 1,234"), ("da", "1.234", "Læst som 1,234"), ("tr", "1.234", "1,234 olarak okundu"),
    ("ja", "１．５", "1.5として読み取りました"), ("he", "٣٫٥", "נקרא כ־\u{2068}3.5\u{2069}"),
  ])
  func `is shown as the language writes it, unless that stands there`(language: String, text: String, shown: String?) {
    let sentences = Sentences(in: Language(language) ?? .english)
    #expect(Field("n", kind: .number).readAs(text, in: sentences) == shown)
    #expect(Field("n", rules: .number) { $0.trim = true }.readAs(text, in: sentences) == shown)
    #expect(Field("n").readAs(text, in: sentences) == nil)
  }

  @Test func `is shown of each item of a list`() {
    let list = Field("n", kind: .list, rules: .items([.number]))
    #expect(list.readAs("1,5\n\n2\nx", in: .english) == "Read as 1.5; 2; x")
    #expect(list.readAs("1.5\n\n2", in: .english) == nil)
  }

  @Test(arguments: [
    (Rule.email, "ada＠example.com", "Use half-width characters"),
    (.url, "ｈｔｔｐs://a.b", "Use half-width characters"),
    (.date, "２０２５-01-31", "Use half-width characters"), (.time, "09：30", "Use half-width characters"),
    (.email, "ada", "Enter an email address, like name@example.com"),
  ])
  func `Full-width characters are named where none can stand`(rule: Rule, text: String, message: String) {
    #expect(rule.verdict(on: text) == .invalid(rule: rule.name, message: message))
  }

  @Test(arguments: [
    ("+４９", "Use half-width characters"), ("+49", nil), ("49", "Start with +"), ("", "Start with +"),
  ])
  func `Full-width digits of a telephone number are named`(text: String, message: String?) throws {
    let pattern = try Rule.pattern(#"\+[0-9]+"#).saying("Start with +")
    #expect(Field("phone", kind: .tel, rules: pattern).verdict(on: text).message == message)
    #expect(Field("code", rules: pattern).verdict(on: "+４９").message == "Start with +")
    #expect(Field("phone", kind: .tel, rules: .length(max: 1)).verdict(on: "４９").message == "Enter at most 1 character")
  }

  @Test func `A field that is left empty is told so`() {
    #expect(Rule.notBlank.verdict(on: "").message == "Enter a value")
    #expect(Rule.notBlank.verdict(on: " ").message == "Enter something other than spaces")
    #expect(Rule.notBlank.saying("Say it").verdict(on: "").message == "Say it")
  }
}
