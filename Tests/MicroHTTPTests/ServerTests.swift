import Dispatch
import Synchronization
import Testing

@testable import MicroHTTP

@Suite(.timeLimit(.minutes(5))) struct `A server` {
  static func running() throws -> RunningServer {
    try RunningServer { router in
      router.on(.get, "/hello") { .now(.text("hello \($0.query["name"] ?? "")")) }
      router.on(.post, "/echo") { .now(Response(.ok, type: "application/octet-stream", bytes: $0.body)) }
      router.on(.get, "/broken") { _ in .now(Response(.ok, headers: [("Bad Name", "x")])) }
      router.on(.get, "/split") { _ in .now(Response(.ok, headers: [("X-A", "a\r\nX-B: b")])) }
    }
  }

  @Test func `answers several requests on one connection`() throws {
    let running = try Self.running()
    let client = try running.client()
    for name in ["a", "b", "c"] {
      #expect(try client.answer(to: get("/hello?name=\(name)")).text == "hello \(name)")
    }
  }

  @Test func `answers pipelined requests in their order`() throws {
    let running = try Self.running()
    let client = try running.client()
    let names = (0..<50).map { "n\($0)" }
    try client.send(names.map { get("/hello?name=\($0)") }.joined())
    for name in names { #expect(try client.answer().text == "hello \(name)") }
  }

  /// Promise 3.20 | However many requests one connection sends, an event loop takes from each connection in turn.
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
        return .now(.text(name))
      }
    }
    let (many, few) = (try running.client(), try running.client())
    // It is in the loop before.
    _ = try few.answer(to: get())
    func requests(_ name: String, _ count: Int) -> String {
      String(repeating: get("/\(name)"), count: count)
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
    let kept = Mutex<[Request]>([])
    let running = try RunningServer { router in
      for pattern in ["/:name", "/keep/:id", "/let/:id"] {
        router.on(.post, pattern) { request in
          if request.path.hasPrefix("/keep") { kept.withLock { $0.append(request) } }
          return .now(.text(request.segment("id") ?? ""))
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
    let told = kept.withLock { requests in
      requests.map { request in
        let parts = ["name", "id"].map { request.segment($0) ?? "-" } + [request.query["q"] ?? "-"]
        let number = request.header("x-number") ?? ""
        return "\(request.path) \(parts.joined(separator: ",")) \(number) \(request.body.count)"
      }
    }
    #expect(told == ["/keep/1 a -,1 a,- 0 0", "/keep/2 -,2,3 2 80", "/keep keep,-,- 4 160"])
    #expect(Set(kept.withLock { $0.map(\.id) }).count == 3)
  }

  // libmicrohttpd takes 128 events at a time; when there are no more, it must not wait for another.
  @Test func `answers everybody when many ask at the same moment`() throws {
    let (entered, free) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let running = try RunningServer(threads: 1) { router in
      router.on(.get, "/now") { _ in .now(.text("now")) }
      router.on(.get, "/held") { _ in
        entered.signal()
        free.wait()
        return .now(.text("held"))
      }
    }
    let holder = try running.client()
    let clients = try running.clients(130)
    for count in [0, 127, 128, 129, 130] {
      try holder.send(get("/held"))
      entered.wait()
      // The server's one thread is held: it sees these together.
      for client in clients.prefix(count) { try client.send(get("/now")) }
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
    try client.send(get("/hello"))
    #expect(try client.answer().body == body)
    #expect(try client.answer().text == "hello ")
  }

  @Test func `sends 100 Continue to a client that waits for it`() throws {
    let running = try Self.running()
    let client = try running.client()
    try client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
    #expect(try client.answer().status == 100)
    #expect(try client.answer(to: "abc").text == "abc")
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

  @Test func `keeps an HTTP/1.0 connection only when asked to`() throws {
    let running = try Self.running()
    let client = try running.client()
    #expect(try client.answer(to: "GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").status == 200)
    #expect(try client.answer(to: "GET /hello HTTP/1.0\r\n\r\n").status == 200)
    #expect(try client.isClosed())
  }

  @Test(arguments: ["/broken", "/split"])
  func `answers 500 for a response that cannot be sent`(path: String) throws {
    let running = try Self.running()
    let answer = try running.answer(to: get(path))
    #expect(answer.status == 500)
    #expect(answer.header("X-B") == nil)
  }

  @Test func `tells of each exchange`() async throws {
    let running = try Self.running()
    let client = try running.client()
    _ = try client.answer(to: get("/hello?name=secret"))
    _ = try client.answer(to: "HEAD /hello HTTP/1.1\r\nHost: x\r\n\r\n", hasBody: false)
    _ = try client.answer(to: "GET / HTTP/1.1\r\n\r\n")
    let exchanges = await running.log.exchanges(3)
    #expect(exchanges.map(\.method) == ["GET", "HEAD", ""])
    #expect(exchanges.map(\.path) == ["/hello", "/hello", ""])
    #expect(exchanges.map(\.status) == [.ok, .ok, .badRequest])
    #expect(exchanges.map(\.responseBytes) == [12, 0, 37])
    #expect(exchanges.allSatisfy { $0.clientAddress == "127.0.0.1" && $0.nanoseconds >= 0 })
  }

  @Test func `says why it cannot start`() throws {
    let running = try Self.running()
    let second = Server(configuration: .init(port: running.port), application: RoutedApplication(Router()))
    #expect(throws: Server.StartError.addressInUse(host: "127.0.0.1", port: running.port)) { try second.start() }
    let far = Server(configuration: .init(host: "192.0.2.1", port: 0), application: RoutedApplication(Router()))
    #expect { try far.start() } throws: { "\($0)".contains("192.0.2.1") }
    let nameless = Server(configuration: .init(host: "no host", port: 0), application: RoutedApplication(Router()))
    #expect { try nameless.start() } throws: { "\($0)".hasPrefix("The server cannot listen on the host “no host”: ") }
    #expect(throws: Server.StartError.port(65536)) {
      try Server(configuration: .init(port: 65536), application: RoutedApplication(Router())).start()
    }
    #expect(throws: Server.StartError.startedBefore) { try running.server.start() }
  }

  @Test func `listens on IPv6 and, on every address, on IPv4 too`() throws {
    let running = try RunningServer(adjust: { $0.host = "::" }) { router in
      router.on(.get, "/") { .now(.text($0.clientAddress)) }
    }
    #expect(try running.answer(to: get()).text == "127.0.0.1")
  }
}
