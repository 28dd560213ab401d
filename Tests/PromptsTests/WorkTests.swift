@testable import Prompts
import Testing

@Suite struct `A budget of work` {
  @Test func `pays until it does not last, and takes nothing for what it cannot pay`() {
    var budget = WorkBudget(100)
    var answers: [Bool] = []
    for work in [60, 41, 40, 1] { answers.append(budget.spend(work)) }
    #expect(answers == [true, false, true, false])
    #expect(budget.left == 0)
    #expect(WorkBudget(100).spending(30).left == 70)
    #expect(WorkBudget(100).spending(130).left == 0)
    #expect(WorkBudget.untrustedRules.spending(1_000_000).description == "50 ms")
    #expect(WorkBudget.untrustedRules.description == "50 ms")
    #expect(WorkBudget.form.description == "200 ms")
  }

  /// What a pattern takes from a budget of a second, and whether it could be used.
  private func preparing(_ source: String, ignoreCase: Bool = false) -> (work: Int, isUsable: Bool) {
    var budget = WorkBudget(1_000_000_000)
    let pattern = try? Pattern(source, ignoreCase: ignoreCase, budget: &budget)
    return (1_000_000_000 - budget.left, pattern != nil)
  }

  // Each takes at least so many milliseconds here; other machines differ by less than what a digit means.
  @Test(arguments: [
    (#"\W"#, false, 1.0), (#"\p{L}"#, false, 4), (#"[^\W\u0100]"#, false, 0.1), ("[^a]", true, 0.8),
    ("(?:|a)*", false, 0.2),
  ])
  func `pays for classes, ranges and letter case before patterns are compiled`(
    _ part: String, _ ignoreCase: Bool, _ milliseconds: Double
  ) {
    let whole = preparing(String(repeating: part, count: 1000 / part.utf8.count), ignoreCase: ignoreCase)
    #expect(whole.isUsable)
    #expect(Double(whole.work) / 1e6 >= milliseconds)
    #expect(whole.work > 10 * preparing(part, ignoreCase: ignoreCase).work / 2)
  }

  @Test func `pays for classes inside brackets one by one`() {
    #expect(preparing("[" + String(repeating: #"\p{L}"#, count: 200) + "]").work > 4_000_000)
  }

  @Test(arguments: ["(?=a)", "a{2}{3}", "["])
  func `pays for what was read before a fault`(_ fault: String) {
    let usable = String(repeating: #"\p{L}"#, count: 150)
    #expect(!preparing(usable + fault).isUsable)
    #expect(preparing(usable + fault).work > 4_000_000)
  }

  @Test(arguments: [true, false])
  func `pays for letter case once, however often the rest is read again after a fault`(_ isClosed: Bool) {
    let classes = (0..<70).map { "[\(Unicode.Scalar(0x100 + 2 * $0)!)-\\u{ffff}]" }.joined()
    let usable = preparing(classes + "[b]", ignoreCase: true)
    #expect(usable.isUsable)
    let mended = preparing(isClosed ? classes + #"\u{fff"# : classes + "[b", ignoreCase: true)
    #expect(!mended.isUsable)
    // Each reading looks at each byte.
    #expect(mended.work <= usable.work + 10 * 400 * 1024)
  }

  @Test func `grows with the options by the steps that a search among them takes`() {
    let words = (0..<1_000).map { "option \($0)" }
    func work(_ options: Int, _ chosen: Int) -> Int {
      Judge.cost(of: .choices(Array(words.prefix(chosen))), by: [.oneOf(Array(words.prefix(options)))]).work
    }
    #expect(work(1_000, 1_000) < 2 * work(30, 1_000))
    // Small enough for an event loop.
    #expect(work(250, 250) < WorkBudget.eventLoop.left)
  }

  @Test func `refuses a pattern that it cannot pay, whatever the step`() throws {
    for source in ["a", String(repeating: #"\p{L}"#, count: 200), "[a-z]{1,900}[0-9]{1,900}"] {
      let work = preparing(source).work
      var budget = WorkBudget(work)
      _ = try Pattern(source, ignoreCase: false, budget: &budget)
      #expect(budget.left == 0)
      // One less is too little for the last step; next to nothing for the first.
      for left in [work - 1, work / 2, 1] {
        var budget = WorkBudget(left)
        let fault = #expect(throws: PatternFault.self) { try Pattern(source, ignoreCase: false, budget: &budget) }
        #expect(fault == .tooCostly)
      }
    }
  }
}

@Suite struct `The longest match of a pattern` {
  @Test(arguments: [
    ("", 0), ("a", 1), ("😀", 1), ("[^]", 1), ("a|bcd|", 3), ("a{3}", 3), ("a{2,5}b?", 6), ("(?:a?b){3}", 6),
    ("(?:ab|c){0,4}", 8),
    ("a*", nil), ("a{2,}", nil), ("(?:|a+)b", nil), ("(?:){5}", 0), ("(?:^$)*", 0), (#"\b"#, 0), ("(?:a{0}){9}", 0),
    ("^abc$", 3),
  ])
  func `is known, or there is none`(_ source: String, _ longest: Int?) throws {
    var budget = WorkBudget.unlimited
    let syntax = try PatternParser.parse(source, ignoreCase: false, budget: &budget).syntax
    #expect(syntax.lengthOfLongestMatch == longest)
  }

  @Test func `bounds what a longer text costs`() throws {
    let (short, endless) = (try Pattern("[a-z]{1,10}"), try Pattern("[a-z]{1,10}|[0-9]+"))
    #expect(short.work(onBytes: 10) <= endless.work(onBytes: 10))
    #expect(short.work(onBytes: 16_000) < endless.work(onBytes: 16_000) / 10)
    #expect(!short.matches(String(repeating: "a", count: 11)))
  }
}

@Suite struct `What judging costs` {
  private static let expensive = "(?:" + (1...129).map { "a{\($0)}" }.joined(separator: "|") + ")*d"

  private static func work(_ rules: [Rule], bytes: Int) -> Int {
    Judge.cost(of: .text(String(repeating: "a", count: bytes)), by: rules).work
  }

  @Test func `grows with the text, and with each rule`() throws {
    let rules: [Rule] = [
      .email, .url, .length(max: 20_000), .date, try .pattern(".+@.+"), .oneOf(["a", "b"]), .any([.email, .url]),
      .not(.email),
    ]
    for rule in rules {
      #expect(Self.work([rule], bytes: 100) < Self.work([rule], bytes: 1_000), "\(rule.name)")
      #expect(Self.work([rule, rule], bytes: 1_000) == 2 * Self.work([rule], bytes: 1_000), "\(rule.name)")
    }
    #expect(Self.work([.any([.email, .url])], bytes: 1_000) > Self.work([.email, .url], bytes: 1_000))
    let options = (0..<1_000).map { "option \($0)" }
    let chosen = Judge.cost(of: .choices(options), by: [.oneOf(options)]).work
    #expect(chosen > 100 * Judge.cost(of: .text("option 1"), by: [.oneOf(options)]).work)
  }

  @Test func `ends behind a length that the text cannot meet`() throws {
    let pattern = try Rule.pattern(Self.expensive)
    let (guarded, open) = ([Rule.length(max: 20), pattern], [pattern, Rule.length(max: 20)])
    #expect(Self.work(guarded, bytes: 16_000) == Self.work([.length(max: 20)], bytes: 16_000))
    #expect(Self.work(open, bytes: 16_000) > 1_000_000_000)
    // As far as bytes tell: 80 bytes may be 20 code points.
    #expect(Self.work(guarded, bytes: 80) > Self.work([.length(max: 20)], bytes: 80))
  }

  @Test func `names the rule that costs the most`() throws {
    let rules: [Rule] = [.email, try .pattern(Self.expensive), try .pattern("a+")]
    let cost = Judge.cost(of: .text(String(repeating: "a", count: 16_000)), by: rules)
    #expect(cost.mostExpensive?.index == 1)
    #expect(cost.mostExpensive?.field == nil)
    #expect(cost.mostExpensive?.rule.inWords.hasPrefix("the pattern `(?:a{1}|a{2}|") == true)
    #expect(Judge.cost(of: .text("a"), by: []).mostExpensive == nil)
  }

  private static func prompt(_ fields: [Field]) -> Prompt { Prompt(title: "T", fields: fields) }

  @Test func `of a form is that of the fields that are judged`() throws {
    let prompt = Self.prompt([Field("a", rules: [try .pattern(Self.expensive)]), Field("b")])
    let inputs = Inputs([("a", .text(String(repeating: "a", count: 16_000)))])
    #expect(Judge().cost(of: inputs, for: prompt).work > 1_000_000_000)
    #expect(Judge().cost(of: inputs, for: prompt).mostExpensive?.field == "a")
    #expect(Judge().cost(of: inputs, for: prompt, only: ["b"]).work < 10_000)
    #expect(Judge().cost(of: Inputs(), for: prompt).work < 10_000_000)
  }

  @Test func `of the worst form is that of as many longest texts as a form can hold`() throws {
    let pattern = try Rule.pattern(".*[a-z]{1,20}x")
    func worst(_ count: Int, _ more: [Field] = []) -> Int {
      Self.prompt((0..<count).map { Field("f\($0)", rules: [pattern]) } + more).worstCost.work
    }
    #expect(worst(0) == 0)
    #expect(worst(2) == 2 * worst(1))
    #expect(worst(9) == worst(4))
    #expect(worst(4, [Field("cheap")]) == worst(4))
    let both = Self.prompt([Field("cheap"), Field("expensive", rules: [pattern])])
    #expect(both.worstCost.mostExpensive?.field == "expensive")
    #expect(Self.prompt([Field("f", rules: [.length(max: 20), pattern])]).worstCost.work < worst(1) / 10)
  }

  @Test func `says how much an event loop can judge at once`() throws {
    let simple = Self.prompt([Field("email", kind: .email, rules: [.nonEmpty, try .pattern(#".+@.+\..+"#)])])
    let middling = Self.prompt([Field("a", rules: [try .pattern(".*[a-z]{1,99}x")])])
    // Sixteen bytes are too much already.
    let form = Self.prompt([Field("a", rules: [try .pattern(Self.expensive)])])
    #expect(simple.bytesForEventLoop >= 1024)
    #expect((16..<1024).contains(middling.bytesForEventLoop))
    #expect(form.bytesForEventLoop == 0)
    for prompt in [simple, middling] {
      let text = String(repeating: "a", count: prompt.bytesForEventLoop)
      #expect(
        Judge().cost(of: Inputs([(prompt.fields[0].name, .text(text))]), for: prompt).work <= WorkBudget.eventLoop.left)
    }
  }
}
