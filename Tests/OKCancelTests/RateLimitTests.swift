import Foundation
import Synchronization
import Testing

@testable import MicroHTTP
@testable import OKCancel
@testable import Platform
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `Rate limits` {
  /// A clock that a test sets.
  final class Clock: Sendable {
    private let nanoseconds = Atomic<Int64>(0)
    func advance(_ seconds: Double) { nanoseconds.add(Int64(seconds * 1e9), ordering: .relaxed) }
    var read: @Sendable () -> Int64 { { [self] in nanoseconds.load(ordering: .relaxed) } }
  }

  private static func limiter(_ rate: String, _ clock: Clock) throws -> RateLimiter {
    RateLimiter(try #require(Rate(rate)), now: clock.read)
  }

  private static func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

  /// ASVS 2.4.1 | limits against automation | rate limits per client, 429 with `Retry-After`
  @Test func `let so many through at once, and give them back evenly`() throws {
    let clock = Clock()
    let limiter = try Self.limiter("6/m", clock)
    let client = try Self.address("192.0.2.1")
    for _ in 0..<6 { #expect(limiter.take(client) == nil) }
    #expect(limiter.take(client) == .seconds(10))
    // Asking in vain costs nothing.
    #expect(limiter.take(client) == .seconds(10))
    clock.advance(9.5)
    #expect(limiter.take(client) == .milliseconds(500))
    clock.advance(0.5)
    #expect(limiter.take(client) == nil)
    #expect(limiter.take(client) != nil)
    clock.advance(600)
    for _ in 0..<6 { #expect(limiter.take(client) == nil) }
    #expect(limiter.take(client) != nil)
  }

  @Test func `are each client's own; an IPv6 client is its network of 64 bits`() throws {
    let limiter = try Self.limiter("1/h", Clock())
    #expect(limiter.take(try Self.address("192.0.2.1")) == nil)
    #expect(limiter.take(try Self.address("192.0.2.2")) == nil)
    #expect(limiter.take(try Self.address("::ffff:192.0.2.1")) != nil)
    #expect(limiter.take(try Self.address("2001:db8:0:1::1")) == nil)
    #expect(limiter.take(try Self.address("2001:db8:0:1:ffff::2")) != nil)
    #expect(limiter.take(try Self.address("2001:db8:0:2::1")) == nil)
  }

  /// Promise 3.6
  @Test func `remember who did the most through a flood of addresses, in bounded memory`() throws {
    let limiter = try Self.limiter("100/h", Clock())
    let busy = try Self.address("192.0.2.1")
    while limiter.take(busy) == nil {}
    let before = Self.residentPages()
    for network: UInt128 in 0..<300_000 { _ = limiter.take(IPAddress(bits: 0x2001_0DB8 << 96 | network << 64 | 1)) }
    #expect(limiter.take(busy) != nil)
    // So many clients, each remembered, would take 12 megabytes.
    #expect((Self.residentPages() - before) * 4096 < 8 << 20)
  }

  @Test func `forget half of the clients that did equally much, by their addresses`() throws {
    let limiter = try Self.limiter("1/h", Clock())
    let clients = (0...16_384).map { IPAddress(bits: 0x2001_0DB8 << 96 | UInt128($0) << 64) }
    for client in clients { #expect(limiter.take(client) == nil) }
    #expect(clients.prefix(8_193).allSatisfy { limiter.delay($0) == nil })
    #expect(clients.suffix(8_192).allSatisfy { limiter.delay($0) != nil })
  }

  private static func residentPages() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0
  }

  @Test(arguments: ["", "60", "60/", "/m", "0/m", "-1/m", "+1/m", "60/d", "60/m/s", "1e3/m", "1000001/s", " 60/m"])
  func `are read strictly`(text: String) { #expect(Rate(text) == nil) }

  private static let actions: [(RateLimits.Action, String, String)] = [
    (.validate, "/validate/email", #"{"email":"a@b.c"}"#),
    (.validate, "/validate", #"{"rules":["nonEmpty"],"value":"x"}"#),
    (.submit, "/prompts/email", #"{"outcome":"cancel"}"#), (.create, "/asks", #"{"prompt":"email"}"#),
  ]

  /// Promise 3.6 | No client exceeds its rate, and remembering clients takes bounded memory.
  @Test(arguments: actions)
  func `answer 429 with Retry-After, for each action apart`(action: RateLimits.Action, path: String, body: String)
    async throws
  {
    let live = try LiveServer(Sample.all) {
      $0.apiTokens = ["one"]
      $0.rateLimits.set(Rate("2/h"), for: action)
    }
    let headers = live.authorized
    for _ in 0..<2 { #expect(try await live.post(path, json: body, headers: headers).status < 300) }
    let refused = try await live.post(path, json: body, headers: headers)
    #expect(refused.status == 429)
    #expect(refused.headers["retry-after"] == "1800")
    #expect(refused.text.contains("try again in 1800 seconds"))
    for (other, path, body) in Self.actions where other != action {
      #expect(try await live.post(path, json: body, headers: headers).status < 300)
    }
    // Looking is free.
    #expect(try await live.get("/prompts/email").status == 200)
  }

  @Test func `count what pages of links cost, of whatever they are made`() async throws {
    let fields = (0..<50).map { Field("f\($0)", rules: [.nonEmpty, .email]) }
    let rows = Array(repeating: ["a"], count: 200)
    let contexts: [[Prompt.Context]] = [
      [.text(String(repeating: "\u{202E}", count: 5_000))],
      [.code(String(repeating: "a\u{202E}", count: 4_000), language: nil)],
      [.diff(String(repeating: "+a\n", count: 200))], [.table(columns: ["a"], rows: rows)],
      Array(repeating: .text("a"), count: 200),
    ]
    let hiding = (0..<15).map { Field("f\($0)", help: String(repeating: "a\u{202E}", count: 495)) }
    let prompts =
      [Prompt(title: "T", fields: fields), Prompt(title: "T", fields: hiding)]
      + contexts.map { context in
        var prompt = Prompt(title: "T", fields: [])
        prompt.context = context
        return prompt
      }
    for prompt in prompts {
      let live = try LiveServer([prompt.named("large"), Sample.email.named("email")]) {
        $0.apiTokens = ["one"]
        $0.rateLimits.set(Rate("1/h"), for: .work)
      }
      let (large, small) = (try await live.link(to: "large"), try await live.link(to: "email"))
      var answers: [Int] = []
      while answers.count < 10, answers.last != 429 { answers.append(try await live.get(large).status) }
      #expect(
        answers.first == 200 && answers.last == 429, "\(prompt.context.first.map { "\($0)".prefix(20) } ?? "fields")")
      #expect(try await live.get(small).status == 200)
    }
  }

  @Test func `count what large pages cost`() async throws {
    let options = (0..<1000).map { Field.Option("\($0)") }
    let prompts = ["one", "two"].map { name in
      Prompt(title: "T", fields: [Field("many", kind: .choices, rules: [.nonEmpty], options: options)]).named(name)
    }
    let live = try LiveServer(prompts + [Sample.email.named("email")]) {
      $0.apiTokens = ["one"]
      $0.rateLimits.set(Rate("300/h"), for: .work)
    }
    let (first, small) = (try await live.link(to: "one"), try await live.link(to: "email"))
    let page = try await live.get(first)
    #expect(page.status == 200)
    // Each costs more than the last fiftieth of what there is.
    var (second, count) = (first, 0)
    while try await live.get(second).status == 200, count < 60 {
      (second, count) = (try await live.link(to: "one"), count + 1)
    }
    // The next one, a form that comes back, and a page that nobody has opened yet.
    #expect(try await live.get(second).status == 429)
    for path in [second, "/prompts/two"] {
      #expect(try await live.post(path, form: "outcome=ok", accept: "text/html").status == 429)
    }
    #expect(try await live.get("/prompts/two").status == 429)
    #expect(try await live.get(small).status == 200)
    #expect(try await live.post(small, form: "outcome=ok&email=", accept: "text/html").status == 422)
  }

  @Test func `do not hold for this machine's own clients unless they are set`() async throws {
    let live = try LiveServer(Sample.all)
    for _ in 0..<400 { #expect(try await live.post("/prompts/email", json: #"{"outcome":"cancel"}"#).status == 200) }
  }

  @Test func `count the clients of a trusted proxy one by one, and of another one as one`() async throws {
    for (trusted, statuses) in [(["127.0.0.0/8"], [200, 200, 429]), ([], [200, 429, 429])] {
      let live = try LiveServer(Sample.all) {
        $0.trustedProxies = trusted.compactMap { AddressBlock($0) }
        $0.rateLimits.set(Rate("1/h"), for: .submit)
      }
      var found: [Int] = []
      for client in ["192.0.2.1", "192.0.2.2", "192.0.2.1"] {
        found.append(
          try await live.post(
            "/prompts/email", json: #"{"outcome":"cancel"}"#, headers: ["X-Forwarded-For": client]
          ).status)
      }
      #expect(found == statuses)
    }
  }
}

extension LiveServer {
  /// The path of a new ask's link.
  fileprivate func link(to prompt: String) async throws -> String { try await ask(#"{"prompt":"\#(prompt)"}"#).path }
}
