import MicroHTTP
import Testing

/// Requests that two parsers could read differently, and requests that are too large.
@Suite struct `A server refuses` {
  static func running() throws -> RunningServer {
    try RunningServer { router in
      router.on(.get, "/") { _ in .now(Response(.ok, type: "text/plain", text: "fine")) }
      router.on(.post, "/") { .now(Response(.ok, type: "text/plain", text: "\($0.body.count)")) }
      router.on(.get, "/smuggled") { _ in .now(Response(.ok, type: "text/plain", text: "smuggled")) }
    }
  }

  static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"

  @Test(arguments: [
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity\r\n\r\n", 501),
    ("POST / HTTP/1.1\r\nHost: x\r\ntRANSFER-eNCODING:\tChunked\r\n\r\n0x\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\nab", 413),
    ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length : 5\r\n\r\nhello", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5, 5\r\n\r\nhello", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +5\r\n\r\nhello", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\nhello", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0x5\r\n\r\nhello", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length:\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999999\r\n\r\n", 413),
    ("POST / HTTP/1.1\r\nHost: x\r\nX: a\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Lengt: 5\r\n h\r\n\r\nhello", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\n\tfolded\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\n Host: x\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nNo colon\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\n: nameless\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nX(y): z\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nX\u{1}: z\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nX: a\u{0}b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nX\u{0}: b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nX: a\u{1}b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nX: a\u{7F}b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nX: a\rTransfer-Encoding: chunked\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\nX: y\r\n\r\n", 400),
    ("GET / HTTP/1.1\nHost: x\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\n\n", 400),
    ("GET / HTTP/1.1\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost:\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a, b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: me@b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
    ("GET / HTTP/1.2\r\nHost: x\r\n\r\n", 505),
    ("GET / HTTP/1.9\r\nHost: x\r\n\r\n", 505),
    ("GET / HTTP/2.0\r\nHost: x\r\n\r\n", 505),
    ("GET / HTTP/0.9\r\nHost: x\r\n\r\n", 505),
    ("GET / http/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET / HTTP/1.10\r\nHost: x\r\n\r\n", 400),
    ("GET / HTTP/1.1 \r\nHost: x\r\n\r\n", 400),
    ("GET /\r\n\r\n", 400),
    ("GET  / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /  HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET / x HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET\t/ HTTP/1.1 x\r\nHost: x\r\n\r\n", 400),
    ("G(T / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET\u{0} / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /\u{0} HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /?a\u{0}b HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /\t HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /\u{7F} HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /é HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /#a HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /a\\b HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /%00 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /%0d%0a HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /%2e%2e/x HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /a/../x HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /a%2fx HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /a%5Cx HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /%ff HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /%c0%af HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /%4 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /?%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET x HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET * HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET ?a HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
  ])
  func `what could be read in two ways, and closes`(request: String, status: Int) throws {
    let running = try Self.running()
    let client = try running.client()
    try client.send(request + Self.smuggled)
    let answer = try client.answer()
    #expect(answer.status == status)
    #expect(answer.header("Connection") == "close")
    #expect(try client.isClosed())
  }

  @Test(arguments: [
    ("GET /" + String(repeating: "a", count: 8191) + " HTTP/1.1\r\nHost: x\r\n\r\n", 404),
    ("GET /" + String(repeating: "a", count: 8192) + " HTTP/1.1\r\nHost: x\r\n\r\n", 414),
    ("GET /?" + String(repeating: "a&", count: 6000) + " HTTP/1.1\r\nHost: x\r\n\r\n", 414),
    ("GET /" + String(repeating: "a", count: 40000) + " HTTP/1.1\r\nHost: x\r\n\r\n", 414),
    ("GET / HTTP/1.1\r\nHost: x\r\nX: " + String(repeating: "a", count: 8186) + "\r\n\r\n", 200),
    ("GET / HTTP/1.1\r\nHost: x\r\nX: " + String(repeating: "a", count: 8187) + "\r\n\r\n", 431),
    ("GET / HTTP/1.1\r\nHost: x\r\nX: " + String(repeating: "a", count: 60000) + "\r\n\r\n", 431),
    ("GET / HTTP/1.1\r\nHost: x\r\n" + String(repeating: "X: a\r\n", count: 63) + "\r\n", 200),
    ("GET / HTTP/1.1\r\nHost: x\r\n" + String(repeating: "X: a\r\n", count: 64) + "\r\n", 431),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 65536\r\n\r\n" + String(repeating: "a", count: 65536), 200),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 65537\r\n\r\n", 413),
    ("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 65537\r\n\r\n", 413),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 18446744073709551615\r\n\r\n", 413),
  ])
  func `what is too large`(request: String, status: Int) throws {
    #expect(try Self.running().answer(to: request).status == status)
  }

  @Test func `a body that is too large without losing the answer`() throws {
    let running = try Self.running()
    for _ in 0..<20 {
      let client = try running.client()
      try client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n")
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
          ? Handler { .now(Response(.ok, type: "text/plain", text: "\($0.body.count)")) }
          : Handler(refusing: HTTPError.notFound)
      }
    }
    let client = try running.client()
    try client.send("POST / HTTP/1.1\r\nHost: x\r\nToken: right\r\nContent-Length: 2\r\n\r\nok")
    #expect(try client.answer().text == "2")
    // A short body is read, and the connection goes on.
    try client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nok")
    #expect(try client.answer().status == 404)
    try client.send("POST / HTTP/1.1\r\nHost: x\r\n\(length)\r\n\r\n")
    #expect(try client.answer().status == 404)
    #expect(try client.isClosed())
  }
}
