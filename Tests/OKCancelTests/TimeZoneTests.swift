import Foundation
import TestSupport
import Testing

@testable import OKCancel

@Suite(.timeLimit(.minutes(5))) struct `A date and time in a time zone` {
  private let live: LiveServer

  init() throws {
    let fields = [
      Field("at", kind: .dateTime, optional: true) { $0.timeZone = .named("Europe/Berlin") },
      Field("own", kind: .dateTime, optional: true) { $0.timeZone = .person },
      Field(
        "soon", kind: .dateTime, optional: true, rules: [.range(min: Quantity("now"), max: Quantity("now+30d"))]
      ) { $0.timeZone = .named("UTC") },
      Field(
        "day", kind: .date, optional: true, rules: [.range(min: Quantity("today-1d"), max: Quantity("today+1d"))]
      ) { $0.timeZone = .person },
    ]
    live = try LiveServer([Prompt(title: "When?", fields: fields).named("when")])
  }

  @Test(arguments: [
    ("at", "2026-03-29T03:30", "2026-03-29T03:30:00+02:00"),
    ("at", "2026-01-01 12:00:30.5", "2026-01-01T12:00:30.500+01:00"),
    ("at", "2026-10-25T02:30", "2026-10-25T02:30:00+02:00"),
    ("at", "2026-10-25T02:30+01:00", "2026-10-25T02:30:00+01:00"),
    // In UTC, every time is a moment.
    ("at", "2026-03-29T02:30Z", "2026-03-29T04:30:00+02:00"),
    ("at", "2026-10-25T01:30Z", "2026-10-25T02:30:00+01:00"),
    ("at", "2026-10-25T00:30:15.5Z", "2026-10-25T02:30:15.500+02:00"),
    ("at", "2026-12-31T23:30Z[Europe/Berlin]", "2027-01-01T00:30:00+01:00"),
    ("own", "2026-03-29T02:30Z[Europe/Berlin]", "2026-03-29T04:30:00+02:00"),
    ("own", "2026-03-29T02:30Z", "2026-03-29T02:30:00+00:00"),
    // 53 minutes and 28 seconds before UTC.
    ("at", "1800-01-01T00:00", "1799-12-31T23:06:32Z"), ("at", "0001-01-01T00:53:28", "0001-01-01T00:00:00Z"),
    ("at", "9999-12-31T23:59", "9999-12-31T23:59:00+01:00"),
    ("own", "9999-12-31T23:59-11:00", "9999-12-31T23:59:00-11:00"),
    ("own", "2026-03-29T03:30", "2026-03-29T03:30:00+00:00"),
    ("own", "2026-03-29T03:30-11:45", "2026-03-29T03:30:00-11:45"),
    ("own", "2026-03-29T03:30[America/New_York]", "2026-03-29T03:30:00-04:00"),
  ]) func `is answered with its offset`(field: String, text: String, answer: String) async throws {
    let response = try await live.post(
      "/prompts/when", json: #"{"outcome":"ok","values":{"\#(field)":"\#(text)"}}"#)
    #expect(response.status == 200)
    #expect(response.text.contains(#""\#(field)":"\#(answer)""#))
    // The answer is one too.
    let again = try await live.post("/prompts/when", json: #"{"outcome":"ok","values":{"\#(field)":"\#(answer)"}}"#)
    #expect(again.text.contains(#""\#(field)":"\#(answer)""#))
  }

  @Test(
    arguments: cases(
      """
      at=2026-03-29T02:30 → At that time, clocks skip from 02:00 to 03:00; enter an earlier or later time
      own=2011-12-30T12:00[Pacific/Apia]
        → At that time, clocks skip from 2011-12-30T00:00 to 2011-12-31T00:00; enter an earlier or later time
      at=2026-03-29T03:30+01:00 → Use the UTC offset +02:00, which applies at that time, or leave it out
      // No offset makes it a time that clocks show.
      at=2026-03-29T02:30+01:00 → At that time, clocks skip from 02:00 to 03:00; enter an earlier or later time
      at=2026-03-29T02:30+00:00 → At that time, clocks skip from 02:00 to 03:00; enter an earlier or later time
      at=2026-10-25T02:30+00:00 → Use the UTC offset +02:00, which applies at that time, or leave it out
      // In UTC, which its answer would be in, it is in the year 0000.
      at=0001-01-01T00:00 → Enter a date and time, like 2025-01-31T09:30
      at=9999-12-31T23:30Z → Enter a date and time, like 2025-01-31T09:30
      at=half past → Enter a date and time, like 2025-01-31T09:30
      own=2026-03-29T03:30[../../etc/passwd]
        → Your time zone is unknown; enter the time with its UTC offset, like 2025-01-31T09:30+01:00
      """)
  )
  func `is refused with what to do`(value: String, message: String) async throws {
    let (field, text) = (value.prefix { $0 != "=" }, value.drop { $0 != "=" }.dropFirst())
    let response = try await live.post("/validate/when", json: #"{"\#(field)":"\#(text)"}"#)
    #expect(response.text.contains(#""message":"\#(message)""#))
    let form = try #require(
      value.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "="))))
    #expect(try await live.post("/prompts/when", form: "outcome=ok&\(form)").status == 422)
  }

  @Test func `is held against the server's clock`() async throws {
    func verdict(_ field: String, _ text: String) async throws -> String {
      try await live.post("/validate/when?only=\(field)", json: #"{"\#(field)":"\#(text)"}"#).text
    }
    let format = ISO8601DateFormatter()
    func later(_ seconds: Double) -> String { format.string(from: Date(timeIntervalSinceNow: seconds)) }
    #expect(try await verdict("soon", later(3600)).contains(#""isValid":true"#))
    #expect(try await verdict("soon", later(31 * 86_400)).contains("Enter a date and time from 20"))
    #expect(try await verdict("soon", later(-3600)).contains("Enter a date and time from 20"))
    #expect(try await verdict("day", String(later(0).prefix(10))).contains(#""isValid":true"#))
    #expect(try await verdict("day", "2025-01-31").contains("Enter a date from 20"))
  }

  @Test func `leaves nothing in pages and rules that the time makes wrong`() async throws {
    let page = try await live.get("/prompts/when", accept: "text/html").text
    #expect(!page.contains(" min=") && !page.contains(" max="))
    #expect(page.contains("Time zone: Europe/Berlin"))
    #expect(page.contains(#"data-zone="person""#))
    let rules = try await live.get("/prompts/when/rules")
    #expect(
      rules.text.contains(
        #"{"rule":"range","min":"now","max":"now+30d","timeZone":"UTC","message":"Enter a different value; this one is not allowed","decidedBy":"server"}"#
      ))
    #expect(!rules.text.contains("2026"))
  }

  @Test(arguments: [
    (#"{"rule":"range","min":"now","timeZone":"UTC"}"#, "9999-01-01T00:00", 200, #"{"isValid":true}"#),
    (#"{"rule":"range","max":"now","timeZone":"UTC"}"#, "9999-01-01T00:00", 200, #""isValid":false"#),
    (#"{"rule":"range","min":"now"}"#, "9999-01-01T00:00", 400, "need a time zone; add one to the rule"),
    (#"{"rule":"range","min":"2026-01-01T00:00Z"}"#, "9999-01-01T00:00", 400, "need a time zone; add one to the rule"),
    (#"{"rule":"dateTime","timeZone":"../../etc/passwd"}"#, "x", 400, "there is no time zone `../../etc/passwd`"),
    (
      #"{"rule":"range","min":"now+999999999999999d","timeZone":"UTC"}"#, "x", 400,
      "is not a time relative to now; write `now` or `today`"
    ),
  ]) func `is judged by rules of a request`(rule: String, text: String, status: Int, contents: String) async throws {
    let response = try await live.post("/validate", json: #"{"rules":[\#(rule)],"value":"\#(text)"}"#)
    #expect(response.status == status)
    #expect(response.text.contains(contents))
  }

  @Test func `comes from a JSON Schema whose format the answer has`() async throws {
    let schema = #"""
      {"title": "When?", "required": ["at"], "properties": {"at": {"type": "string", "format": "date-time",
       "x-okcancel": {"timeZone": "Europe/Berlin", "rules": [{"range": {"min": "2026-01-01T00:00"}}]}}}}
      """#
    let prompt = try Prompt(schema: schema)
    let valid = await prompt.verdicts(on: ["at": "2026-03-29T03:30"])
    #expect(valid.isValid)
    let skipped = await prompt.verdicts(on: ["at": "2026-03-29T02:30"])
    #expect(skipped["at"]?.message?.contains("03:00") == true)
    let early = await prompt.verdicts(on: ["at": "2025-12-31T23:59"])
    #expect(early["at"]?.message == "Enter 2026-01-01T00:00 or later")
    try live.server.replacePrompts([prompt.named("when")])
    let described = try await live.get("/prompts/when/schema").text
    #expect(described.contains(#""format":"date-time""#))
    #expect(described.contains(#""x-okcancel":{"timeZone":"Europe/Berlin"}"#))
    let response = try await live.post("/prompts/when", json: #"{"outcome":"ok","values":{"at":"2026-10-25T02:30"}}"#)
    #expect(response.text == #"{"outcome":"ok","values":{"at":"2026-10-25T02:30:00+02:00"},"by":{"via":"link"}}"#)
  }
}
