import OKCancel
import StrictJSON
import Testing

@Suite(.timeLimit(.minutes(5))) struct `POST /prompts/{name}` {
  let live: LiveServer

  init() throws { live = try LiveServer(Sample.all) }

  @Test(arguments: [
    (
      "email", #"{"outcome":"ok","values":{"email":"alice@example.com"}}"#,
      #"{"outcome":"ok","values":{"email":"alice@example.com"}}"#
    ),
    ("email", #"{"outcome":"cancel","values":{"email":5,"x":[]}}"#, #"{"outcome":"cancel"}"#),
    ("login", #"{"outcome":"action","action":"forgot"}"#, #"{"outcome":"action","action":"forgot"}"#),
    (
      "login", #"{"outcome":"action","action":"keep","values":{"user":"ann","password":"12345678"}}"#,
      #"{"outcome":"action","action":"keep","values":{"user":"ann","password":"12345678"}}"#
    ),
    (
      "order", #"{"outcome":"ok","values":{"quantity":5,"gift":true,"extras":["card"]}}"#,
      #"{"outcome":"ok","values":{"quantity":5,"note":null,"gift":true,"extras":["card"]}}"#
    ),
    (
      "order", #"{"outcome":"ok","values":{"quantity":"007","note":"hi"}}"#,
      #"{"outcome":"ok","values":{"quantity":7,"note":"hi","gift":false,"extras":[]}}"#
    ),
  ])
  func `answers with the outcome`(prompt: String, body: String, expected: String) async throws {
    let answer = try await live.post("/prompts/\(prompt)", json: body)
    #expect(answer.status == 200)
    #expect(answer.text == expected)
  }

  @Test func `refuses a forged answer with 422 and every failing field in order`() async throws {
    let answer = try await live.post("/prompts/login", json: #"{"outcome":"ok","values":{"password":"short"}}"#)
    #expect(answer.status == 422)
    #expect(answer.headers["content-type"] == "application/problem+json")
    #expect(
      answer.text
        == ##"{"type":"about:blank","title":"Unprocessable Content","status":422,"code":"invalid-values","detail":"2 fields are not valid; `errors` says what to do in each.","errors":[{"field":"user","rule":"nonEmpty","message":"Enter a value","pointer":"#/values/user"},{"field":"password","rule":"length","message":"Enter at least 8 characters","pointer":"#/values/password"}]}"##
    )
  }

  @Test(arguments: [
    ("outcome=ok&email=alice%40example.com", 200), ("email=alice%40example.com", 200),
    ("outcome=ok&email=nobody", 422), ("outcome=ok", 422), ("outcome=cancel&email=%01&other=1", 200),
    ("outcome=no&email=a%40b.c", 400), ("outcome=ok&email=a%40b.c&email=d%40e.f", 400),
    ("outcome=ok&mail=a%40b.c", 400), ("outcome=action&action=forgot", 400), ("email=%zz", 400),
  ])
  func `judges a form as it judges JSON`(body: String, status: Int) async throws {
    #expect(try await live.post("/prompts/email", form: body).status == status)
  }

  @Test func `takes a form's action by its name alone, as a button sends it`() async throws {
    let answer = try await live.post("/prompts/login", form: "action=keep&user=ann&password=12345678")
    #expect(answer.text == #"{"outcome":"action","action":"keep","values":{"user":"ann","password":"12345678"}}"#)
    #expect(try await live.post("/prompts/login", form: "action=keep&user=ann&password=1").status == 422)
  }

  @Test func `sends a browser on to a page that says so`() async throws {
    let answer = try await live.post(
      "/prompts/email", form: "outcome=ok&email=alice%40example.com", headers: ["Accept": "text/html"])
    #expect(answer.status == 303)
    #expect(answer.headers["location"] == "/prompts/email/done?outcome=ok")
    #expect(try await live.get("/prompts/email/done?outcome=ok").status == 200)
    #expect(try await live.get("/prompts/email/done?outcome=other").status == 404)
  }

  @Test func `shows a browser the page again, with what was typed, never a password`() async throws {
    let answer = try await live.post(
      "/prompts/login", form: "outcome=ok&user=%22%3E%3Cscript%3E&password=sec-ret", headers: ["Accept": "text/html"])
    #expect(answer.status == 422)
    #expect(answer.text.contains("<title>Error: Sign In</title>"))
    #expect(answer.text.contains("&quot;&gt;&lt;script&gt;"))
    #expect(answer.text.contains("Enter at least 8 characters"))
    #expect(!answer.text.contains("sec-ret"))
    #expect(!answer.text.contains("<script>"))
  }

  @Test(arguments: [
    (["Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"], 403),
    (["Origin": "https://evil.example"], 403), (["Origin": "null"], 403),
    (["Sec-Fetch-Site": "same-site"], 403), (["Origin": "http://127.0.0.1"], 403),
    (["Sec-Fetch-Site": "same-origin", "Origin": "null"], 200),
    (["Sec-Fetch-Site": "cross-site", "Origin": "https://tools.example.com"], 200), ([:], 200),
  ])
  func `refuses posts from other sites' pages`(headers: [String: String], status: Int) async throws {
    let live = try LiveServer(Sample.all) { $0.allowedOrigins = [Origin("https://tools.example.com")!] }
    #expect(try await live.post("/prompts/email", form: "outcome=cancel", headers: headers).status == status)
  }
}
