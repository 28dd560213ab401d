import Testing

@testable import OKCancel
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `Receipts: what a backend can trust` {
  let live: LiveServer

  init() throws { live = try LiveServer(Sample.all) { $0.apiTokens = ["token"] } }

  private func text(_ key: String, in answer: LiveServer.Answer) throws -> String {
    try #require(try answer.json().text(key))
  }

  @Test(arguments: [
    ("email", #"{"outcome":"ok","values":{"email":"a@b.c"}}"#),
    ("login", #"{"outcome":"action","action":"keep","values":{"user":"ann","password":"12345678"}}"#),
  ])
  func `are given to who asks, after all else, and looked up with the API token`(prompt: String, body: String)
    async throws
  {
    let answer = try await live.post("/prompts/\(prompt)?receipt", json: body)
    let receipt = try text("receipt", in: answer)
    #expect(answer.text == body.dropLast() + #","by":{"via":"link"},"receipt":"\#(receipt)"}"#)
    let redeemed = try await live.get("/receipts/\(receipt)", headers: live.authorized)
    #expect(redeemed.status == 200)
    #expect(redeemed.headers["cache-control"] == "no-store")
    let answeredAt = try text("answeredAt", in: redeemed)
    let cursor = try text("cursor", in: redeemed)
    #expect(
      redeemed.text
        == #"{"receipt":"\#(receipt)","prompt":"\#(prompt)","cursor":"\#(cursor)","answeredAt":"\#(answeredAt)","#
        + body.dropFirst().dropLast() + #","by":{"via":"link"}}"#)
    // As often as it is asked for: a backend may lose an answer.
    #expect(try await live.get("/receipts/\(receipt)", headers: live.authorized).text == redeemed.text)
  }

  @Test func `carry what the answer is about`() async throws {
    let ok = #"{"outcome":"ok","values":{"email":"a@b.c"}}"#
    let path = "/prompts/email?receipt&subject=user-7%20%E2%9C%93"
    let key = ["Idempotency-Key": "once"]
    let answer = try await live.post(path, json: ok, headers: key)
    let redeemed = try await live.get("/receipts/\(try text("receipt", in: answer))", headers: live.authorized)
    #expect(try text("subject", in: redeemed) == "user-7 ✓")
    // The same request is known again; about something else it is another one.
    #expect(try await live.post(path, json: ok, headers: key).text == answer.text)
    #expect(try await live.post("/prompts/email?receipt&subject=x", json: ok, headers: key).status == 409)
    #expect(try await live.post("/prompts/email?receipt", json: ok, headers: key).status == 409)
    _ = try await live.post("/prompts/email?subject=x", json: ok)
    let listed = try await live.get("/prompts/email/answers", headers: live.authorized).text
    #expect(listed.hasSuffix(#""values":{"email":"a@b.c"},"by":{"via":"link"},"subject":"x"}"# + "\n"))
    let long = String(repeating: "x", count: 201)
    for subject in ["", "%00", "%0A", "%C2%85", long] {
      #expect(try await live.post("/prompts/email?subject=\(subject)", json: ok).status == 400)
    }
  }

  @Test func `of a link take no subject: that is what metadata is for`() async throws {
    let path = try await live.ask().path
    let answer = try await live.post(path + "?subject=x", json: #"{"outcome":"ok","values":{"email":"a@b.c"}}"#)
    #expect(answer.status == 400)
    #expect(answer.detail.contains("`subject`"))
  }

  @Test func `are not given to anybody else, nor where nothing was kept`() async throws {
    let ok = #"{"outcome":"ok","values":{"email":"a@b.c"}}"#
    func said(_ outcome: String) -> String { outcome.dropLast() + #","by":{"via":"link"}}"# }
    #expect(try await live.post("/prompts/email", json: ok).text == said(ok))
    #expect(try await live.post("/prompts/email?receipt=false", json: ok).text == said(ok))
    let cancel = #"{"outcome":"cancel"}"#
    #expect(try await live.post("/prompts/email?receipt", json: cancel).text == said(cancel))
    let forgot = #"{"outcome":"action","action":"forgot"}"#
    #expect(try await live.post("/prompts/login?receipt=true", json: forgot).text == said(forgot))
    let invalid = try await live.post("/prompts/email?receipt", json: #"{"outcome":"ok","values":{"email":"x"}}"#)
    #expect(invalid.status == 422)
    #expect(!invalid.text.contains("receipt"))
    #expect(try await live.post("/prompts/email?receipt=yes", json: ok).status == 400)
  }

  /// Promise 2.7
  /// Promise 2.16 | An outcome from a browser counts only if a receipt proves it.
  @Test(arguments: [
    "00000000000000000000000000", "x", "0000000000000000000000000", "8zzzzzzzzzzzzzzzzzzzzzzzzz", "%00",
  ])
  func `that no server gave are of no use`(receipt: String) async throws {
    let answer = try await live.get("/receipts/\(receipt)", headers: live.authorized)
    #expect(answer.status == (receipt == "%00" ? 400 : 404))
  }

  @Test func `of a link are the ask's id`() async throws {
    let ask = try await live.ask()
    let answer = try await live.post(ask.path + "?receipt", json: #"{"outcome":"ok","values":{"email":"a@b.c"}}"#)
    #expect(answer.text == #"{"outcome":"ok","values":{"email":"a@b.c"},"by":{"via":"link"},"id":"\#(ask.id)"}"#)
    let closed = try await live.get("/asks/\(ask.id)", headers: live.authorized)
    #expect(try text("outcome", in: closed) == "ok")
  }

  @Test func `a link that has ended says how, for the page around the dialog`() async throws {
    let ask = try await live.ask()
    _ = try await live.send("DELETE", "/asks/\(ask.id)", headers: live.authorized)
    let post = try await live.post(ask.path, form: "email=a%40b.c")
    #expect(post.status == 409)
    #expect(try text("outcome", in: post) == "withdrawn")
    #expect(
      try await live.get(ask.path, accept: "text/html").text.contains(
        #"data-status="410" data-outcome="withdrawn""#))
  }
}
