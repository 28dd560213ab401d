import Testing

@testable import Asks
@testable import MicroHTTP
@testable import OKCancel
@testable import Prompts

@Suite struct `A registry` {
  @Test func `reads what an ask will be kept as, and says what it cannot read`() throws {
    let known = KnownPrompts([])
    let prompt = Prompt(title: "T", fields: [Field("f")])
    try known.check(AskDraft(prompt))
    for (definition, said) in [(#"{"title":""}"#, "`title` is blank"), ("{", "ends too early")] {
      do throws(Problem) {
        try known.check(AskDraft(definition: Array(definition.utf8), holdsPasswords: false))
        Issue.record("it was taken")
      } catch {
        #expect(error.status == .badRequest)
        #expect(error.errors.first?.message.contains(said) == true)
      }
    }
  }

  private func generation(_ prompts: [NamedPrompt]) throws -> PromptRegistry.Generation {
    PromptRegistry.Generation(
      prompts, pages: try Pages(directory: "Templates"), files: try StaticFiles(directory: nil), headers: [])
  }

  @Test func `finds a prompt by its name, and no other by a part of one`() throws {
    let names = ["a", "ab", "abc", "abd", "b", "b-1", "b-10", "b-2", "zz"]
    let prompt = Prompt(title: "T", message: "M", fields: [Field("f")])
    for count in 0...names.count {
      let offered = names.prefix(count)
      let registry = try generation(offered.reversed().map { prompt.named($0) })
      for name in names + ["", "A", "aa", "abcd", "b-", "b-11", "z", "zzz", "é"] {
        #expect(registry[name]?.name == (offered.contains(name) ? name : nil), "\(name) among \(offered)")
      }
    }
  }

  @Test func `keeps translated prompts as long as there is room`() throws {
    let languages = Languages.offered.filter { $0 != .english }
    let translations = languages.map { ($0.tag, Translation(title: "T")) }
    let prompt = Prompt(title: "T", translations: Dictionary(uniqueKeysWithValues: translations), fields: [Field("f")])
    let translated = TranslatedPrompts(capacity: 1 << 20)
    let pages = try Pages(directory: "Templates")
    for number in 0..<40 {
      let own = PublishedPrompt("p\(number)", prompt.edition(), pages: pages, headers: [], among: translated)
      for language in languages {
        let request = try Request(.get, "/prompts/p\(number)?lang=\(language)")
        let other = own.inLanguage(of: request)
        #expect(other.edition.language == language)
        _ = (other[.page], other[.rules])
        #expect(own.inLanguage(of: request) === other)
        #expect(translated.size.bytes <= 1 << 20)
      }
    }
    #expect((20...200).contains(translated.size.count))
  }

  @Test func `compares names byte by byte, not by canonical equivalence`() throws {
    let named = ["K", "\u{E9}"].map { Prompt(title: "T", fields: [Field("f")]).named($0) }
    let registry = try generation(named)
    #expect(registry["K"]?.name == "K")
    #expect("\u{212A}" == "K")
    #expect(registry["\u{212A}"] == nil)
    #expect(registry["e\u{301}"] == nil)
  }
}
