import MicroHTTP
import Pages
import Testing

@testable import OKCancel

@Suite struct `A registry` {
  @Test func `finds a prompt by its name, and no other by a part of one`() throws {
    let names = ["a", "ab", "abc", "abd", "b", "b-1", "b-10", "b-2", "zz"]
    let prompt = Prompt(title: "T", message: "M", fields: [Field("f")])
    for count in 0...names.count {
      let offered = names.prefix(count)
      let registry = PromptRegistry.Generation(
        offered.reversed().map { prompt.named($0) }, pages: try Pages(directory: "Templates"),
        files: try StaticFiles(directory: nil), headers: [])
      for name in names + ["", "A", "aa", "abcd", "b-", "b-11", "z", "zzz", "é"] {
        #expect(registry[name]?.name == (offered.contains(name) ? name : nil), "\(name) among \(offered)")
      }
    }
  }

  @Test func `compares names byte by byte, not by canonical equivalence`() throws {
    let named = ["K", "\u{E9}"].map { Prompt(title: "T", fields: [Field("f")]).named($0) }
    let registry = PromptRegistry.Generation(
      named, pages: try Pages(directory: "Templates"),
      files: try StaticFiles(directory: nil), headers: [])
    #expect(registry["K"]?.name == "K")
    #expect("\u{212A}" == "K")
    #expect(registry["\u{212A}"] == nil)
    #expect(registry["e\u{301}"] == nil)
  }
}
