import Platform
import Testing

@testable import MicroHTTP

@Suite struct `A head` {
  static let limits = HeadReader.Limits(targetBytes: 20, headerBytes: 40, headers: 4, bodyBytes: 100)

  /// What the reader makes of all these bytes at once.
  static func read(_ text: String) throws(HTTPError) -> (count: Int, emptyBytes: Int, contentLength: Int?)? {
    var reader = HeadReader(limits: limits)
    var bytes = Array(text.utf8)
    var span = bytes.mutableSpan
    return try reader.read(&span)
  }

  static func target(_ target: String, _ method: Method) throws(HTTPError) -> Request.Storage {
    let head = Request.Storage(sender: Sender(address: nil, addressText: ""))
    head.target.receive(Array(target.utf8).span)
    try head.target.parse(method)
    return head
  }

  /// ASVS 1.4.2 | no integer overflow | lengths and numbers are read digit by digit
  @Test(
    arguments: [
      ("GET / HTTP/1.0\r\n\r\n", 0), ("\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n", 0),
      ("POST / HTTP/1.0\r\nContent-Length: 0\r\n\r\n", 0), ("P / HTTP/1.0\r\ncONTENT-lENGTH:65536 \t\r\n\r\n", 65536),
      ("P / HTTP/1.0\r\nContent-Length:\t 00000000000000000000005\r\n\r\n", 5),
      ("P / HTTP/1.0\r\nContent-Length: 9007199254740991\r\n\r\n", 9_007_199_254_740_991),
      ("P / HTTP/1.1\r\nHost: x\r\ntRANSFER-eNCODING:\t CHUNKED \r\n\r\n", nil),
      ("P / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", 0), ("P / HTTP/1.1\r\nHost: a-b.c:65535\r\n\r\n", 0),
      ("P / HTTP/1.1\r\nHost: a_b:\r\n\r\n", 0),
    ] as [(String, Int?)])
  func `says how long it is, and its body`(text: String, length: Int?) throws {
    let read = try #require(try Self.read(text + "more"))
    #expect(read.count == text.utf8.count)
    #expect(read.contentLength == length)
  }

  @Test(
    arguments: [
      ("", HTTPError.badRequest(.noHost)),
      ("Host:\r\n", .badRequest(.noHost)),
      ("Host: a\r\nhost: a\r\n", .badRequest(.severalHosts)),
      ("Host: a b\r\n", .badRequest(.hostCharacter)),
      ("Content-Length: 1\r\nContent-Length: 1\r\n", .badRequest(.severalContentLengths)),
      ("Content-Length:\r\n", .badRequest(.contentLength)),
      ("Content-Length: 1_0\r\n", .badRequest(.contentLength)),
      ("Content-Length: 1 0\r\n", .badRequest(.contentLength)),
      ("Host: x\r\nContent-Length: 9007199254740992\r\n", .contentTooLarge(limit: 100)),
      ("Host: x\r\nContent-Length: 99999999999999999999\r\n", .contentTooLarge(limit: 100)),
      ("Host: [::1]evil\r\n", .badRequest(.hostCharacter)), ("Host: [::1\r\n", .badRequest(.hostCharacter)),
      ("Host: []\r\n", .badRequest(.hostCharacter)), ("Host: a[::1]\r\n", .badRequest(.hostCharacter)),
      ("Host: a:x\r\n", .badRequest(.hostCharacter)), ("Host: a:99999\r\n", .badRequest(.hostCharacter)),
      ("Host: a:1:2\r\n", .badRequest(.hostCharacter)), ("Host: :80\r\n", .badRequest(.hostCharacter)),
      ("Host: ::1\r\n", .badRequest(.hostCharacter)), ("Host: [::1]:65536\r\n", .badRequest(.hostCharacter)),
      ("Transfer-Encoding: gzip\r\n", .codingNotImplemented),
      ("Transfer-Encoding:\r\n", .codingNotImplemented),
      ("Transfer-Encoding: chunked, gzip\r\n", .codingNotImplemented),
      ("Transfer-Encoding: a\r\nTransfer-Encoding: b\r\n", .codingNotImplemented),
      ("Transfer-Encoding: chunked\r\nContent-Length: 0\r\n", .badRequest(.transferEncoding)),
      ("Content-Length: 0\r\nTransfer-Encoding: gzip\r\n", .badRequest(.transferEncoding)),
      ("A B: \r\n", .badRequest(.headerNameIsNoToken)),
      (":\r\n", .badRequest(.headerNameIsNoToken)),
      ("É:\r\n", .badRequest(.headerNameIsNoToken)),
      ("A\0: b\r\n", .badRequest(.headerNameIsNoToken)),
      ("A: \u{1}\r\n", .badRequest(.headerValueCharacter(name: "A"))),
      ("A: b\0\r\n", .badRequest(.headerValueCharacter(name: "A"))),
      ("A: b\rc\r\n", .badRequest(.headerValueCharacter(name: "A"))),
      ("A: b\r\r\n", .badRequest(.headerValueCharacter(name: "A"))),
      ("A\r\n", .badRequest(.lines)), ("\0\r\n", .badRequest(.lines)), ("A: b\n", .badRequest(.lines)),
      ("A: b\r\n c\r\n", .badRequest(.lines)), ("A: b\r\n\tc: d\r\n", .badRequest(.lines)),
      (":\n", .badRequest(.lines)), ("\n", .badRequest(.lines)), ("\0\n", .badRequest(.lines)),
      ("A: b\0\n", .badRequest(.lines)),
      ("A: " + String(repeating: "a", count: 40) + "\r\n", .headersTooLarge(limit: 40)),
      ("A: " + String(repeating: " ", count: 140) + "\r\n", .headersTooLarge(limit: 40)),
      ("A:\r\nB:\r\nC:\r\nD:\r\nE:\r\n", .tooManyHeaders(limit: 4)),
    ] as [(String, HTTPError)])
  func `is refused for its headers`(lines: String, error: HTTPError) {
    #expect(throws: error) { try Self.read("GET / HTTP/1.1\r\n" + lines + "\r\n") }
  }

  @Test(arguments: [
    ("G(T / HTTP/1.1", HTTPError.badRequest(.methodIsNoToken)),
    (" / HTTP/1.1", .badRequest(.methodIsNoToken)),
    ("G\0T / HTTP/1.1", .badRequest(.methodIsNoToken)),
    ("GET", .badRequest(.requestLine)), ("GET /", .badRequest(.requestLine)), ("GET / ", .badRequest(.requestLine)),
    ("GET  / HTTP/1.1", .badRequest(.requestLine)), ("GET /  HTTP/1.1", .badRequest(.requestLine)),
    ("GET / HTTP/1.1 ", .badRequest(.requestLine)), ("GET / http/1.1", .badRequest(.requestLine)),
    ("GET / HTTP/1.10", .badRequest(.requestLine)), ("GET / HTTP/1.1\0", .badRequest(.requestLine)),
    ("GET / HTTP/1.1\r", .badRequest(.requestLine)),
    ("GET / HTTP/1.2", .versionNotSupported), ("GET / HTTP/2.0", .versionNotSupported),
    ("GET /aaaaaaaaaaaaaaaaaaaa HTTP/1.1", .targetTooLong(limit: 20)),
    ("AAAAAAAAAAAAAAAAAAAAA / HTTP/1.1", .badRequest(.methodTooLong(limit: 20))),
    ("GET /\0 HTTP/1.1", .badRequest(.targetCharacter)), ("GET /é HTTP/1.1", .badRequest(.targetCharacter)),
    ("GET /?é HTTP/1.1", .badRequest(.targetCharacter)),
  ])
  func `is refused for its first line`(line: String, error: HTTPError) {
    #expect(throws: error) { try Self.read(line + "\r\n") }
  }

  @Test(arguments: [
    ("GET /", HTTPError.targetTooLong(limit: 20)), ("GET", .badRequest(.methodTooLong(limit: 20))),
    ("GET / HTTP/1.1\r\nA: ", .headersTooLarge(limit: 40)), ("\r\n\r\n", .badRequest(.methodTooLong(limit: 20))),
  ])
  func `is refused when it does not end`(text: String, error: HTTPError) throws {
    #expect(try Self.read(text) == nil)
    #expect(throws: error) { try Self.read(text + String(repeating: "a", count: Self.limits.bytes)) }
  }

  @Test(arguments: [
    ("", HTTPError.badRequest(.targetForm)), ("*", .badRequest(.targetForm)), ("x", .badRequest(.targetForm)),
    ("/a#b", .badRequest(.targetCharacter)), ("/a\\b", .badRequest(.targetCharacter)),
    ("/%", .badRequest(.percentEncoding)),
    ("/%00", .badRequest(.encodedPathCharacter)), ("/a%2Fb", .badRequest(.encodedPathCharacter)),
    ("/%ff", .badRequest(.pathIsNotUTF8)), ("/a/.", .badRequest(.dotSegment)), ("/%2E./a", .badRequest(.dotSegment)),
    ("/?a=%", .badRequest(.query(PlainError("The % at byte 2 has no two hexadecimal digits after it.")))),
  ])
  func `is refused for its target`(target: String, error: HTTPError) {
    #expect(throws: error) { try Self.target(target, .get) }
  }

  /// ASVS 5.3.2, 13.4.3 | no paths from users, no listings | files are read at startup, by name
  @Test(arguments: [
    ("GET", "/", "/", []), ("GET", "/a.b/...", "/a.b/...", []), ("GET", "/%41%20?x=1?2", "/A ", ["x=1?2"]),
    ("GET", "//a", "//a", []), ("GET", "/a?", "/a", []), ("OPTIONS", "*", "*", []), ("GET", "/{|}", "/{|}", []),
  ])
  func `has a target`(method: String, target: String, path: String, query: [String]) throws {
    let head = try Self.target(target, Method(checked: method))
    #expect(head.target.path == path)
    #expect(head.target.query.pairs.map { "\($0.name)=\($0.value)" } == query)
  }

  @Test func `has no control character but TAB in a value`() {
    for byte in UInt8.min...UInt8.max where byte != 0x0A {
      var reader = HeadReader(limits: Self.limits)
      var bytes = Array("GET / HTTP/1.0\r\nA: b".utf8) + [byte] + Array("c\r\n\r\n".utf8)
      let isControl = byte < 0x20 && byte != 0x09 || byte == 0x7F
      let expected: HTTPError? = isControl ? .badRequest(.headerValueCharacter(name: "A")) : nil
      var thrown: HTTPError?
      do throws(HTTPError) {
        var span = bytes.mutableSpan
        _ = try reader.read(&span)
      } catch {
        thrown = error
      }
      #expect(thrown == expected, "\(byte)")
    }
  }

  @Test func `has tokens of these characters`() {
    let expected = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    #expect(Set((0...255).filter { ASCIISet.token.contains($0) }) == Set(expected.utf8))
  }
}
