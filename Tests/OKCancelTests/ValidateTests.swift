import TestSupport
import Testing

@testable import OKCancel
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `POST /validate` {
  let live: LiveServer

  init() throws { live = try LiveServer(Sample.all) }

  private static let empty =
    #"{"isValid":false,"message":"Enter your email address","fields":{"email":{"isValid":false,"rule":"nonEmpty","message":"Enter your email address"}}}"#

  @Test(
    arguments: cases(
      #"""
      email=bob@gmail
        → {"isValid":false,"message":"Use the required format","fields":{"email":{"isValid":false,"rule":"pattern","message":"Use the required format"}}}
      email=alice%40example.com → {"isValid":true,"fields":{"email":{"isValid":true}}}
      """#) + [("email=", empty), ("", empty)])
  func `says what is wrong and why, and what is right`(body: String, expected: String) async throws {
    let answer = try await live.post("/validate/email", form: body)
    #expect(answer.status == 200)
    #expect(answer.headers["content-type"] == "application/json")
    #expect(answer.text == expected)
  }

  @Test func `judges only the fields that 'only' names, and compares them with the others`() async throws {
    let answer = try await live.post("/validate/login?only=user", json: #"{"user":"ann"}"#)
    #expect(answer.text == #"{"isValid":true,"fields":{"user":{"isValid":true}}}"#)
  }

  @Test func `takes a prompt's name and values`() async throws {
    let answer = try await live.post("/validate", json: #"{"prompt":"email","values":{"email":"a@b.c"}}"#)
    #expect(answer.text == #"{"isValid":true,"fields":{"email":{"isValid":true}}}"#)
  }

  @Test(
    arguments: cases(
      #"""
      {"rules":[{"rule":"length","min":1,"max":3}],"value":"abcd"}
        → {"isValid":false,"rule":"length","message":"Enter 1 to 3 characters"}
      {"rules":["nonEmpty",{"pattern":"[a-z]+","message":"Lower case only"}],"value":"A"}
        → {"isValid":false,"rule":"pattern","message":"Lower case only"}
      {"rules":[{"rule":"predicate","name":"integer"}],"value":"12"} → {"isValid":true}
      {"rules":[{"rule":"predicate","name":"integer"}],"value":"twelve"}
        → {"isValid":false,"rule":"predicate","message":"Enter a whole number, like 42"}
      {"rules":[],"value":"\ud800"}
        → {"isValid":false,"rule":"text","message":"Remove the control characters from this text"}
      {"rules":[{"count":{"min":2}}],"value":["a"]}
        → {"isValid":false,"rule":"count","message":"Choose at least 2 options"}
      """#)
  )
  func `takes rules and a value`(body: String, expected: String) async throws {
    let answer = try await live.post("/validate", json: body)
    #expect(answer.status == 200)
    #expect(answer.text == expected)
  }

  /// Each request is what stands behind `/validate`, and its body.
  ///
  /// ASVS 15.3.3 | no mass assignment | unknown keys and fields are refused
  @Test(
    arguments: cases(
      #"""
      /email {"emial":"a"} → The prompt has no field `emial`; did you mean `email`?
      /email {"email":{"a":1}} → `email` must be a string, not an object; write it like `"email": "..."`
      /email ["a"] → `values` must be an object, not a list; write them like `{"field": "text"}`
      /email?only=phone {} → The prompt has no field `phone`; use `email`
      /email?only= {} → “only” must be names of fields with a comma between two, like email.
      /email?only=email, {} → “only” must be names of fields with a comma between two, like email.
      ?only=email {"rules":["email"],"value":""} → There is no query parameter `only` here; use `lang`
      ?only=email {"prompt":"email","values":{}} → There is no query parameter `only` here; use `lang`
      / {"rules":[{"predicate":"taken"}],"value":""}
        → No predicate `taken` is built in; only prompts of this server can ask its own.
      / {"rules":[{"sameAs":"a"}],"value":""}
        → The rule `sameAs` looks at another field; send {"prompt": ..., "values": {...}} instead.
      / {"rules":[],"value":5} → `value` must be a string, not the number 5; put it in quotes: `"value": "5"`
      / {} → The body needs `prompt`; send {"rules": [...], "value": "..."} or {"prompt": "...", "values": {...}}
      / {"value":"x"}
        → The body needs `rules`; send {"rules": [...], "value": "..."} or {"prompt": "...", "values": {...}}
      / {"rules":[],"prompt":"email"}
        → “prompt” does not go with “rules” and “value”; send {"rules": [...], "value": "..."} or {"prompt": "...", "values": {...}}.
      / {"value":"a","values":{}}
        → “values” does not go with “rules” and “value”; send {"rules": [...], "value": "..."} or {"prompt": "...", "values": {...}}.
      """#)
  )
  func `refuses what is malformed with 400 and a clear detail`(request: String, detail: String) async throws {
    let parts = request.split(separator: " ", maxSplits: 1)
    let path = parts[0] == "/" ? "" : parts[0]
    let answer = try await live.post("/validate\(path)", json: String(parts[1]))
    #expect((answer.status, answer.detail) == (400, detail))
  }

  @Test(arguments: ["/validate/order", "/prompts/order"])
  func `says the same for the next value that fails the same rule, and other things of other rules`(
    path: String
  ) async throws {
    func judged(_ quantity: String, _ extras: String = "box") async throws -> LiveServer.Answer {
      let values = #"{"quantity":"\#(quantity)","extras":["\#(extras)"]}"#
      return try await live.post(
        path, json: path == "/validate/order" ? values : #"{"outcome":"ok","values":\#(values)}"#)
    }
    let (first, second) = (try await judged("one"), try await judged("two"))
    #expect(first.text == second.text)
    #expect(first.text.contains(#""rule":"integer","message":"Enter a whole number, like 42""#))
    let varying: Set = ["date", "x-request-id"]
    #expect(first.headers.filter { !varying.contains($0.key) } == second.headers.filter { !varying.contains($0.key) })
    #expect(first.headers["x-request-id"] != second.headers["x-request-id"] || path == "/validate/order")
    let (range, choice, both) = (try await judged("-1"), try await judged("1", "bag"), try await judged("-1", "bag"))
    #expect(range.text.contains(#""rule":"range""#) && !range.text.contains(#""rule":"integer""#))
    #expect(choice.text.contains(#""rule":"oneOf""#) && !choice.text.contains(#""rule":"range""#))
    #expect(both.text.contains(#""rule":"range""#) && both.text.contains(#""rule":"oneOf""#))
    #expect(try await judged("three").text == first.text)
  }
}
