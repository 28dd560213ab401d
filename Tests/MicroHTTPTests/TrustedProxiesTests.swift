import Testing

@testable import MicroHTTP
@testable import Platform

@Suite(.timeLimit(.minutes(5))) struct `Trusted proxies` {
  private static func sender(
    _ headers: [(String, String)], peer: String = "10.0.0.1", trusting blocks: [String] = ["10.0.0.0/8", "fd00::/8"]
  ) -> Sender {
    var fields = HeaderFields()
    for (name, value) in headers { fields.append(name: Array(name.utf8).span, value: Array(value.utf8).span) }
    return TrustedProxies(blocks.compactMap { AddressBlock($0) }).sender(
      of: fields, through: Sender(address: IPAddress(peer), addressText: peer))
  }

  @Test(arguments: [
    ([], "10.0.0.1"),
    (["192.0.2.7"], "192.0.2.7"),
    (["192.0.2.7, 10.1.1.1"], "192.0.2.7"),
    // What the client itself wrote before it came to the first proxy is not believed.
    (["127.0.0.1, 192.0.2.7, 10.1.1.1"], "192.0.2.7"),
    (["127.0.0.1", "192.0.2.7,10.1.1.1"], "192.0.2.7"),
    (["10.9.9.9, 10.1.1.1"], "10.9.9.9"),
    (["192.0.2.7, unknown, 10.1.1.1"], "10.1.1.1"),
    (["unknown"], "10.0.0.1"), ([""], "10.0.0.1"), ([" , "], "10.0.0.1"),
    (["192.0.2.7:4711"], "192.0.2.7"), (["[2001:db8::1]:4711"], "2001:db8::1"), (["2001:db8::1"], "2001:db8::1"),
    (["::ffff:192.0.2.7"], "192.0.2.7"), (["2001:db8::1, fd00::5"], "2001:db8::1"),
    (["192.0.2.7\t "], "192.0.2.7"), (["192.0.2.007"], "10.0.0.1"), (["192.0.2.7\u{1F}"], "10.0.0.1"),
  ])
  func `the client is the first from the right that is no proxy`(lines: [String], client: String) {
    #expect(Self.sender(lines.map { ("X-Forwarded-For", $0) }).addressText == client)
  }

  @Test func `scheme and host are those that the client's own proxy saw`() {
    let two = Self.sender([
      ("X-Forwarded-For", "192.0.2.7, 10.1.1.1"), ("X-Forwarded-Proto", "https, http"),
      ("X-Forwarded-Host", "ask.example.com, inner:8080"),
    ])
    #expect(two.isSecure)
    #expect(two.host == "ask.example.com")
    let forged = Self.sender([("X-Forwarded-For", "192.0.2.7"), ("X-Forwarded-Proto", "http, https")])
    #expect(forged.isSecure)
    // One proxy that forwards what another said of its own client.
    for schemes in ["https,http", "https, http", "http,HTTPS"] {
      for addresses in ["192.0.2.7", "192.0.2.7, 10.1.1.1"] {
        #expect(Self.sender([("X-Forwarded-For", addresses), ("X-Forwarded-Proto", schemes)]).isSecure)
      }
      #expect(Self.sender([("X-Forwarded-Proto", schemes)]).isSecure)
    }
    #expect(!Self.sender([("X-Forwarded-Proto", "http, http")]).isSecure)
    let one = Self.sender([("X-Forwarded-Proto", "HTTPS"), ("X-Forwarded-Host", "ask.example.com:8443")])
    #expect(one.isSecure)
    #expect(one.host == "ask.example.com:8443")
  }

  @Test(arguments: [
    "", "evil.example/path", "a b", "user@evil.example", "a\"b", "::1", "[::1", "[::1]:x", "[]", "a.example:",
    "a.example:99999", "a.example:80:80", ":80", String(repeating: "a", count: 256),
  ])
  func `a host that is none is not taken`(host: String) {
    #expect(Self.sender([("X-Forwarded-Host", host)]).host == nil)
  }

  @Test(arguments: [
    ("8f14e45f-ceea-467f", true), ("", false), ("a b", false), ("a\"b", false),
    (String(repeating: "x", count: 129), false),
  ])
  func `a request's id is taken if it is plain`(id: String, isTaken: Bool) {
    #expect(Self.sender([("X-Request-Id", id)]).requestID == (isTaken ? id : nil))
  }

  @Test(arguments: [
    ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("192.0.2.7", "192.0.2.7", true),
    ("192.0.2.7", "192.0.2.8", false), ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "2001:db8::1", false),
    ("::/0", "2001:db8::1", true), ("2001:db8::/33", "2001:db8:7fff::1", true),
    ("2001:db8::/33", "2001:db8:8000::1", false), ("::1", "::1", true), ("127.0.0.0/8", "::ffff:127.0.0.1", true),
  ])
  func `blocks hold what begins as they do`(block: String, address: String, isInside: Bool) throws {
    #expect(try #require(AddressBlock(block)).contains(try #require(IPAddress(address))) == isInside)
  }

  @Test(arguments: [
    "", "10.0.0.0/33", "10.0.0.1/8", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "example.com", "::/129",
    "10.0.0", "fe80::1%eth0", "[::1]", "10.0.0.0/8 ",
  ])
  func `other texts are not read as blocks`(text: String) { #expect(AddressBlock(text) == nil) }

  @Test(arguments: ["192.0.2.1", "2001:db8::1", "::1", "::", "255.255.255.255"])
  func `addresses are written as they are read`(text: String) throws {
    #expect(try #require(IPAddress(text)).description == text)
  }

  @Test func `a subscriber has one IPv4 address or one IPv6 network`() throws {
    let one = try #require(IPAddress("2001:db8:0:7:1::1"))
    #expect(one.subscriber == IPAddress("2001:db8:0:7::")!)
    #expect(IPAddress("192.0.2.1")!.subscriber == IPAddress("192.0.2.1")!)
    #expect(IPAddress("127.8.8.8")!.isLoopback && IPAddress("::1")!.isLoopback && !one.isLoopback)
  }

  /// ASVS 4.1.3, 15.3.4 | proxy headers only from proxies | only from `--trust-proxy`, right to left
  @Test func `a server believes its trusted proxies and nobody else`() async throws {
    for (blocks, expected) in [(["127.0.0.0/8"], "192.0.2.7 true ask.example.com outer-id"), ([], "127.0.0.1 false x")]
    {
      let running = try RunningServer(adjust: { $0.trustedProxies = TrustedProxies(blocks.map { AddressBlock($0)! }) })
      {
        let handler = Handler(route: 7) { request in
          let id = request.id.hasPrefix("outer") ? " \(request.id)" : ""
          let text = "\(request.clientAddress) \(request.isSecure) \(request.authority)\(id)"
          return .now(.text(text))
        }
        $0.on(.get, "/") { _ in handler }
      }
      let forwarded =
        "X-Forwarded-For: 192.0.2.7\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Host: ask.example.com\r\nX-Request-Id: outer-id\r\n"
      let client = try running.client()
      #expect(try client.answer(to: "GET / HTTP/1.1\r\nHost: x\r\n\(forwarded)\r\n").text == expected)
      // The next request on the connection starts anew.
      #expect(try client.answer(to: get()).text == "127.0.0.1 false x")
      let exchanges = await running.log.exchanges(2)
      #expect(exchanges.map(\.route) == [7, 7])
      #expect(exchanges[0].clientAddress == (blocks.isEmpty ? "127.0.0.1" : "192.0.2.7"))
      #expect(exchanges[0].id != exchanges[1].id)
      #expect(exchanges[1].id.utf8.count == 16)
    }
  }
}
