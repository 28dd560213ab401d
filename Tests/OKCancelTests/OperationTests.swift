import Foundation
import Logging
import Synchronization
import Testing

@testable import Asks
@testable import MicroHTTP
@testable import OKCancel
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `Operation` {
  let live: LiveServer

  init() throws {
    live = try LiveServer(Sample.all) {
      $0.apiTokens = ["one"]
      $0.trustedProxies = [AddressBlock("127.0.0.1")].compactMap { $0 }
    }
  }

  private func metrics() async throws -> [String] {
    let answer = try await live.get("/metrics", headers: live.authorized)
    #expect(answer.status == 200)
    #expect(answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
    return answer.text.split(separator: "\n").map(String.init)
  }

  @Test func `metrics count requests by route and status, verdicts, asks and commits`() async throws {
    _ = try await live.get("/prompts/email")
    _ = try await live.get("/prompts/login")
    _ = try await live.get("/prompts/none")
    _ = try await live.get("/nowhere/\(UUID())")
    _ = try await live.get("/rules.js")
    _ = try await live.send("BREW", "/prompts/email", headers: [:])
    _ = try await live.post("/validate/email", form: "email=bob")
    _ = try await live.post("/validate", json: #"{"rules":["nonEmpty"],"value":"x"}"#)
    _ = try await live.post("/prompts/email", form: "email=bob")
    _ = try await live.post("/prompts/email", form: "email=bob%40example.com")
    _ = try await live.ask()
    // The last request may still be counted while the metrics are written.
    _ = try await live.get("/healthz")
    let lines = try await metrics()
    for line in [
      #"okcancel_http_requests_total{method="GET",route="/prompts/{name}",status="200"} 2"#,
      #"okcancel_http_requests_total{method="GET",route="/prompts/{name}",status="404"} 1"#,
      #"okcancel_http_requests_total{method="any",route="none",status="404"} 1"#,
      #"okcancel_http_requests_total{method="any",route="none",status="405"} 1"#,
      #"okcancel_http_requests_total{method="GET",route="files",status="200"} 1"#,
      #"okcancel_http_request_duration_seconds_count{method="GET",route="/prompts/{name}"} 3"#,
      #"okcancel_verdicts_total{door="validate",verdict="invalid"} 1"#,
      #"okcancel_verdicts_total{door="validate",verdict="valid"} 1"#,
      #"okcancel_verdicts_total{door="submit",verdict="invalid"} 1"#,
      #"okcancel_verdicts_total{door="submit",verdict="valid"} 1"#,
      "okcancel_asks_open 1", "okcancel_waiters 0", "okcancel_callbacks_waiting 0", "okcancel_store_healthy 1",
      "okcancel_prompts 3",
    ] {
      #expect(lines.contains(line), "\(line)")
    }
    // Two, and whatever the server's own upkeep wrote along with them.
    let writes = lines.first { $0.hasPrefix("okcancel_store_writes_total ") }?.split(separator: " ").last
    #expect(writes.flatMap { Int($0) } ?? 0 >= 2)
    #expect(lines.contains { $0.hasPrefix("process_resident_memory_bytes ") && !$0.hasSuffix(" 0") })
    #expect(!lines.contains { $0.contains("nowhere") || $0.contains("BREW") })
  }

  @Test func `nothing that a client sends becomes a label`() async throws {
    _ = try await metrics()
    let before = Set(try await metrics().compactMap { $0.split(separator: " ").first })
    for number in 0..<50 {
      _ = try await live.send(
        "M\(number)", "/x\(number)/y?z=\(number)",
        headers: ["Host": "h\(number)", "X-Forwarded-For": "192.0.2.\(number)"])
    }
    let new = Set(try await metrics().compactMap { $0.split(separator: " ").first }).subtracting(before)
    // One route that matched nothing: its counter, its histogram.
    #expect(new.allSatisfy { $0.contains(#"route="none""#) })
    #expect(new.count <= 20)
  }

  @Test func `links are those that a trusted proxy's client asked for`() async throws {
    let forwarded = [
      "X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "ask.example.com",
    ]
    let link = try await live.ask(headers: forwarded).json.text("link")
    #expect(link?.hasPrefix("https://ask.example.com/a/") == true)
    // The proxy's page is no other site to itself.
    let origin = ["Origin": "https://ask.example.com"].merging(forwarded) { $1 }
    #expect(try await live.post("/validate/email", form: "email=x", headers: origin).status == 200)
    let other = ["Origin": "https://evil.example"].merging(forwarded) { $1 }
    #expect(try await live.post("/validate/email", form: "email=x", headers: other).status == 403)
  }

  @Test func `an error carries the request's id, a proxy's own where it is trusted`() async throws {
    let one = try await live.get("/nowhere")
    let two = try await live.get("/nowhere")
    #expect(one.headers["x-request-id"]?.utf8.count == 16)
    #expect(one.headers["x-request-id"] != two.headers["x-request-id"])
    #expect(try await live.get("/nowhere", headers: ["X-Request-Id": "abc-1"]).headers["x-request-id"] == "abc-1")
    let alone = try LiveServer(Sample.all)
    #expect(try await alone.get("/nowhere", headers: ["X-Request-Id": "abc-1"]).headers["x-request-id"] != "abc-1")
  }

  @Test func `health and readiness are JSON for everybody`() async throws {
    for path in ["/healthz", "/readyz"] {
      let answer = try await live.get(path, accept: "text/html")
      #expect(answer.status == 200)
      #expect(answer.text == #"{"status":"ok"}"#)
    }
  }

  @Test func `a server whose store takes nothing is not ready, and says why; it lives`() async throws {
    try await live.server.storage.store.close()
    #expect(try await live.get("/healthz").status == 200)
    let answer = try await live.get("/readyz")
    #expect(answer.status == 503)
    #expect(answer.headers["retry-after"] == "5")
    #expect(answer.text.contains(#""detail":"No answer can be kept: the store is closed.""#))
    // Its metrics are there all the same.
    #expect(try await metrics().contains { $0.hasPrefix("okcancel_http_requests_total") })
  }

  @Test func `readiness tries the store by a write, and once in its interval at most`() async throws {
    let commits = CommitCounts()
    func expectWrites(_ count: Int) {
      var text = MetricsText()
      commits.write(to: &text)
      #expect(text.text.contains("okcancel_store_writes_total \(count)\n"))
    }
    let storage = try AskStorage(
      Configuration(), DescriptorShares(configuration: Configuration(), hasPrograms: false), commits: commits,
      logger: Logger(label: "test"))
    let readiness = Readiness(storage.store, interval: .seconds(600))
    await withTaskGroup(of: Problem?.self) { group in
      for _ in 0..<100 { group.addTask { await readiness.obstacle() } }
      for await obstacle in group { #expect(obstacle?.detail == nil) }
    }
    expectWrites(1)
    let eager = Readiness(storage.store, interval: .zero)
    for _ in 0..<3 { #expect(await eager.obstacle()?.detail == nil) }
    expectWrites(4)
    eager.stop()
    #expect(await eager.obstacle()?.detail == "The server is stopping.")
    await storage.close()
  }
}
