import Foundation
import Testing

@testable import OKCancel
@testable import Prompts

/// Fields and actions that apply only under conditions, at every door of a server.
@Suite(.timeLimit(.minutes(5))) struct `What does not apply` {
  let live: LiveServer

  private static let order = Prompt(
    title: "Order",
    buttons: [
      Prompt.Button(
        "Draft", role: .action, name: "draft", validates: false, when: [.field("kind", is: .oneOf(["company"]))]),
      Prompt.Button("Quote", role: .action, name: "quote", when: [.field("kind", is: .oneOf(["company"]))]),
      Prompt.Button("OK", role: .ok),
    ],
    fields: [
      Field("kind", kind: .choice, options: [.init("person"), .init("company")]),
      Field("company", rules: [.nonEmpty], when: [.field("kind", is: .oneOf(["company"]))]),
      Field("size", kind: .integer, when: [.field("kind", is: .oneOf(["company"]))]),
      Field(
        "extras", kind: .choices, options: [.init("a")], when: [.field("company", is: .nonEmpty, saying: "Only then")]),
    ])

  init() throws { live = try LiveServer([Self.order.named("order")]) }

  @Test(arguments: [
    #"{"kind":"person"}"#, #"{"kind":"person","company":"ACME","size":5,"extras":["a"]}"#,
    #"{"kind":"person","company":"","size":"many","extras":["x","y"]}"#, #"{"kind":"person","company":"\u0000"}"#,
    #"{"kind":"person","company":"\ud800"}"#, #"{"extras":null,"size":null,"kind":"person"}"#,
    #"{"kind":"person","company":"\#(String(repeating: "a", count: 70_000))"}"#,
  ])
  func `is dropped, whatever it is`(values: String) async throws {
    let answer = try await live.post("/prompts/order", json: #"{"outcome":"ok","values":\#(values)}"#)
    #expect(answer.text == #"{"outcome":"ok","values":{"kind":"person"},"by":{"via":"link"}}"#)
    let verdict = try await live.post("/validate/order", json: values)
    #expect(verdict.text == #"{"isValid":true,"fields":{"kind":{"isValid":true}}}"#)
  }

  @Test func `has no verdict, and valid answers differ in which they have`() async throws {
    for (values, fields) in [
      (#"{"kind":"company","company":"A","size":1}"#, ["kind", "company", "size", "extras"]),
      (#"{"kind":"person"}"#, ["kind"]),
      (#"{"kind":"company","company":"A","size":2}"#, ["kind", "company", "size", "extras"]),
    ] {
      let verdicts = try await live.post("/validate/order", json: values).json()["fields"]
      #expect(verdicts?.members.map(\.key) == fields)
    }
    let only = try await live.post(
      "/validate/order?only=extras", json: #"{"kind":"person","company":"A","extras":["b"]}"#)
    #expect(only.text == #"{"isValid":true,"fields":{}}"#)
    let judged = try await live.post(
      "/validate/order?only=extras", json: #"{"kind":"company","company":"A","extras":["b"]}"#)
    #expect(judged.text.contains(#""extras":{"isValid":false,"rule":"oneOf""#))
  }

  @Test func `comes in a form as nothing else`() async throws {
    let answer = try await live.post("/prompts/order", form: "kind=person&company=ACME&size=x&extras=z&extras=y")
    #expect(answer.text == #"{"outcome":"ok","values":{"kind":"person"},"by":{"via":"link"}}"#)
    #expect(try await live.post("/prompts/order", form: "kind=company&company=&size=1").status == 422)
  }

  @Test(arguments: ["draft", "quote"])
  func `is no action`(action: String) async throws {
    for body in [#""values":{"kind":"person"}"#, #""values":{}"#] {
      let refused = try await live.post("/prompts/order", json: #"{"outcome":"action","action":"\#(action)",\#(body)}"#)
      #expect(refused.status == 400)
      #expect(refused.text.contains("does not apply to what was entered; choose another button."))
    }
    #expect(try await live.post("/prompts/order", json: #"{"outcome":"action","action":"\#(action)"}"#).status == 400)
    let page = try await live.post(
      "/prompts/order", form: "action=\(action)&kind=person&company=Kept", accept: "text/html")
    #expect(page.status == 400)
    #expect(page.text.contains(#"value="Kept""#))
  }

  @Test func `leaves actions that do`() async throws {
    let draft = try await live.post(
      "/prompts/order", json: #"{"outcome":"action","action":"draft","values":{"kind":"company"}}"#)
    #expect(draft.text == #"{"outcome":"action","action":"draft","by":{"via":"link"}}"#)
    let quote = try await live.post(
      "/prompts/order", form: "action=quote&kind=company&company=A&size=3")
    #expect(
      quote.text
        == #"{"outcome":"action","action":"quote","values":{"kind":"company","company":"A","size":3,"extras":[]},"by":{"via":"link"}}"#
    )
    #expect(try await live.post("/prompts/order", form: "action=quote&kind=company&company=").status == 422)
  }

  @Test func `is missing from asks, too`() async throws {
    let outcome = try await live.server.ask(Self.order) { link in
      _ = try await live.post(link.path, json: #"{"outcome":"action","action":"draft","values":{"kind":"person"}}"#)
      _ = try await live.post(link.path, form: "kind=person&company=x")
    }
    #expect(outcome == .ok(["kind": "person"]))
  }
}
