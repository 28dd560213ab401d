import Foundation
import Testing

@testable import OKCancel
@testable import Prompts

/// `cancel: {title: Reject, reason: required}`, at the doors of the server.
@Suite(.timeLimit(.minutes(5))) struct `A reason for Cancel` {
  private let live: LiveServer
  private static let deploy = Prompt(
    title: "Deploy?", ok: "Approve", cancel: "Reject", reason: .required, language: "en",
    fields: [Field("version", value: "1.0", rules: [.nonEmpty])])
  private static let lunch = Prompt(title: "Lunch?", cancel: "Skip", reason: .optional)

  init() throws {
    live = try LiveServer([Self.deploy.named("deploy"), Self.lunch.named("lunch"), Sample.email.named("email")]) {
      $0.apiTokens = ["token"]
    }
  }

  @Test(arguments: [
    (#"{"outcome":"cancel","reason":" So\r\nso \n"}"#, 200, #"{"outcome":"cancel","reason":"So\nso","by"#),
    (#"{"outcome":"cancel","reason":"No","values":{"x":1}}"#, 200, #"{"outcome":"cancel","reason":"No","by"#),
    (#"{"outcome":"cancel"}"#, 422, "Give a reason"), (#"{"outcome":"cancel","reason":null}"#, 422, "Give a reason"),
    (#"{"outcome":"cancel","reason":" \n "}"#, 422, "Give a reason"),
    (##"{"outcome":"cancel","reason":"a\u0000b"}"##, 422, "#/reason"),
    (##"{"outcome":"cancel","reason":"\ud800"}"##, 422, "#/reason"),
    (#"{"outcome":"cancel","reason":7}"#, 400, "“reason” must be a string"),
    ("outcome=cancel&okcancel-reason=No+way%0D%0Abob", 200, #"{"outcome":"cancel","reason":"No way\nbob","by"#),
    ("outcome=cancel&okcancel-reason=+", 422, "#/reason"),
    ("outcome=cancel&okcancel-reason=a&okcancel-reason=b", 400, "twice"),
  ])
  func `that is required is judged as a text, at a prompt and at a link`(body: String, status: Int, said: String)
    async throws
  {
    for path in ["/prompts/deploy", try await live.ask(#"{"prompt":"deploy"}"#).path] {
      let answer =
        body.hasPrefix("{") ? try await live.post(path, json: body) : try await live.post(path, form: body)
      #expect(answer.status == status, "\(answer.text)")
      #expect(answer.text.contains(said), "\(answer.text)")
      guard status == 422 else { continue }
      let errors = try answer.errors.map { [$0.text("field"), $0.text("pointer")] }
      #expect(errors == [["okcancel-reason", "#/reason"]])
    }
  }

  @Test func `has up to 2,000 code points`() async throws {
    for (count, status) in [(2000, 200), (2001, 422)] {
      let reason = String(repeating: "😀", count: count)
      let answer = try await live.post("/prompts/deploy", json: #"{"outcome":"cancel","reason":"\#(reason)"}"#)
      #expect(answer.status == status)
    }
  }

  @Test(arguments: ["", #","reason":"""#, #","reason":" ""#, #","reason":null"#])
  func `that is optional may be left out`(reason: String) async throws {
    let answer = try await live.post("/prompts/lunch", json: #"{"outcome":"cancel"\#(reason)}"#)
    #expect(answer.status == 200)
    #expect(answer.text == #"{"outcome":"cancel","by":{"via":"link"}}"#)
  }

  @Test func `is ignored where nobody asks for it`() async throws {
    for reason in [#""No""#, "7", "{}"] {
      let answer = try await live.post("/prompts/email", json: #"{"outcome":"cancel","reason":\#(reason)}"#)
      #expect(answer.status == 200 && answer.text == #"{"outcome":"cancel","by":{"via":"link"}}"#)
    }
    #expect(!(try await live.get("/prompts/email", accept: "text/html").text.contains("reason")))
  }

  @Test func `that is missing leaves the ask open, and the page asks for it and keeps the rest`() async throws {
    let ask = try await live.ask(#"{"prompt":"deploy","values":{"version":"2.0"}}"#)
    let fresh = try await live.get(ask.path, accept: "text/html").text
    #expect(fresh.contains(#"<div id="reason" class="reason">"#) && !fresh.contains(" data-open>"))
    let page = try await live.post(ask.path, form: "outcome=cancel", accept: "text/html")
    #expect(page.status == 422)
    #expect(page.text.contains(" data-open>") && page.text.contains(#"value="2.0""#))
    #expect(page.text.contains(##"<a href="#field-okcancel-reason"><bdi>Why?</bdi>"##))
    #expect(page.text.contains(#"id="error-okcancel-reason" dir="auto">Give a reason</p>"#))
    let long = String(repeating: "ab ", count: 700)
    let kept = try await live.post(ask.path, form: "outcome=cancel&okcancel-reason=\(long)", accept: "text/html")
    #expect(kept.status == 422 && kept.text.contains(long.dropLast()))
    #expect(try await live.get("/asks/\(ask.id)", headers: live.authorized).json().text("status") == "open")
    // The dialog's other ends need none.
    #expect(try await live.post(ask.path, form: "version=3").status == 200)
  }

  @Test func `is in the outcome at every door`() async throws {
    let ask = try await live.ask(#"{"definition":{"title":"T","cancel":{"reason":"required"}}}"#)
    let sent = "outcome=cancel&okcancel-reason=Not+today"
    let page = try await live.post(ask.path, form: sent, accept: "text/html")
    #expect(page.status == 303)
    let done = try await live.get(try #require(page.headers["location"])).text
    #expect(done.contains("Your choice was received.") && !done.contains("No answer was sent"))
    for path in ["/asks/\(ask.id)", "/asks/\(ask.id)/events", "/asks"] {
      let text = try await live.get(path, headers: live.authorized).text
      #expect(text.contains(#""outcome":"cancel","reason":"Not today""#), "\(text)")
    }
    #expect(try await live.server.outcome(of: ask.id, within: .zero) == .cancelled(reason: "Not today"))
    let client = Client(url: live.server.url, token: "token")
    #expect(try await client.outcome(of: ask.id, within: .zero)?.reason == "Not today")
  }

  @Test func `is what an agent reads`() async throws {
    let question = #"{"title":"Deploy?","cancel":{"title":"Reject","reason":"required"},"wait":0}"#
    let asked = try await live.call("ask_person", question, headers: live.authorized).text
    let id = try #require(asked.firstMatch(of: #/"status":"open","id":"(\w+)"/#)?.1)
    let path = try #require(asked.firstMatch(of: #//a/\w+/#)?.0)
    #expect(try await live.post(String(path), json: #"{"outcome":"cancel","reason":"Not today"}"#).status == 200)
    let outcome = try await live.call("ask_outcome", #"{"id":"\#(id)"}"#, headers: live.authorized).text
    #expect(outcome.contains(#""outcome":"cancel","reason":"Not today""#))
    #expect(outcome.contains("do not ask the same again. `reason` says why."))
  }

  @Test func `makes a refusal of a standing prompt worth keeping`() async throws {
    _ = try await live.post("/prompts/lunch", json: #"{"outcome":"cancel"}"#)
    let kept = try await live.post("/prompts/lunch?receipt", json: #"{"outcome":"cancel","reason":"Full"}"#).json()
    let answers = try await live.server.answers(to: "lunch")
    #expect(answers.map(\.outcome) == [.cancelled(reason: "Full")])
    let receipt = try await live.get("/receipts/\(kept.text("receipt") ?? "")", headers: live.authorized).json()
    #expect(receipt.text("reason") == "Full")
  }

  @Test func `is in canned answers and in Swift's outcomes`() async throws {
    let server = try OKCancelServer.answering(["Deploy?": [.cancelled(reason: "Not today"), .cancel, .cancel]])
    let asked = try await server.create(Question(Self.deploy))
    #expect(try await server.outcome(of: asked.id, within: .seconds(60)) == .cancelled(reason: "Not today"))
    // One that is not valid leaves the ask open.
    let open = try await server.create(Question(Self.deploy))
    #expect(try await server.outcome(of: open.id, within: .milliseconds(300)) == nil)
    await server.drain()

    for outcome in [Outcome.cancel, .cancelled(reason: "No"), .expired] {
      let json = try JSONEncoder().encode(outcome)
      #expect(try JSONDecoder().decode(Outcome.self, from: json) == outcome)
    }
    #expect(Outcome.cancel.reason == nil && Outcome.cancelled(reason: "No") != .cancel)
    if case .cancel = Outcome.cancelled(reason: "No") {} else { Issue.record("every cancel is one") }
  }

  @Test(arguments: [
    ("title: T\ncancel: {title: Reject, reason: required}", nil), ("title: T\ncancel: {reason: optional}", nil),
    ("title: T\nbuttons: [{role: ok}, {title: No, role: cancel, reason: optional}]", nil),
    ("title: T\ncancel: {title: Reject, reason: always}", "`reason` cannot be `always`"),
    ("title: T\ncancel: {titel: Reject}", "did you mean `title`?"),
    ("title: T\ncancel: true", "`cancel` must be a string, a map or false, not true"),
    ("title: T\nbuttons: [{role: ok, reason: optional}]", "`reason` is for buttons of role `cancel`; remove it"),
    ("title: T\nfields: [{name: okcancel-reason}]", "okcancel-reason"),
  ])
  func `is asked for in definitions`(yaml: String, fault: String?) throws {
    do {
      let prompt = try Prompt(definition: yaml)
      #expect(fault == nil && prompt.buttons.contains { $0.reason != nil })
    } catch {
      #expect("\(error)".contains(fault ?? "nothing"), "\(error)")
    }
  }
}
