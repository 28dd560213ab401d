import Testing

@testable import Prompts

@Suite struct `The nearest word` {
  @Test(
    arguments: [
      ("titel", "title"), ("Title", "title"), ("massage", "message"), ("okWhenInvaild", "okWhenInvalid"), ("zzz", nil),
      ("", nil),
    ] as [(String, String?)])
  func `is what somebody meant`(typed: String, meant: String?) {
    #expect(Nearest.nearest(to: typed, among: ["title", "message", "fields", "okWhenInvalid"]) == meant)
  }

  @Test func `is not looked for without end`() {
    #expect(Nearest.nearest(to: String(repeating: "x", count: 1_000_000), among: ["title"]) == nil)
  }
}
