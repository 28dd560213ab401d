import Glibc
import Testing

@testable import MicroHTTP
@testable import OKCancel

@Suite(.timeLimit(.minutes(5))) struct `Names of hosts` {
  private static func names(_ configure: (inout Configuration) -> Void = { _ in }) -> HostNames {
    var configuration = Configuration()
    configuration.host = "::"
    configure(&configuration)
    return HostNames(configuration)
  }

  private static func includes(_ names: HostNames, _ host: String) throws -> Bool {
    names.include(nameIn: try Request(.get, "/", headers: host.isEmpty ? [] : [("Host", host)]))
  }

  @Test(arguments: [
    "localhost", "localhost:8080", "LOCALHOST", "localhost.", "localhost.:8080", "a.localhost", "a.b.LocalHost:1",
    "127.0.0.1", "127.0.0.1:8080", "192.0.2.7", "0.0.0.0", "[::1]", "[::1]:8080", "[2001:db8::7]:80",
    "ask.example.com", "ASK.example.com:8443", "ask.example.com.", "Dialogs.Example", "dialogs.example:1", "",
  ])
  func `are the server's own, whatever port and case and with a dot at the end`(host: String) throws {
    let names = Self.names {
      $0.baseURL = "https://Ask.Example.com:8443/path"
      $0.allowedHosts = ["dialogs.EXAMPLE."]
    }
    #expect(try Self.includes(names, host))
  }

  /// Promise 2.13
  @Test(arguments: [
    "evil.example", "evil.example:8080", "localhost.evil.example", "xlocalhost", "localhos", ".localhos", "com",
    "example.com", "x.ask.example.com", "ask.example.com.evil.example", "ask.example.co", "127.0.0.1.evil.example",
    "1.2.3.4x", "[::1", "[evil]x", "[evil]", "[evil]:80", ":80", ".", "..", "-", "a", "path",
  ])
  func `are no others`(host: String) throws {
    let names = Self.names { $0.baseURL = "https://ask.example.com/path" }
    #expect(try !Self.includes(names, host))
  }

  @Test func `are also the machine's own, and the one it listens on`() throws {
    var name = [CChar](repeating: 0, count: 256)
    #expect(gethostname(&name, 255) == 0)
    let machine = name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    let names = Self.names { $0.host = "box.example" }
    #expect(try Self.includes(names, machine + ":8080"))
    #expect(try Self.includes(names, "box.example"))
  }

  @Test func `are not known behind a proxy until somebody says them`() throws {
    let proxies = [AddressBlock("192.0.2.0/24")!]
    let names = Self.names { $0.trustedProxies = proxies }
    #expect(names.areUnknown)
    #expect(try Self.includes(names, "evil.example"))
    for told in [
      Self.names { ($0.trustedProxies, $0.allowedHosts) = (proxies, ["a.example"]) },
      Self.names { ($0.trustedProxies, $0.baseURL) = (proxies, "https://a.example") },
    ] {
      #expect(!told.areUnknown)
      #expect(try !Self.includes(told, "evil.example"))
      #expect(try Self.includes(told, "a.example"))
    }
  }

  @Test(arguments: [
    ("https://ask.example.com.:8443/x", true), ("http://[2001:DB8::1]:80", true), ("http://127.0.0.1", true),
    ("https://xn--bcher-kva.example", true), ("https://b\u{FC}cher.example", false),
    ("https://ask\u{3002}example", false), ("https://b%C3%BCcher.example", false), ("https://", false),
  ])
  func `begin links if browsers can send them`(url: String, isSent: Bool) {
    var configuration = Configuration()
    configuration.baseURL = url
    let server = try? OKCancelServer(configuration: configuration)
    #expect((server != nil) == isSent)
  }

  /// Promise 2.13 | A site that points its own name here (DNS rebinding) gets nothing: the server responds only to
  /// its own names.
  @Test(arguments: ["text/html", "application/json"])
  func `of others get nothing but what to do, as they ask for it`(accept: String) async throws {
    let live = try LiveServer(Sample.all) {
      $0.apiTokens = ["token"]
      $0.rateLimits.set(nil, for: .token)
    }
    for (method, path) in [
      ("GET", "/"), ("GET", "/prompts/email"), ("POST", "/prompts/email"), ("GET", "/prompts/email/rules"),
      ("POST", "/validate/email"), ("POST", "/asks"), ("GET", "/a/x"), ("GET", "/dialog.js"), ("GET", "/nowhere"),
      ("OPTIONS", "/validate"), ("GET", "/openapi.json"), ("GET", "/metrics"), ("GET", "/healthz/x"),
    ] {
      let answer = try await live.send(
        method, path, headers: ["Host": "evil.example:8080", "Accept": accept, "Authorization": "Bearer wrong"])
      #expect(answer.status == 421, "\(method) \(path)")
      #expect(answer.headers["content-security-policy"] != nil)
      #expect(answer.headers["cache-control"] == "no-store")
      #expect(answer.text.contains("--allow-host evil.example,"))
    }
    let page = try await live.send("GET", "/", headers: ["Host": "evil.example", "Accept": accept])
    #expect(
      page.headers["content-type"] == (accept == "text/html" ? "text/html; charset=utf-8" : "application/problem+json"))
    let long = try await live.send("GET", "/", headers: ["Host": String(repeating: "q", count: 300), "Accept": accept])
    #expect(long.status == 421)
    #expect(!long.text.contains("qqq"))
  }

  @Test func `give nobody more guesses at the API token`() async throws {
    let live = try LiveServer(Sample.all) {
      $0.apiTokens = ["token"]
      $0.rateLimits.set(Rate("3/h"), for: .token)
    }
    func status(_ token: String) async throws -> Int {
      try await live.get("/asks", headers: ["Host": "evil.example", "Authorization": "Bearer \(token)"]).status
    }
    for _ in 0..<3 { #expect(try await status("wrong") == 421) }
    for _ in 0..<3 { #expect(try await status("wrong") == 429) }
    #expect(try await status("token") == 200)
    #expect(try await live.get("/asks", headers: ["Host": "evil.example"]).status == 421)
  }

  @Test func `do not matter to health and to who has the API token`() async throws {
    let live = try LiveServer(Sample.all) { $0.apiTokens = ["token"] }
    for path in ["/healthz", "/readyz"] {
      #expect(try await live.get(path, headers: ["Host": "evil.example"]).status == 200)
    }
    let headers = ["Host": "evil.example", "Authorization": "Bearer token"]
    #expect(try await live.get("/prompts/email", headers: headers).status == 200)
    #expect(try await live.post("/asks", json: #"{"prompt":"email"}"#, headers: headers).status == 201)
  }

  @Test func `are those that a trusted proxy's client asked for, and nobody else's word counts`() async throws {
    let proxied = try LiveServer(Sample.all) {
      $0.trustedProxies = [AddressBlock("127.0.0.1")!]
      $0.allowedHosts = ["ask.example.com"]
    }
    func status(_ live: LiveServer, _ host: String, _ forwarded: String) async throws -> Int {
      try await live.get("/prompts/email", headers: ["Host": host, "X-Forwarded-Host": forwarded]).status
    }
    #expect(try await status(proxied, "inner", "ask.example.com") == 200)
    #expect(try await status(proxied, "ask.example.com", "evil.example") == 421)
    let direct = try LiveServer(Sample.all)
    #expect(try await status(direct, "localhost", "evil.example") == 200)
    #expect(try await status(direct, "evil.example", "localhost") == 421)
  }

  /// Promise 2.14 | A page loaded over HTTP cannot post to a server reached over HTTPS, even on the same host.
  @Test(arguments: [
    ("http", "http://ask.example.com", 200), ("https", "https://ask.example.com", 200),
    ("https", "http://ask.example.com", 403), ("http", "https://ask.example.com", 403),
    ("https", "https://ask.example.com:8443", 403), ("http", "https://own.example", 200),
    ("http", "http://own.example", 403),
  ])
  func `and schemes make an origin`(scheme: String, origin: String, status: Int) async throws {
    let live = try LiveServer(Sample.all) {
      $0.trustedProxies = [AddressBlock("127.0.0.1")!]
      $0.baseURL = "https://own.example/dialogs"
      $0.allowedHosts = ["ask.example.com"]
    }
    let headers = ["X-Forwarded-Host": "ask.example.com", "X-Forwarded-Proto": scheme, "Origin": origin]
    #expect(try await live.post("/prompts/email", form: "outcome=cancel", headers: headers).status == status)
  }

  /// Promise 4.10
  /// ASVS 3.4.1 | `Strict-Transport-Security` | for a year, on every HTTPS response
  @Test(arguments: [true, false])
  func `that are asked for by HTTPS are to be asked for by nothing else`(isOn: Bool) async throws {
    let live = try LiveServer(Sample.all) {
      $0.trustedProxies = [AddressBlock("127.0.0.1")!]
      $0.hsts = isOn
    }
    for path in ["/", "/prompts/email", "/prompts/email/rules", "/dialog.js", "/nowhere", "/readyz", "/openapi.json"] {
      for scheme in ["https", "http"] {
        let answer = try await live.get(path, headers: ["X-Forwarded-Proto": scheme])
        #expect(
          answer.headers["strict-transport-security"] == (isOn && scheme == "https" ? "max-age=31536000" : nil),
          "\(scheme) \(path)")
      }
    }
  }
}
