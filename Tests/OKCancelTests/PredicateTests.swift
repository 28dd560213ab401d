import Foundation
import TestSupport
import Testing

@testable import OKCancel
@testable import Prompts

@Suite struct `Predicates on the server` {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test(arguments: [("4", true), ("5", false), ("x", false)])
  func `Swift closures decide`(text: String, valid: Bool) async throws {
    let prompt = Prompt(title: "Even", fields: [Field("n", rules: [.predicate("even")])])
    let live = try LiveServer(
      [prompt.named("even")], predicates: ["even": { Int($0).map { $0.isMultiple(of: 2) } ?? false }])
    #expect(try await live.post("/validate/even", form: "n=\(text)").text.contains("\"isValid\":\(valid)"))
    #expect(
      try await live.get("/prompts/even/rules").text.contains(
        #"{"rule":"predicate","name":"even","message":"Enter a different value; this one was not accepted","decidedBy":"server"}"#
      ))
  }

  @Test(arguments: [("4", "a", true), ("5", "a", false), ("4", "b", false)])
  func `a rule's own closure decides, registered nowhere`(number: String, name: String, valid: Bool) async throws {
    let live = try LiveServer([Self.own.named("own")])
    let form = "n=\(number)&name=\(name)"
    let verdict = try await live.post("/validate/own", form: form).text
    #expect(verdict.contains("{\"isValid\":\(valid)"))
    #expect(verdict.contains("Taken by Ann") == (name == "b"))
    #expect(try await live.post("/prompts/own", form: form + "&outcome=ok").status == (valid ? 200 : 422))
    #expect(
      try await live.get("/prompts/own/rules").text.contains(
        #"{"rule":"predicate","name":"p","message":"Enter an even number","decidedBy":"server"}"#))
  }

  @Test func `a closure reads other fields, and the rules name them`() async throws {
    let rule = Rule.predicate("fits", reading: ["guests"]) { room, values in
      room == "small" && values["guests"]?.integer ?? 0 > 10 ? .invalid("Choose a larger room") : .valid
    }
    let prompt = Prompt(title: "Room", fields: [Field("guests", kind: .integer), Field("room", rules: [rule])])
    let live = try LiveServer([prompt.named("room")]) { $0.apiTokens = ["one"] }
    let rules = try await live.get("/prompts/room/rules").text
    #expect(rules.contains(#""rule":"predicate","name":"fits","fields":["guests"]"#), "\(rules)")
    let ask = try await live.server.create(Question(prompt))
    for path in ["/validate/room", try #require(ask.link).path + "/validate"] {
      for (guests, isValid) in [("8", true), ("12", false), ("many", true)] {
        let body = #"{"room":"small","guests":"\#(guests)"}"#
        let verdict = try await live.post("\(path)?only=room", json: body).text
        #expect(verdict.contains(#""room":{"isValid":\#(isValid)"#), "\(path) \(body): \(verdict)")
      }
    }
  }

  /// Two closures under one name, one of them asynchronous.
  private static let own = Prompt(
    title: "Own",
    fields: [
      Field(
        "n", kind: .integer,
        rules: [.predicate("p") { Int($0)?.isMultiple(of: 2) ?? false }.saying("Enter an even number")]),
      Field(
        "name",
        rules: [
          .predicate("p") { name in
            await Task.yield()
            return name == "a" ? .valid : .invalid("Taken by Ann")
          }
        ]),
    ])

  /// A server whose prompt `ask` has a field `n` that this command decides about.
  private func asking(_ command: CommandPredicate, rule: Rule = .predicate("ask")) throws -> LiveServer {
    try LiveServer([Prompt(title: "Ask", fields: [Field("n", rules: [rule])]).named("ask")], commands: ["ask": command])
  }

  /// Promise 2.22 | Commands get the text on standard input, never through a shell.
  /// ASVS 1.2.5 | no command injection | no shell; the text goes to standard input
  @Test(arguments: [
    ("exit 0", "a", #""isValid":true"#),
    ("exit 1", "a", #""message":"Enter a different value; this one was not accepted""#),
    ("echo 'Taken: try another'; echo more; exit 1", "a", #""message":"Taken: try another""#),
    ("exit 3", "a", #""message":"This could not be checked; try again in a moment""#),
    ("kill -9 $$", "a", #""message":"This could not be checked; try again in a moment""#),
    ("read text; test \"$text\" = secret", "secret", #""isValid":true"#),
    ("read text; test \"$text\" = secret", "other", #""isValid":false"#),
  ])
  func `commands decide by their exit code and say why`(script: String, text: String, expected: String) async throws {
    let live = try asking(CommandPredicate(program: try directory.program(script)))
    #expect(try await live.post("/validate/ask", form: "n=\(text)").text.contains(expected))
  }

  @Test func `a command that prints much, or reads nothing of a long text, still answers`() async throws {
    let long = String(repeating: "a", count: 16_000)
    for (script, expected) in [
      ("exit 0", #""isValid":true"#), ("yes no | head -c 20000; exit 1", #""message":"no""#),
      ("yes | head -c 200000; exit 0", #""isValid":false"#), ("test $(wc -c) = 16000", #""isValid":true"#),
    ] {
      let live = try asking(CommandPredicate(program: try directory.program(script)))
      #expect(try await live.post("/validate/ask", form: "n=\(long)").text.contains(expected), "\(script)")
    }
  }

  /// Promise 1.3 | A rule that cannot be checked fails.
  @Test(.timeLimit(.minutes(1)))
  func `a command that does not end in time could not be checked, and is killed with what it started`() async throws {
    let mark = directory.file("mark")
    let script = "sleep 1000 & echo $! > \(mark); wait"
    let live = try asking(CommandPredicate(program: try directory.program(script), limit: .seconds(4)))
    #expect(try await live.post("/validate/ask", form: "n=a").text.contains("This could not be checked"))
    let started = try #require(Int32(String(contentsOfFile: mark, encoding: .utf8).trimmingCharacters(in: .newlines)))
    while Self.runs(started), !Task.isCancelled { await Task.yield() }
  }

  @Test func `a command that does not exist is never a yes`() async throws {
    let live = try asking(CommandPredicate(program: "/nowhere/at/all"), rule: .not(.predicate("ask")))
    #expect(try await live.post("/validate/ask", form: "n=a").text.contains(#""isValid":false"#))
  }

  @Test func `a server does not start with a prompt that asks an unknown predicate`() throws {
    let prompt = Prompt(title: "Ask", fields: [Field("n", rules: [.predicate("nobody")])])
    #expect(throws: AskFault.self) { try LiveServer([prompt.named("ask")]) }
  }

  /// Whether a process is there and not just waiting to be buried.
  private static func runs(_ process: Int32) -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
    return status.split(separator: ")").last?.split(separator: " ").first != "Z"
  }
}
