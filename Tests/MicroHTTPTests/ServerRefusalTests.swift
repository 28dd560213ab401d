import Testing

@testable import MicroHTTP

/// Requests that two parsers could read differently, and requests that are too large.
@Suite struct `A server refuses` {
  static func running() throws -> RunningServer {
    try RunningServer { router in
      router.on(.get, "/") { _ in .now(.text("fine")) }
      router.on(.post, "/") { .now(.text("\($0.body.count)")) }
      router.on(.get, "/smuggled") { _ in .now(.text("smuggled")) }
    }
  }

  static let smuggled = get("/smuggled")

  /// Promise 3.1 | The server refuses any request that two HTTP parsers could read differently, once and with all
  /// headers, and closes the connection.
  /// ASVS 4.2.1 | message boundaries | one Content-Length, or chunks alone, read strictly
  @Test(arguments: Probes.groups.keys.sorted())
  func `what could be read in two ways, and closes`(group: String) throws {
    let running = try Self.running()
    for probe in try #require(Probes.groups[group]) {
      let request = probe.request
      let client = try running.client()
      try client.send(request.unicodeScalars.map { UInt8($0.value) } + Array(Self.smuggled.utf8))
      let answer = try client.answer()
      #expect(probe.statuses.contains(answer.status), "\(answer.status): \(request.prefix(300).debugDescription)")
      #expect(answer.header("Connection") == "close", "\(request.prefix(300).debugDescription)")
      #expect(try client.isClosed(), "\(request.prefix(300).debugDescription)")
    }
  }

  @Test(
    arguments: [
      (get("/" + String(repeating: "a", count: 8191)), 404), (get("/" + String(repeating: "a", count: 8192)), 414),
      (get("/?" + String(repeating: "a&", count: 6000)), 414), (get("/" + String(repeating: "a", count: 40000)), 414),
      ("GET / HTTP/1.1\r\nHost: x\r\nX: " + String(repeating: "a", count: 8186) + "\r\n\r\n", 200),
      ("GET / HTTP/1.1\r\nHost: x\r\nX: " + String(repeating: "a", count: 32_763) + "\r\n\r\n", 431),
      ("GET / HTTP/1.1\r\nHost: x\r\nX: " + String(repeating: "a", count: 60000) + "\r\n\r\n", 431),
      ("GET / HTTP/1.1\r\nHost: x\r\n" + String(repeating: "X: a\r\n", count: 63) + "\r\n", 200),
      ("GET / HTTP/1.1\r\nHost: x\r\n" + String(repeating: "X: a\r\n", count: 64) + "\r\n", 431),
      ("GET / HTTP/1.1\r\nHost: x\r\n" + String(repeating: "X: a\r\n", count: 5000) + "\r\n", 431),
      ("GET / HTTP/1.1\r\nHost: x\r\n" + String(repeating: "a", count: 33_000) + ": b\r\n\r\n", 431),
      ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 65536\r\n\r\n" + String(repeating: "a", count: 65536), 200),
      ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 65537\r\n\r\n", 413),
      ("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 65537\r\n\r\n", 413),
      ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 18446744073709551615\r\n\r\n", 413),
    ] as [(String, Int)])
  func `what is too large`(request: String, status: Int) throws {
    #expect(try Self.running().answer(to: request).status == status)
  }

  @Test func `a body that is too large without losing the answer`() throws {
    let running = try Self.running()
    for _ in 0..<20 {
      let client = try running.client(sending: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n")
      // The client sends it all before it reads, as ordinary clients do.
      try client.send([UInt8](repeating: 97, count: 3_000_000))
      let answer = try client.answer()
      #expect(answer.status == 413)
      #expect(answer.header("Connection") == "close")
      #expect(try client.isClosed())
    }
  }

  @Test func `nothing of a request in which white space is lawful`() throws {
    let answer = try Self.running().answer(
      to: "\r\nGET /?a=%00&b= HTTP/1.1\r\nHost:\t x:80 \t\r\nX:\r\nY: a\tb\r\n\r\n")
    #expect(answer.status == 200)
  }

  @Test(arguments: ["Content-Length: 300000", "Transfer-Encoding: chunked"])
  func `a request by its head, before its long body is sent`(length: String) throws {
    let running = try RunningServer { router in
      router.on(.post, "/") { head in
        head.header("token") == "right"
          ? Handler { .now(.text("\($0.body.count)")) }
          : Handler(refusing: HTTPError.notFound)
      }
    }
    let client = try running.client()
    try client.send("POST / HTTP/1.1\r\nHost: x\r\nToken: right\r\nContent-Length: 2\r\n\r\nok")
    #expect(try client.answer().text == "2")
    // A short body is read, and the connection goes on.
    #expect(try client.answer(to: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nok").status == 404)
    #expect(try client.answer(to: "POST / HTTP/1.1\r\nHost: x\r\n\(length)\r\n\r\n").status == 404)
    #expect(try client.isClosed())
  }
}
