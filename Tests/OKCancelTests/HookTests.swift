import Foundation
import TestSupport
import Testing

@testable import OKCancel
@testable import Prompts

/// An event in Tests/Hooks/events.json.
struct HookFixture: Sendable, CustomTestStringConvertible {
  let json: JSON
  var testDescription: String { json.text("name") ?? "" }
  var host: HookHost { json.text("host").flatMap(HookHost.init)! }
  var event: JSON { json["event"]! }
  var read: HookEvent? { HookEvent(event, from: host) }

  var question: HookQuestion? { if case .question(let question)? = read { question } else { nil } }

  /// What the event is taken for, in the words of the file.
  var kind: String {
    switch read {
    case .question?: "question"
    case .over(_, let end)?: end == .refused ? "refused" : "over"
    case .stopped(_, let withSubagents)?: withSubagents ? "all stopped" : "stopped"
    case nil: "nothing"
    }
  }

  var call: HookCall? {
    switch read {
    case .question(let question)?: question.call
    case .over(let call, _)?: call
    default: nil
    }
  }

  static let all: [HookFixture] = {
    let file = try! JSON(parsing: Repository.bytes("Tests/Hooks/events.json"), limits: .file)
    guard case .array(let events)? = file["events"] else { return [] }
    return events.map(HookFixture.init(json:))
  }()

  static func rule(_ tool: String, _ content: String) -> JSON {
    [
      "type": "addRules", "rules": [["toolName": .string(tool), "ruleContent": .string(content)]], "behavior": "allow",
      "destination": "session",
    ]
  }

  /// Suggestions with texts that could pass for something else.
  static let hostile: [String] = {
    let contents = [
      "", " ", " a", "a ", "*", ":*", "**", "*:*", "* *", "ls), Read(//**", "ls, Read", "a\nb", "a\rb", "a\tb", "a\0b",
      "\u{1B}[2J",
      "a\u{202E}b",
      "a\u{2066}b", "a\u{200B}b", "a\u{E0041}b", "a\u{AD}b", "a\u{2028}b",
      "a" + String(repeating: " ", count: 20) + "b",
    ]
    let tools = ["", " ", "Bash ", "Bash(ls)", "Read, Bash", "B\u{430}sh", "Read\u{200B}", "<b>", "mcp__a__*"]
    return
      (contents.map { rule("Bash", $0) } + tools.map { rule($0, "ls") }
      + [["type": "addRules", "rules": [["toolName": "Bash"]], "behavior": "allow", "destination": "session"]])
      .map { String(decoding: $0.bytes, as: UTF8.self) }
  }()

  /// The question of an event with these suggestions, and the lines about those that are not offered.
  static func suggesting(_ suggestions: [JSON], beside command: String = "npm test", host: HookHost = .claude) throws
    -> (HookQuestion, lines: [String])
  {
    let event: JSON = [
      "session_id": "c-1", "hook_event_name": "PermissionRequest", "tool_name": "Bash",
      "tool_input": ["command": .string(command)], "permission_suggestions": .array(suggestions),
    ]
    var lines: [String] = []
    guard case .question(let question)? = HookEvent(event, from: host, unasked: { lines.append($0) }) else {
      throw CocoaError(.featureUnsupported)
    }
    return (question, lines)
  }

  static func named(_ name: String?) -> HookFixture? { all.first { $0.testDescription == name } }
}

@Suite struct `An event of a coding agent` {
  @Test(arguments: HookFixture.all) func `is taken for what it is`(fixture: HookFixture) throws {
    #expect(fixture.kind == fixture.json.text("is"))
    guard let other = HookFixture.named(fixture.json.text("of")) else { return }
    #expect(fixture.call?.key(for: nil) == other.call?.key(for: nil))
  }

  /// What stands only in the events that end something: nothing of it may leave the machine.
  @Test(arguments: HookFixture.all) func `is passed on with no more than is needed`(fixture: HookFixture) throws {
    let host = fixture.host
    guard let event = fixture.read else { return }
    let read = try JSON(parsing: fixture.event.bytes, limits: HookEvent.jsonLimits)
    let passed = try JSON(parsing: event.passedOn(read, from: host), limits: HookEvent.jsonLimits)
    let other = try #require(HookEvent(passed, from: host))
    switch (event, other) {
    case (.question(let one), .question(let other)):
      #expect(one.body(in: .english).bytes == other.body(in: .english).bytes)
    case (.over(let one, let end), .over(let other, let otherEnd)):
      #expect((one.key(for: "a"), end) == (other.key(for: "a"), otherEnd))
      #expect(passed.members.map(\.key) == ["hook_event_name", "session_id", "tool_name", "tool_input_digest"])
    case (.stopped(let one, let withSubagents), .stopped(let other, let isOtherWithSubagents)):
      #expect((one.key(for: "a"), withSubagents) == (other.key(for: "a"), isOtherWithSubagents))
      #expect(passed.members.count == (one.subagent == nil ? 2 : 3))
    default: Issue.record("\(event) became \(other)")
    }
  }

  @Test(arguments: HookFixture.all) func `shows a person all that it says`(fixture: HookFixture) throws {
    guard let question = fixture.question else { return }
    let body = question.body(in: .english)
    #expect(body["context"]?.bytes == fixture.json["context"]?.bytes)
    let options = body["definition"]?["fields"]?.elements.first { $0.text("name") == "permission_suggestions" }?[
      "options"]
    #expect((options?.elements ?? []).compactMap { $0.text("title") } == fixture.json.texts("offers"))
    #expect((body["definition"] ?? body).text("title") == fixture.json.text("title"))
  }

  @Test(arguments: HookFixture.all) func `is decided by what a person answered and nothing else`(
    fixture: HookFixture
  ) throws {
    guard let question = fixture.question, case .array(let decisions) = fixture.json["decisions"] ?? [] else { return }
    for case .array(let pair) in decisions {
      let decision = question.decision(after: try #require(Ended(pair[0])))
      let expected: [UInt8]? = if case .null = pair[1] { nil } else { pair[1].bytes }
      #expect(decision == expected, "\(String(decoding: pair[0].bytes, as: UTF8.self))")
    }
  }

  /// Each is the only suggestion beside a harmless command; none can be shown whole and true.
  @Test(
    arguments: [
      #"{"type": "addRules", "rules": [], "behavior": "allow", "destination": "session"}"#,
      #"{"type": "addRules", "rules": [{"toolName": "Read"}], "behavior": "allow"}"#,
      #"{"type": "addRules", "rules": [{"toolName": "Read"}], "behavior": "deny", "destination": "session"}"#,
      #"{"type": "addRules", "rules": [{"toolName": "Read"}], "behavior": "allow", "destination": "cliArg"}"#,
      #"{"type": "addRules", "rules": [{"toolName": "Read"}], "behavior": "allow", "destination": "session", "more": 1}"#,
      #"{"type": "replaceRules", "rules": [{"toolName": "Read"}], "behavior": "allow", "destination": "session"}"#,
      #"{"type": "removeRules", "rules": [{"toolName": "Read"}], "behavior": "allow", "destination": "session"}"#,
      #"{"type": "addDirectories", "directories": ["/"], "destination": "session"}"#,
      #"{"type": "setMode", "mode": "bypassPermissions", "destination": "session"}"#,
      #"{"type": "addEverything", "rules": [{"toolName": "Read"}], "behavior": "allow", "destination": "session"}"#,
      #""Read""#, "null", "[]",
    ] + HookFixture.hostile)
  func `suggests what nobody can be offered`(suggestion: String) throws {
    let json = try JSON(parsing: Array(suggestion.utf8))
    let (question, lines) = try HookFixture.suggesting([json])
    #expect(question.suggestions.isEmpty && lines.count == 1)
    #expect(lines.allSatisfy { $0.hasPrefix("a permission that Claude Code suggested (Bash) was not offered: ") })
    #expect(question.body(in: .english)["definition"]?["fields"] == nil)
  }

  /// The command, and whether a rule of this text is offered beside it.
  @Test(
    arguments: [
      ("npm test", "npm test:*", true), ("git status", "git status", true), ("npm test", "rm:*", false),
      ("rm a", "npm test", false), ("ls; RM -r x", "ls", false), ("git push --force", "git push", false),
      ("git reset HEAD", "git log", false), ("psql -c 'DROP TABLE a'", "psql", false), ("ls\nrm a", "ls", false),
      ("sudo ls", "ls", false), ("dropdb a", "ls", false), ("npm run alarm", "npm run alarm", true),
      ("make all", "x" + String(repeating: "y", count: 100), false),
    ])
  func `offers nothing beside what may destroy something`(command: String, rule: String, isOffered: Bool) throws {
    let (question, lines) = try HookFixture.suggesting([HookFixture.rule("Bash", rule)], beside: command)
    #expect((question.suggestions.count, lines.count) == (isOffered ? (1, 0) : (0, 1)))
  }

  /// A rule, and whether it is offered: not if it leaves open what is done.
  @Test(
    arguments: [
      ("Bash", "bash:*", false), ("Bash", "/bin/sh -c:*", false), ("Bash", "python3.12 -m *", false),
      ("Bash", "FOO=1 env -i node:*", false), ("Bash", "timeout 30 bash:*", false), ("Bash", "cd a && sh:*", false),
      ("Bash", "'zsh' -c *", false), ("Bash", "docker run alpine:*", false), ("Bash", "ssh build.example:*", false),
      ("Bash", "npm exec:*", false), ("Bash", "npm ex*", false), ("Bash", "ba*", false), ("Bash", "git:*", false),
      ("Bash", "find . -name:*", false), ("Bash", "cmd.exe *", false), ("PowerShell", "pwsh -Command *", false),
      ("Bash", "./*", false), ("Bash", "npm test*", true), ("Bash", "npm run test:unit:*", true),
      ("Bash", "bash", true),
      ("Bash", "python3 manage.py test:*", true), ("Bash", "timeout 30 npm test:*", true), ("Bash", "make all:*", true),
      ("Bash", "git status:*", true), ("Bash", "bashful:*", true),
      ("Write", "//**", false), ("Edit", "**", false), ("Read", "~/**", false), ("WebFetch", "domain:*", false),
      ("Edit", "/src/**", true), ("WebFetch", "domain:example.com", true), ("Read", "**/*.env", true),
      ("Edit", nil, false), ("Write", nil, false), ("Read", nil, false), ("Task", nil, false),
      ("mcp__tickets", nil, false), ("mcp__tickets__list", nil, true), ("WebSearch", nil, true),
      ("Bash", "n\u{440}m test:*", false), ("Bash", "\u{FF42}ash", false), ("Read", "/tmp/\u{E9}/**", true),
      ("Read", "/tmp/e\u{301}/**", false), ("Read", "/tmp/\u{444}\u{430}\u{439}\u{43B}", false),
    ] as [(String, String?, Bool)])
  func `offers no rule that allows anything, or could pass for another`(
    tool: String, content: String?, isOffered: Bool
  ) throws {
    let rule: JSON = ["toolName": .string(tool), "ruleContent": content.map(JSON.string)]
    let suggestion: JSON = ["type": "addRules", "rules": [rule], "behavior": "allow", "destination": "session"]
    let (question, lines) = try HookFixture.suggesting([suggestion])
    #expect((question.suggestions.count, lines.count) == (isOffered ? (1, 0) : (0, 1)), "\(lines)")
  }

  @Test(arguments: [("7", 1), (#"{"type": "addRules"}"#, 1), (#""all""#, 1), ("null", 0), ("[]", 0)])
  func `says in the log that its suggestions are no list`(given: String, count: Int) throws {
    let start = #"{"session_id": "c-1", "hook_event_name": "PermissionRequest", "tool_name": "Bash""#
    let text = #"\#(start), "tool_input": {"command": "ls"}, "permission_suggestions": \#(given)}"#
    var lines: [String] = []
    _ = HookEvent(try JSON(parsing: Array(text.utf8)), from: .claude, unasked: { lines.append($0) })
    let line = "a permission that Claude Code suggested (Bash) was not offered: `permission_suggestions` is not a list"
    #expect(lines == Array(repeating: line, count: count))
  }

  @Test func `offers four suggestions at most`() throws {
    let (question, lines) = try HookFixture.suggesting((0..<9).map { HookFixture.rule("Read", "\($0)") })
    #expect((question.suggestions.count, lines.count) == (4, 5))
  }

  @Test(arguments: [HookHost.codex, .copilot]) func `offers nothing for a host that takes no permissions`(
    host: HookHost
  )
    throws
  {
    let (question, lines) = try HookFixture.suggesting([HookFixture.rule("Read", "a")], host: host)
    #expect(question.suggestions.isEmpty && lines.isEmpty)
    let decision = question.decision(after: try #require(Ended(["outcome": "ok", "values": [:]]))) ?? []
    #expect(!String(decoding: decision, as: UTF8.self).contains("updatedPermissions"))
  }

  @Test func `is only answered by a permission that was suggested`() throws {
    let rule = HookFixture.rule("Read", "a")
    let (question, _) = try HookFixture.suggesting([rule, HookFixture.rule("Read", "b")])
    for (given, isTaken) in [
      ([rule], true), ([], false), ([rule, rule], false), ([HookFixture.rule("Read", "c")], false),
      ([rule + ["more": 1]], false), ([.null], false), ("all", false),
    ] as [(JSON, Bool)] {
      let decision: JSON = ["hookSpecificOutput": ["decision": ["behavior": "allow", "updatedPermissions": given]]]
      #expect(question.isAnswered(by: decision.bytes) == isTaken, "\(given)")
    }
    #expect(question.isAnswered(by: question.decision(after: try #require(Ended(["outcome": "cancel"]))) ?? []))
    #expect(!question.isAnswered(by: []))
  }

  /// A change of the members of a command's event, and of its input; whether somebody is still asked.
  @Test(
    arguments: [
      (["cwd": nil], [:], true), (["cwd": 1], [:], false), (["agent_id": 1], [:], false),
      (["session_id": ""], [:], false),
      (["session_id": nil], [:], false), (["tool_name": ""], [:], false), (["tool_name": nil], [:], false),
      (["tool_input": "ls"], [:], false), (["tool_input": nil], [:], false),
      (["hook_event_name": "permissionRequest"], [:], false),
      (["hook_event_name": nil], [:], false), ([:], ["command": 1], true), ([:], ["command": "a\rb"], false),
      ([:], ["command": "a\r\nb"], true), ([:], ["more": ["a\rb"]], false),
      (["tool_name": "AskUserQuestion"], [:], false), (["tool_name": "AskUserQuestion"], ["questions": []], false),
      (["tool_name": "AskUserQuestion"], ["questions": [["question": 1]]], false),
      (["tool_name": "AskUserQuestion"], ["questions": [["question": "a"], ["question": "a"]]], false),
      (["tool_name": "AskUserQuestion"], ["questions": [["question": "a"], ["question": "b"]]], true),
    ] as [([String: JSON?], [String: JSON?], Bool)])
  func `that does not fit asks nobody`(changes: [String: JSON?], ofInput: [String: JSON?], isAsked: Bool) throws {
    let fixture = try #require(HookFixture.named("Claude Code, a command"))
    func changed(_ json: JSON?, _ changes: [String: JSON?]) -> JSON {
      .object((json?.members ?? []).filter { !changes.keys.contains($0.key) })
        + .object(changes.compactMap { key, value in value.map { JSON.Member(key, $0) } })
    }
    let event = changed(fixture.event + [:], ["tool_input": changed(fixture.event["tool_input"], ofInput)])
    let read = HookEvent(changed(event, changes), from: .claude)
    #expect((read != nil) == isAsked)
  }

  @Test func `of one host means nothing to another that writes otherwise`() throws {
    let copilot = try #require(HookFixture.named("Copilot, a command")),
      claude = try #require(HookFixture.named("Claude Code, a command"))
    #expect(HookEvent(copilot.event, from: .claude) == nil)
    #expect(HookEvent(copilot.event, from: .codex) == nil)
    let form = try #require(HookFixture.named("Claude Code, the form of an MCP server"))
    #expect(HookEvent(form.event, from: .codex) == nil)
    // Its call is another one.
    guard case .question(let question)? = HookEvent(claude.event, from: .codex) else { return #expect(Bool(false)) }
    #expect(question.call.key(for: nil) != claude.call?.key(for: nil))
    #expect(claude.call?.key(for: "a") != claude.call?.key(for: nil))
  }

  /// Changes bytes of events at random. Whatever comes of it, only an OK allows anything.
  @Test func `allows nothing by any fault`() throws {
    let count = ProcessInfo.processInfo.environment["OKCANCEL_TEST_FAULTS"].flatMap { Int($0) } ?? 400
    var random = SeededGenerator(seed: 47)
    let noise = Array("{}[]\",:\\0eallowtrue\u{0}\u{FF}".utf8)
    var asked = 0
    for _ in 0..<count {
      let fixture = HookFixture.all.randomElement(using: &random)!
      var bytes = fixture.event.bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<max(bytes.count, 1), using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.removeLast(bytes.count - min(place, bytes.count))
        case 1 where !bytes.isEmpty: bytes[place] = noise.randomElement(using: &random)!
        case 2: bytes.insert(contentsOf: noise.shuffled(using: &random).prefix(3), at: min(place, bytes.count))
        default: bytes.removeSubrange(min(place, bytes.count)..<min(place + 5, bytes.count))
        }
      }
      let host = HookHost.allCases.randomElement(using: &random)!
      guard let json = try? JSON(parsing: bytes, limits: HookEvent.jsonLimits),
        case .question(let question)? = HookEvent(json, from: host)
      else { continue }
      asked += 1
      for outcome in [Outcome.cancel, .cancelled(reason: "no"), .action("decline", nil), .expired, .withdrawn] {
        let said = String(decoding: question.decision(after: Ended(outcome)) ?? [], as: UTF8.self)
        #expect(!said.contains(#":"allow""#) && !said.contains(#":"accept""#), "\(said)")
      }
    }
    // Many events survive it, so that something was tested.
    #expect(asked > count / 50)
  }
}
