import Testing

@testable import OKCancel
@testable import Prompts

@Suite struct `A slider's scale` {
  @Test(
    arguments: [
      ("5", "10", nil, "10"), ("5", "5", "2", "7"), ("0", "1", nil, "0"), ("-7", "5", nil, "-5"),
      ("-3", "2", "10", "-2"),
      ("0.15", "0.1", nil, "0.2"), ("0.1", "0.1", nil, "0.1"), ("1", "0.3", "0.1", "1"), ("1e2", "30", nil, "120"),
      ("1e300", "7", nil, "1e300"),
    ] as [(String, String, String?, String)])
  func `It begins at the first step that is not below its smallest value`(
    min: String, step: String, from: String?, start: String
  ) {
    #expect(SliderScale.start(min: min, step: step, from: from) == start)
  }

  @Test func `It is drawn from the first of the rule's steps`() throws {
    let slider = Field("s", kind: .slider, rules: [.range(min: 5, max: 30), .step(of: 5, from: 2)])
    let page = try page(Prompt(title: "T", fields: [slider]))
    #expect(page.contains(#"type="range" min="7" max="30" step="5""#))
  }
}
