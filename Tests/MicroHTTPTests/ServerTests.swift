import Dispatch
import MicroHTTP
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A server` {
  static func running() throws -> RunningServer {
    try RunningServer { router in
      router.on(.get, "/hello") { .now(Response(.ok, type: "text/plain", text: "hello \($0.query["name"] ?? "")")) }
      router.on(.post, "/echo") { .now(Response(.ok, type: "application/octet-stream", bytes: $0.body)) }
      router.on(.get, "/prompts/:name/rules") {
        .now(Response(.ok, type: "text/plain", text: $0.segment("name") ?? "nil"))
      }
      router.on(.get, "/broken") { _ in .now(Response(.ok, headers: [("Bad Name", "x")])) }
      router.on(.get, "/split") { _ in .now(Response(.ok, headers: [("X-A", "a\r\nX-B: b")])) }
    }
  }

  @Test func `answers several requests on one connection`() throws {
    let running = try Self.running()
    let client = try running.client()
    for name in ["a", "b", "c"] {
      try client.send("GET /hello?name=\(name) HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(try client.answer().text == "hello \(name)")
    }
  }

  @Test func `answers pipelined requests in their order`() throws {
    let running = try Self.running()
    let client = try running.client()
    let names = (0..<50).map { "n\($0)" }
    try client.send(names.map { "GET /hello?name=\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
    for name in names { #expect(try client.answer().text == "hello \(name)") }
  }

  @Test func `takes from each connection in turn, however many requests one of them has sent`() async throws {
    let order = Mutex<[String]>([])
    let (began, both) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let running = try RunningServer(threads: 1) { router in
      router.on(.get, "/:name") { request in
        let name = request.segment("name") ?? ""
        let isFirst = order.withLock { order in
          order.append(name)
          return order.count == 1
        }
        if isFirst {
          began.signal()
          both.wait()
        }
        return .now(Response(.ok, type: "text/plain", text: name))
      }
    }
    let (many, few) = (try running.client(), try running.client())
    // It is in the loop before.
    try few.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    _ = try few.answer()
    func requests(_ name: String, _ count: Int) -> String {
      String(repeating: "GET /\(name) HTTP/1.1\r\nHost: x\r\n\r\n", count: count)
    }
    try many.send(requests("many", 200))
    began.wait()
    try few.send(requests("few", 10))
    both.signal()
    for _ in 0..<10 { _ = try few.answer() }
    for _ in 0..<200 { _ = try many.answer() }
    let names = order.withLock { $0 }
    #expect(names.count == 210)
    let before = names.prefix { $0 == "many" }.count
    let during = names[before...].prefix(names.lastIndex(of: "few")! - before).count { $0 == "many" }
    #expect(before <= 4, "\(names)")
    #expect(during <= 30, "\(names)")
  }

  @Test func `leaves a request alone that somebody keeps, while others follow on its connection`() throws {
    let kept = Kept()
    let running = try RunningServer { router in
      for pattern in ["/:name", "/keep/:id", "/let/:id"] {
        router.on(.post, pattern) { request in
          if request.path.hasPrefix("/keep") { kept.requests.withLock { $0.append(request) } }
          return .now(Response(.ok, type: "text/plain", text: request.segment("id") ?? ""))
        }
      }
    }
    let client = try running.client()
    for (number, path) in ["keep/1%20a", "let-go", "keep/2?q=3", "let/go?of=it", "keep"].enumerated() {
      let body = String(repeating: "\(number)", count: 40 * number)
      try client.send(
        "POST /\(path) HTTP/1.1\r\nHost: x\r\nX-Number: \(number)\r\nContent-Length: \(body.count)\r\n\r\n\(body)")
      _ = try client.answer()
    }
    let told = kept.requests.withLock { requests in
      requests.map { request in
        let parts = ["name", "id"].map { request.segment($0) ?? "-" } + [request.query["q"] ?? "-"]
        let number = request.header("x-number") ?? ""
        return "\(request.path) \(parts.joined(separator: ",")) \(number) \(request.body.count)"
      }
    }
    #expect(told == ["/keep/1 a -,1 a,- 0 0", "/keep/2 -,2,3 2 80", "/keep keep,-,- 4 160"])
    #expect(Set(kept.requests.withLock { $0.map(\.id) }).count == 3)
  }

  private final class Kept: Sendable {
    let requests = Mutex<[Request]>([])
  }

  // libmicrohttpd takes 128 events at a time; when there are no more, it must not wait for another.
  @Test func `answers everybody when many ask at the same moment`() throws {
    let (entered, free) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let running = try RunningServer(threads: 1) { router in
      router.on(.get, "/now") { _ in .now(Response(.ok, type: "text/plain", text: "now")) }
      router.on(.get, "/held") { _ in
        entered.signal()
        free.wait()
        return .now(Response(.ok, type: "text/plain", text: "held"))
      }
    }
    let holder = try running.client()
    let clients = try (0..<130).map { _ in try running.client() }
    for count in [0, 127, 128, 129, 130] {
      try holder.send("GET /held HTTP/1.1\r\nHost: x\r\n\r\n")
      entered.wait()
      // The server's one thread is held: it sees these together.
      for client in clients.prefix(count) { try client.send("GET /now HTTP/1.1\r\nHost: x\r\n\r\n") }
      free.signal()
      #expect(try holder.answer().text == "held")
      for client in clients.prefix(count) { #expect(try client.answer().text == "now") }
    }
  }

  @Test func `reads a body that comes in pieces, and what follows it`() throws {
    let running = try Self.running()
    let client = try running.client()
    let body = (0..<65536).map { UInt8(truncatingIfNeeded: $0) }
    try client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 65536\r\n\r\n")
    for start in stride(from: 0, to: body.count, by: 7000) {
      try client.send(Array(body[start..<min(start + 7000, body.count)]))
    }
    try client.send("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(try client.answer().body == body)
    #expect(try client.answer().text == "hello ")
  }

  @Test func `sends 100 Continue to a client that waits for it`() throws {
    let running = try Self.running()
    let client = try running.client()
    try client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
    #expect(try client.answer().status == 100)
    try client.send("abc")
    #expect(try client.answer().text == "abc")
  }

  @Test func `answers HEAD as GET without the body`() throws {
    let running = try Self.running()
    let client = try running.client()
    try client.send("HEAD /hello HTTP/1.1\r\nHost: x\r\n\r\nGET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
    let head = try client.answer(hasBody: false)
    #expect(head.status == 200)
    #expect(head.header("Content-Length") == "6")
    #expect(try client.answer().text == "hello ")
  }

  @Test(arguments: [
    ("GET", "/nothing", 404, nil as String?), ("GET", "/hello/", 404, nil), ("GET", "/prompts//rules", 404, nil),
    ("DELETE", "/hello", 405, "GET, HEAD, OPTIONS"), ("GET", "/echo", 405, "POST, OPTIONS"),
    ("POST", "/prompts/a/rules", 405, "GET, HEAD, OPTIONS"),
    ("OPTIONS", "/hello", 204, "GET, HEAD, OPTIONS"), ("BREW", "/hello", 405, "GET, HEAD, OPTIONS"),
  ])
  func `refuses unknown paths and methods`(
    method: String, path: String, status: Int, allow: String?
  ) throws {
    let running = try Self.running()
    let client = try running.client()
    for _ in 0..<2 {
      try client.send("\(method) \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
      let answer = try client.answer()
      #expect(answer.status == status)
      #expect(answer.header("Allow") == allow)
    }
  }

  @Test func `gives a route its parameters, decoded once`() throws {
    let running = try Self.running()
    #expect(try running.answer(to: "GET /prompts/a%2541%C3%A9/rules HTTP/1.1\r\nHost: x\r\n\r\n").text == "a%41é")
  }

  @Test func `keeps an HTTP/1.0 connection only when asked to`() throws {
    let running = try Self.running()
    let client = try running.client()
    try client.send("GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
    #expect(try client.answer().status == 200)
    try client.send("GET /hello HTTP/1.0\r\n\r\n")
    #expect(try client.answer().status == 200)
    #expect(try client.isClosed())
  }

  @Test(arguments: ["/broken", "/split"])
  func `answers 500 for a response that cannot be sent`(path: String) throws {
    let running = try Self.running()
    let answer = try running.answer(to: "GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(answer.status == 500)
    #expect(answer.header("X-B") == nil)
  }

  @Test func `tells of each exchange`() async throws {
    let running = try Self.running()
    let client = try running.client()
    try client.send("GET /hello?name=secret HTTP/1.1\r\nHost: x\r\n\r\n")
    _ = try client.answer()
    try client.send("HEAD /hello HTTP/1.1\r\nHost: x\r\n\r\n")
    _ = try client.answer(hasBody: false)
    try client.send("GET / HTTP/1.1\r\n\r\n")
    _ = try client.answer()
    let exchanges = await running.log.exchanges(3)
    #expect(exchanges.map(\.method) == ["GET", "HEAD", ""])
    #expect(exchanges.map(\.path) == ["/hello", "/hello", ""])
    #expect(exchanges.map(\.status) == [.ok, .ok, .badRequest])
    #expect(exchanges.map(\.responseBytes) == [12, 0, 37])
    #expect(exchanges.allSatisfy { $0.clientAddress == "127.0.0.1" && $0.nanoseconds >= 0 })
  }

  @Test func `says why it cannot start`() throws {
    let running = try Self.running()
    let second = Server(configuration: .init(port: running.port), application: Router())
    #expect(throws: Server.StartError.addressInUse(host: "127.0.0.1", port: running.port)) { try second.start() }
    let far = Server(configuration: .init(host: "192.0.2.1", port: 0), application: Router())
    #expect { try far.start() } throws: { "\($0)".contains("192.0.2.1") }
    let nameless = Server(configuration: .init(host: "no host", port: 0), application: Router())
    #expect { try nameless.start() } throws: { "\($0)".hasPrefix("The server cannot listen on the host “no host”: ") }
    #expect(throws: Server.StartError.port(65536)) {
      try Server(configuration: .init(port: 65536), application: Router()).start()
    }
    #expect(throws: Server.StartError.startedBefore) { try running.server.start() }
  }

  @Test func `listens on IPv6 and, on every address, on IPv4 too`() throws {
    let running = try RunningServer(adjust: { $0.host = "::" }) { router in
      router.on(.get, "/") { .now(Response(.ok, type: "text/plain", text: $0.clientAddress)) }
    }
    #expect(try running.answer(to: "GET / HTTP/1.1\r\nHost: x\r\n\r\n").text == "127.0.0.1")
  }
}
