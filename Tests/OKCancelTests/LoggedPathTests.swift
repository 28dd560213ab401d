import Testing

@testable import OKCancel

@Suite struct `A path in the log` {
  static let token = "3zk0v7m1n8q2w4x6y9abcdefgh"

  /// Promise 4.9
  @Test(arguments: [
    ("/a/\(token)", "/a/…"), ("/a/\(token)/rules", "/a/…/rules"), ("/a/short", "/a/…"), ("/a//\(token)", "/a//…"),
    ("/b/\(token)", "/b/…"), ("/\(token)", "/…"), ("/a/x/\(token).", "/a/…/…"), ("/\(token.uppercased())", "/…"),
    ("/asks/\(token)", "/asks/…"), ("/asks/\(token)x", "/asks/…"), ("/prompts/email", "/prompts/email"),
    ("/", "/"), ("", ""), ("*", "*"), (token, "…"),
  ])
  func `holds no link's token, wherever it stands`(path: String, logged: String) {
    #expect("\(LoggedPath(path))" == logged)
  }

  @Test func `holds the id of an ask that was found`() {
    #expect("\(LoggedPath("/asks/\(Self.token)/events", hasAsk: true))" == "/asks/\(Self.token)/events")
    for path in ["/a/\(Self.token)", "/asks/\(Self.token)x", "/\(Self.token)"] {
      #expect(!"\(LoggedPath(path, hasAsk: true))".contains(Self.token))
    }
  }

  /// Promise 4.9
  @Test(arguments: [
    ("/p\r\n2026-11-21 GET /forged", "/p%0D%0A2026-11-21%20GET%20/forged"), ("/\u{1B}[31m", "/%1B[31m"),
    ("/\u{9B}m\u{202E}x", "/%C2%9Bm%E2%80%AEx"), (#"/"x" status=200"#, "/%22x%22%20status=200"), ("/50%", "/50%25"),
    ("/é", "/%C3%A9"),
  ])
  func `is visible ASCII on one line, without quotes`(path: String, logged: String) {
    #expect("\(LoggedPath(path))" == logged)
  }

  @Test func `is cut if it is long`() {
    let text = "\(LoggedPath("/" + String(repeating: "x-", count: 4000)))"
    #expect(text.utf8.count < 264)
    #expect(text.hasSuffix("…"))
    #expect("\(LoggedPath(String(repeating: "/", count: 8000)))".utf8.count < 264)
  }
}
