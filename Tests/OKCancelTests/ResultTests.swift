import Testing

@testable import OKCancel
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `What came of an answer` {
  private let live: LiveServer

  init() throws { live = try LiveServer(Sample.all) { $0.apiTokens = ["token", "other=0123456789abcdefghijklmn"] } }

  private func answered(_ body: String = #"{"prompt":"email"}"#) async throws -> LiveServer.MadeAsk {
    let ask = try await live.ask(body)
    let answer = try await live.post(ask.path, json: #"{"outcome":"ok","values":{"email":"a@b.c"}}"#)
    #expect(answer.status == 200)
    return ask
  }

  private func finish(
    _ id: String, _ body: String, _ headers: [String: String]? = nil
  ) async throws -> LiveServer.Answer {
    let headers = (headers ?? live.authorized).merging(["Content-Type": "application/json"]) { $1 }
    return try await live.send("PUT", "/asks/\(id)/result", headers: headers, body: Array(body.utf8))
  }

  @Test func `is what the program says first, at every door`() async throws {
    let ask = try await answered()
    let first = try await finish(ask.id, #"{"status":"failed","text":"Cluster unreachable"}"#)
    #expect(first.status == 200, "\(first.text)")
    let result = try #require(try first.json()["result"])
    #expect(result.text("status") == "failed" && result.text("text") == "Cluster unreachable")
    // The same again, and another.
    #expect(try await finish(ask.id, #"{"text":"Cluster unreachable","status":"failed"}"#).text == first.text)
    let other = try await finish(ask.id, #"{"status":"done"}"#)
    #expect(other.status == 409)
    #expect(try other.json().text("code") == "has-result")
    let state = try await live.get("/asks/\(ask.id)", headers: live.authorized)
    let line = try await live.get("/asks", headers: live.authorized)
    let events = try await live.get("/asks/\(ask.id)/events", headers: live.authorized)
    for answer in [state, line, events] {
      #expect(
        answer.text.contains(#""result":{"status":"failed","text":"Cluster unreachable","at":""#), "\(answer.text)")
    }
    let ended = try #require(try await live.server.end(of: ask.id, within: .zero))
    #expect(ended.result?.status == .failed && ended.result?.text == "Cluster unreachable")
    let metrics = try await live.get("/metrics", headers: live.authorized).text
    #expect(metrics.contains("okcancel_results_total{status=\"failed\"} 1\n"))
  }

  @Test(
    arguments: [
      ("{}", 400, "missing-key"), (#"{"status":"unknown"}"#, 400, "wrong-value"), (#"{"status":1}"#, 400, "wrong-type"),
      (#"{"status":"done","text":7}"#, 400, "wrong-type"), (#"{"status":"done","at":"x"}"#, 400, "unknown-key"),
      (#"{"status":"done","text":"\ud800"}"#, 400, nil), (#""done""#, 400, nil),
    ] as [(String, Int, String?)])
  func `is read strictly`(_ body: String, _ status: Int, _ code: String?) async throws {
    let ask = try await answered()
    let answer = try await finish(ask.id, body)
    #expect(answer.status == status, "\(answer.text)")
    if let code { #expect(try answer.json().text("code") == code, "\(answer.text)") }
    #expect(try await finish(ask.id, #"{"status":"done","text":null}"#).status == 200)
  }

  @Test func `has up to 2,000 code points`() async throws {
    let ask = try await answered(), other = try await answered()
    let long = String(repeating: "𝄞", count: 2000)
    #expect(try await finish(ask.id, #"{"status":"done","text":"\#(long)x"}"#).status == 400)
    #expect(try await finish(ask.id, #"{"status":"done","text":"\#(long)"}"#).status == 200)
    await #expect(throws: AskFault.self) { try await live.server.finish(other.id, .failed(long + "x")) }
    try await live.server.finish(other.id, .failed(long))
  }

  @Test func `comes after an answer, from the program that asked`() async throws {
    let open = try await live.ask(#"{"prompt":"email"}"#)
    let early = try await finish(open.id, #"{"status":"done"}"#)
    #expect(early.status == 409)
    #expect(try early.json().text("code") == "not-answered")
    #expect(try await live.post(open.path, json: #"{"outcome":"cancel"}"#).status == 200)
    #expect(try await finish(open.id, #"{"status":"done"}"#).status == 409)
    let ask = try await answered()
    let others = ["Authorization": "Bearer 0123456789abcdefghijklmn"]
    #expect(try await finish(ask.id, #"{"status":"done"}"#, others).status == 404)
    #expect(try await finish(ask.id, #"{"status":"done"}"#, [:]).status == 401)
    #expect(try await finish("0000000000000000000000000a", #"{"status":"done"}"#).status == 404)
  }

  @Test func `is on the page of the link, with what is hidden in it written out`() async throws {
    let ask = try await answered(#"{"prompt":"email","resultWithin":"10m"}"#)
    #expect(ask.json.text("resultWithin") == "10m")
    for path in [ask.path, ask.path + "/done?outcome=ok"] {
      let page = try await live.get(path, accept: "text/html").text
      #expect(page.contains(#"data-status="running"><b>Running…</b>"#), "\(page)")
      #expect(page.contains("result.js"))
    }
    #expect(try await finish(ask.id, #"{"status":"failed","text":"<b>\u202e\u200b"}"#).status == 200)
    for path in [ask.path, ask.path + "/done?outcome=ok"] {
      let page = try await live.get(path, accept: "text/html").text
      #expect(page.contains(#"data-status="failed"><b>Failed</b> <span dir="auto">&lt;b&gt;⟨U+202E⟩⟨U+200B⟩</span>"#))
      #expect(!page.contains("result.js"))
    }
  }

  @Test func `is a tool of agents`() async throws {
    let ask = try await answered()
    let call =
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"report_result","arguments":{"id":"\#(ask.id)","status":"done"}}}"#
    let headers = live.authorized.merging(["MCP-Protocol-Version": "2025-06-18"]) { $1 }
    let said = try await live.post("/mcp", json: call, headers: headers).text
    #expect(said.contains(#""result":{"status":"done""#), "\(said)")
    let wrong = call.replacing(#""status":"done""#, with: #""status":"failed""#)
    #expect(try await live.post("/mcp", json: wrong, headers: headers).text.contains(#""isError":true"#))
  }

  @Test(arguments: ["10m", "1s", "366d"]) func `may have a time, in an ask or a definition`(_ time: String) async throws
  {
    let ask = try await live.ask(#"{"definition":{"title":"T","resultWithin":"\#(time)"}}"#)
    #expect(ask.json.text("resultWithin") == time)
    let wrong = try await live.post(
      "/asks", json: #"{"prompt":"email","resultWithin":"ten"}"#, headers: live.authorized)
    #expect(wrong.status == 400 && wrong.text.contains("`resultWithin` cannot be “ten”"))
  }
}
