import Foundation
import Testing

@testable import OKCancel
@testable import Prompts

/// Work is counted and never timed, so these tests are the same on every machine.
@Suite(.timeLimit(.minutes(5))) struct `Costly requests` {
  private static let long = String(repeating: "a", count: 16_000)
  /// RE2 follows 8,000 states at each of 16,000 bytes.
  private static let expensive = "(?:" + (1...129).map { "a{\($0)}" }.joined(separator: "|") + ")*d"

  private static func body(_ rules: String, _ value: String = long) -> String {
    #"{"rules":[\#(rules)],"value":"\#(value)"}"#
  }

  private static let costly: [(name: String, body: String, says: String)] = [
    ("one pattern", body(#"{"pattern":"\#(expensive)"}"#), "the pattern `(?:a{1}|a{2}|"),
    (
      "many patterns", body((0..<50).map { #"{"pattern":"\#(expensive)\#($0)"}"# }.joined(separator: ","), "a"),
      "the patterns so far take more work to prepare than one request may cost"
    ),
    (
      "patterns inside `any`",
      body(#"{"not":{"any":[\#((0..<20).map { #"{"pattern":"(?:a|b{9})*c\#($0)"}"# }.joined(separator: ","))]}}"#),
      "the rule `not`"
    ),
  ]

  /// Promise 3.18
  @Test(arguments: costly)
  func `are refused before they cost anything, with the rule that costs the most`(
    name: String, body: String, says: String
  ) async throws {
    let live = try LiveServer(Sample.all)
    let refused = try await live.post("/validate", json: body)
    #expect(refused.status == 400)
    #expect(refused.detail.contains(says), "\(refused.detail)")
    #expect(refused.detail.contains("50 ms"))
    #expect(try refused.errors.last?.text("pointer")?.hasPrefix("#/rules/") == true, "\(refused.text.prefix(500))")
  }

  @Test func `that an event loop has no time for are judged all the same`() async throws {
    let live = try LiveServer(Sample.all)
    // 33 instructions at 16,000 bytes: some 5 ms at worst.
    let rules = #"{"pattern":".+@.+\\..+"}"#
    #expect(
      try await live.post("/validate", json: Self.body(rules)).text.contains(#""isValid":false,"rule":"pattern""#))
    #expect(try await live.post("/validate", json: Self.body(rules, "a@b.c")).text == #"{"isValid":true}"#)
  }

  @Test func `never have more than 200 rules, wherever they stand`() async throws {
    let live = try LiveServer(Sample.all)
    func names(_ count: Int) -> String { Array(repeating: #""none""#, count: count).joined(separator: ",") }
    #expect(try await live.post("/validate", json: Self.body(names(200))).text == #"{"isValid":true}"#)
    for rules in [names(201), #"{"all":[\#(names(200))]}"#] {
      let refused = try await live.post("/validate", json: Self.body(rules))
      #expect(refused.status == 400)
      #expect(refused.detail.contains("there are more than 200 rules; send fewer at a time"))
    }
  }

  @Test func `do not make a program's definition cost what they like either`() async throws {
    let doors = try await Doors()
    let patterns = (0..<50).map { #"{"pattern":"[a-z_]{1,\#(900 + $0)}[0-9]{1,900}"}"# }.joined(separator: ",")
    let refused = try await doors.live.post(
      "/asks", json: #"{"definition":{"title":"T","fields":[{"name":"f","rules":[\#(patterns)]}]}}"#,
      headers: doors.live.authorized)
    #expect(refused.status == 400)
    #expect(refused.detail.contains("200 ms"))
  }

  private static let slow = Prompt(
    title: "Slow", fields: [Field("a", rules: [Sample.pattern(expensive)]), Field("b", rules: [.length(max: 5)])])

  /// Promise 3.18
  @Test func `of a form are refused too, and the operator is told at the start`() async throws {
    let log = LogLines()
    let live = try LiveServer([Self.slow.named("slow")] + Sample.all, logger: log.logger)
    let warning = try #require(log.all.first { $0.contains("200 ms") })
    #expect(warning.contains("the prompt “slow”"))
    #expect(warning.contains("the pattern `(?:a{1}|a{2}|"))
    #expect(warning.contains("of the field `a`"))
    #expect(log.all.count { $0.contains("200 ms") } == 1)
    for path in ["/validate/slow", "/prompts/slow"] {
      let refused = try await live.post(path, form: "a=\(Self.long)")
      #expect(refused.status == 400)
      #expect(refused.detail.contains("of the field `a`"))
    }
    // Only what is judged counts, and a short text costs little.
    #expect(try await live.post("/validate/slow?only=b", form: "a=\(Self.long)").status == 200)
    #expect(try await live.post("/validate/slow", form: "a=ad&b=x").text.contains(#""isValid":true"#))
  }

  private static let options = Prompt(
    title: "Options",
    fields: [
      Field(
        "tags", kind: .choices, rules: [once], options: (0..<250).map { Field.Option("option \($0)") })
    ])

  /// `count: {min: 1, unique: true}`
  private static let once: Rule = {
    var reading = Reading()
    let arguments = JSON.object([.init("min", .number("1")), .init("unique", .bool(true))])
    return Rule(Node(.object([.init("count", arguments)])), &reading)!
  }()

  @Test func `of more choices than there are options say what to do`() async throws {
    let live = try LiveServer([Self.options.named("options")])
    func form(_ count: Int) -> String { Array(repeating: "tags=option+1", count: count).joined(separator: "&") }
    func json(_ count: Int) -> String {
      #"{"tags":[\#(Array(repeating: #""option 1""#, count: count).joined(separator: ","))]}"#
    }
    for (count, message) in [
      (1, nil), (200, "Choose at least 1 option, each only once"), (251, "Choose each option only once"),
      (10_000, "Shorten your answers by 14464 characters in total"),
    ] {
      var judged = [try await live.post("/validate/options", json: json(count))]
      // A form has at most 256 pairs.
      if count < 256 { judged.append(try await live.post("/validate/options", form: form(count))) }
      for verdict in judged {
        #expect(verdict.status == 200)
        #expect(
          message.map { verdict.text.contains($0) } ?? verdict.text.contains(#""isValid":true"#), "\(verdict.text)")
      }
    }
    let page = try await live.post("/prompts/options", form: "outcome=ok&" + form(251), accept: "text/html")
    #expect(page.status == 422)
    #expect(page.text.contains("Choose each option only once"))
  }

  @Test func `of more choices than there are options cost no more than those`() {
    func work(_ count: Int) -> Int {
      Judge().cost(of: Inputs([("tags", .choices(Array(repeating: "o", count: count)))]), for: Self.options).work
    }
    #expect(work(10_000) < 45 * work(250))
  }

  @Test func `are not those that compare many numbers with many`() async throws {
    let live = try LiveServer(Sample.all)
    let rule = #"{"oneOf":[0,1,2,3,4,5,6,7,8,9]}"#
    let rules = Array(repeating: rule, count: 23).joined(separator: ",")
    let values = (0..<14_990).map { "\($0 % 10)" }.map { "\"\($0)\"" }.joined(separator: ",")
    let judged = try await live.post("/validate", json: #"{"rules":[\#(rules)],"value":[\#(values)]}"#)
    #expect(judged.text == #"{"isValid":true}"#)
  }

  @Test func `end when a text is longer than anything that the pattern matches`() async throws {
    let live = try LiveServer(Sample.all)
    let refused = try await live.post("/validate", json: Self.body(#"{"pattern":"(?:[a-z]{0,30}){0,30}"}"#))
    #expect(refused.text.contains(#""isValid":false"#))
  }

  /// Promise 3.19
  @Test func `get at most 50 errors and 64 KiB back, and are told how many more there are`() async throws {
    let live = try LiveServer(Sample.all)
    let unknown = Array(repeating: #""x""#, count: 150).joined(separator: ",")
    let refused = try await live.post("/validate", json: Self.body(unknown))
    #expect(try refused.errors.count == 50)
    #expect(refused.detail.contains("These are the first 50 errors; there are 100 more."))
    let key = String(repeating: "k", count: 12_000)
    for body in [
      Self.body(#"{"\#(key)":1},{"\#(key)":2},{"\#(key)":3}"#, "a"),
      #"{"rules":{"\#(key)":[\#(Array(repeating: "[]", count: 10_000).joined(separator: ","))]},"value":""}"#,
      Self.body(#"{"oneOf":["\#(key)"],"\#(key)":1}"#, "a"),
      Self.body(#"{"any":[\#(Array(repeating: #"{"oneOf":["a"]}"#, count: 190).joined(separator: ","))]}"#, "b"),
    ] {
      #expect(try await live.post("/validate", json: body).bytes.count <= 64 * 1024)
    }
  }

  /// Promise 3.21 | Costly requests run on separate threads, where clients take turns, and use up only their sender's
  /// time. | `make worst`
  @Test func `use up a client's time, and cheap ones go on`() async throws {
    let live = try LiveServer(Sample.all) { $0.rateLimits.set(Rate("1/h"), for: .work) }
    let costly = Self.body(#"{"pattern":"(?:a|b{9}|c{30})*d"}"#)
    var last = try await live.post("/validate", json: costly)
    for _ in 0..<1000 where last.status == 200 { last = try await live.post("/validate", json: costly) }
    #expect(last.status == 429)
    #expect(last.headers["retry-after"] != nil)
    #expect(try await live.post("/validate/email", form: "email=a@b.c").status == 200)
    #expect(try await live.post("/validate", json: Self.body(#""nonEmpty""#, "a")).status == 200)
  }

  /// Promise 3.21
  @Test func `are those too whose bodies an event loop has no time to read, and whose pages it has no time to write`()
    async throws
  {
    func text(_ count: Int) -> String { "a=\(String(repeating: "a", count: count))" }
    let options = (0..<200).map { Field.Option("\($0)") }
    let prompts = [
      Prompt(title: "Text", fields: [Field("a")]).named("text"),
      Prompt(title: "Choice", fields: [Field("a", kind: .choice, options: options)]).named("choice"),
    ]
    for (path, form, headers, isCharged) in [
      ("/validate/text", text(9_000), [:], true), ("/validate/text", text(7_000), [:], false),
      ("/prompts/choice", "a=none", ["Accept": "text/html"], true), ("/prompts/choice", "a=none", [:], false),
    ] {
      let live = try LiveServer(prompts) { $0.rateLimits.set(Rate("1/h"), for: .work) }
      // They use up the client's millisecond, which only costly requests are asked for.
      for _ in 0..<200 { _ = try await live.post(path, form: form, headers: headers) }
      #expect(try await live.post("/validate/text", form: text(9_000)).status == (isCharged ? 429 : 200))
      #expect(try await live.post("/validate/text", form: text(7_000)).status == 200)
    }
  }
}
