import Synchronization
import Testing

@testable import OKCancel
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `A password` {
  private static let secret = "correct-horse-battery"

  /// Promise 4.8 | A password goes back only to the client that sent it: in the JSON response to the valid answer,
  /// which an embedding page needs, and in the same response once more to the same request with the same
  /// `Idempotency-Key`. It also goes to programs with the API token, which asked for it, and to the ask's callback.
  /// No page, error, redirect, event, metric or log line has it.
  @Test func `goes back only in the JSON response to the answer, and to programs with the token`() async throws {
    let lines = Mutex<[String]>([])
    let live = try LiveServer(Sample.all) {
      $0.apiTokens = ["token"]
      $0.requestLog = { record in lines.withLock { $0.append("\(record.method) \(record.path) \(record.id)") } }
    }
    let ask = try await live.ask(#"{"prompt":"login"}"#)
    let answer = #"{"outcome":"ok","values":{"user":"ann","password":"\#(Self.secret)"}}"#
    let invalid = #"{"outcome":"ok","values":{"user":"","password":"\#(Self.secret)"}}"#
    let form = "user=&password=\(Self.secret)"
    let page = ["Accept": "text/html"]
    var others: [LiveServer.Answer] = []
    for path in ["/prompts/login", ask.path] {
      // What is invalid or malformed, as JSON and in a browser.
      others.append(try await live.post(path, json: invalid))
      others.append(try await live.post(path, form: form, headers: page))
      others.append(try await live.post(path, form: form + "&other=1", headers: page))
      others.append(try await live.post(path, json: #"{"outcome":"ok","values":{"password":["\#(Self.secret)"]}}"#))
      others.append(
        try await live.post(
          path.hasPrefix("/a/") ? path + "/validate" : "/validate/login", json: #"{"password":"\#(Self.secret)"}"#))
      // The answer, and the same once more: both to the one who sent it.
      let key = ["Idempotency-Key": "k"]
      let first = try await live.post(path, json: answer, headers: key)
      #expect(first.status == 200)
      #expect(first.text.contains(Self.secret))
      #expect(try await live.post(path, json: answer, headers: key).bytes == first.bytes)
      // Somebody else's, and what is read after it.
      others.append(try await live.post(path, json: #"{"outcome":"cancel"}"#, headers: ["Idempotency-Key": "j"]))
      others.append(try await live.post(path, json: #"{"outcome":"cancel"}"#))
      for accept in ["text/html", "application/json"] {
        others.append(try await live.get(path, accept: accept))
        others.append(try await live.get(path + "/done?outcome=ok", accept: accept))
        others.append(try await live.get(path + "/rules", accept: accept))
      }
    }
    others.append(
      try await live.post("/prompts/login", form: "user=ann&password=\(Self.secret)", headers: page))
    for path in [
      "/asks", "/prompts/login/answers", "/asks/\(ask.id)", "/asks/\(ask.id)/events", "/metrics", "/", "/openapi.json",
    ] {
      others.append(try await live.get(path))
    }
    others.append(try await live.get("/metrics", headers: live.authorized))
    for other in others {
      #expect(!other.text.contains(Self.secret), "\(other.status) \(other.text.prefix(200))")
      #expect(!other.headers.values.contains { $0.contains(Self.secret) })
    }
    // The program that asked is told.
    #expect(try await live.get("/asks/\(ask.id)", headers: live.authorized).text.contains(Self.secret))
    #expect(try await live.get("/prompts/login/answers", headers: live.authorized).text.contains(Self.secret))
    await live.server.drain(deadline: .seconds(5), patience: .zero)
    lines.withLock { lines in
      #expect(lines.count > others.count)
      #expect(!lines.contains { $0.contains(Self.secret) })
    }
  }
}
