import Prompts
import Testing

@testable import Asks

@Suite struct `Where callbacks may go` {
  @Test(arguments: [
    ("https://a.example", "https://a.example/"),
    ("HTTPS://A.Example:443/Hooks", "https://a.example/Hooks"),
    ("http://a.example:80", "http://a.example/"),
    ("http://a.example:8080/x//y/?q=/../", "http://a.example:8080/x//y/?q=/../"),
    ("https://[2001:DB8::1]:8443/x", "https://[2001:db8::1]:8443/x"),
    ("https://127.0.0.1?x", "https://127.0.0.1/?x"),
    ("https://a.example/%7Ebob/...;x/.well-known", "https://a.example/%7Ebob/...;x/.well-known"),
  ])
  func `a URL is taken apart and put together again`(text: String, expected: String) throws {
    #expect(try CallbackURL(text).text == expected)
  }

  /// ASVS 1.2.2 | encoded URLs, safe schemes | names and tokens have a fixed alphabet; only http and https
  @Test(arguments: [
    ("", "scheme"), ("a.example/hooks", "scheme"), ("file:///etc/passwd", "scheme"),
    ("ftp://a.example/", "scheme"), ("gopher://a.example/", "scheme"), ("httpsx://a.example/", "scheme"),
    ("https:a.example", "scheme"), ("//a.example/", "scheme"), (" https://a.example/", "characters"),
    ("https://", "host"), ("https:///hooks", "host"), ("https://:8080/", "host"), ("https://a%2eexample/", "host"),
    ("https://[::1%25eth0]/", "host"), ("https://[]/", "host"), ("https://[::1/", "host"),
    ("https://ä.example/", "characters"),
    ("https://a.example:/", "port"), ("https://a.example:0/", "port"), ("https://a.example:65536/", "port"),
    ("https://a.example:8080:80/", "port"), ("https://a.example:+80/", "port"), ("https://[::1]x/", "port"),
    ("https://a.example@evil.example/", "user"), ("https://u:p@a.example/", "user"),
    ("https://a.example/\u{5C}..", "characters"), ("https://a.example\u{5C}@evil.example/", "characters"),
    ("https://a.example/\r\nHost: evil", "characters"), ("https://a.example/\0", "characters"),
    ("https://a.example/#x", "fragment"), ("https://a.example/hooks/../x", "dot-segment"),
    ("https://a.example/hooks/./x", "dot-segment"), ("https://a.example/hooks/..", "dot-segment"),
    ("https://a.example/hooks/%2E%2e/x", "dot-segment"), ("https://a.example/hooks/.%2e/x", "dot-segment"),
    ("https://a.example/hooks/..;a=b/x", "dot-segment"), ("https://a.example/hooks/..%3Ba/x", "dot-segment"),
    ("https://a.example/hooks%2f../x", "encoded-slash"), ("https://a.example/hooks%5c..", "encoded-slash"),
    ("https://a.example/%00", "encoded-slash"), ("https://a.example/%", "percent"),
    ("https://a.example/%zz", "percent"),
    ("https://a.example/" + String(repeating: "x", count: 2048), "too-long"),
  ])
  func `what two readers could read differently is refused`(text: String, fault: String) {
    let facts = fault == "too-long" ? ["limit": CallbackURL.limit] : [:]
    #expect(throws: PlainError(row: "url.\(fault)", facts)) { try CallbackURL(text) }
  }

  /// Promise 2.23 | Callbacks go only to URLs that the operator allows, compared part by part, and follow no
  /// redirects.
  @Test(arguments: [
    ("https://a.example", "https://a.example/anything/at?all", true),
    ("https://a.example/hooks", "https://a.example/hooks", true),
    ("https://a.example/hooks", "https://a.example/hooks/", true),
    ("https://a.example/hooks", "https://a.example/hooks/7?x=y", true),
    ("https://a.example/hooks", "https://a.example:443/hooks?x", true),
    ("https://a.example/hooks/", "https://a.example/hooks/7", true),
    ("https://a.example/hooks/", "https://a.example/hooks", true),
    ("https://a.example/hooks", "https://a.example/hooksmith", false),
    ("https://a.example/hooks", "https://a.example/Hooks", false),
    ("https://a.example/hooks", "https://a.example/%68ooks", false),
    ("https://a.example/hooks", "https://a.example//hooks", false),
    ("https://a.example/hooks", "https://a.example/", false),
    ("https://a.example", "https://a.example.evil/", false),
    ("https://a.example", "https://a.example./", false),
    ("https://a.example", "http://a.example/", false),
    ("https://a.example", "https://a.example:8443/", false),
    ("https://a.example", "https://b.a.example/", false),
    ("http://127.0.0.1:8080", "http://127.1:8080/", false),
  ])
  func `a prefix allows what is under it, part by part`(prefix: String, url: String, allowed: Bool) throws {
    #expect(try CallbackPrefix(prefix).allows(CallbackURL(url)) == allowed)
  }

  @Test func `a prefix has no query`() {
    #expect(throws: PlainError(row: "url.query")) { try CallbackPrefix("https://a.example/hooks?x=") }
  }
}
