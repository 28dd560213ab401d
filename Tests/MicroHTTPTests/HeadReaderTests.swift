import Testing

@testable import MicroHTTP

@Suite struct `A head` {
  static func read(
    _ method: String = "GET", _ target: String = "/", _ version: String = "HTTP/1.1",
    _ fields: [(String, String)] = [("Host", "x")]
  ) throws(Refusal) -> (Request.Storage, contentLength: Int) {
    func bytes<T>(_ text: String, _ body: (UnsafeRawBufferPointer) -> Result<T, Refusal>) throws(Refusal) -> T {
      try Array(text.utf8).withUnsafeBytes(body).get()
    }
    let limits = HeadReader.Limits(targetBytes: 20, headerBytes: 40, headers: 4)
    let head = Request.Storage(sender: Sender(address: nil, addressText: ""))
    Array(target.utf8).withUnsafeBytes { head.target.receive($0) }
    var reader = try bytes(method) { method in
      Array(version.utf8).withUnsafeBytes { version in
        Result { () throws(Refusal) in
          try HeadReader(method: method, version: version, in: head, limits: limits)
        }
      }
    }
    for (name, value) in fields {
      try bytes(name) { name in
        Array(value.utf8).withUnsafeBytes { value in
          Result { () throws(Refusal) in try reader.take(name: name, value: value) }
        }
      }
    }
    return (head, try reader.end())
  }

  @Test func `keeps its headers in order, and finds them in any case`() throws {
    let (head, length) = try Self.read(
      "POST", "/a?b=c", "HTTP/1.1",
      [("Host", "x"), ("cOnTeNt-LeNgTh", "007 \t"), ("X", "1"), ("x", "é")])
    #expect(length == 7)
    #expect(head.fields["content-length"] == "007")
    #expect(head.fields["X"] == "1")
    #expect(head.fields.values("x") == ["1", "é"])
    #expect(head.fields["Y"] == nil)
    #expect(head.fields.names == ["Host", "cOnTeNt-LeNgTh", "X", "x"])
  }

  @Test(arguments: [
    ("0", 0), ("65536", 65536), ("0000000000000000000000005", 5), ("9223372036854775807", Int.max / 2),
    ("99999999999999999999999", Int.max / 2),
  ])
  func `says how long the body is`(text: String, length: Int) throws {
    #expect(try Self.read("POST", "/", "HTTP/1.0", [("Content-Length", text)]).contentLength == length)
  }

  @Test(arguments: [
    ([], Refusal.badRequest(.noHost)),
    ([("Host", "")], .badRequest(.noHost)),
    ([("Host", "a"), ("host", "a")], .badRequest(.severalHosts)),
    ([("Host", "a b")], .badRequest(.hostCharacter)),
    ([("Content-Length", "1"), ("Content-Length", "1")], .badRequest(.severalContentLengths)),
    ([("Content-Length", "")], .badRequest(.contentLength)),
    ([("Content-Length", "1_0")], .badRequest(.contentLength)),
    ([("Transfer-Encoding", "gzip")], .lengthRequired),
    ([("A B", "")], .badRequest(.headerNameIsNoToken)),
    ([("", "")], .badRequest(.headerNameIsNoToken)),
    ([("É", "")], .badRequest(.headerNameIsNoToken)),
    ([("A", "\u{1}")], .badRequest(.headerValueCharacter(name: "A"))),
    ([("A", String(repeating: "a", count: 40))], .headersTooLarge(limit: 40)),
    ([("A", ""), ("B", ""), ("C", ""), ("D", ""), ("E", "")], .tooManyHeaders(limit: 4)),
  ])
  func `is refused for its headers`(fields: [(String, String)], refusal: Refusal) {
    #expect(throws: refusal) { try Self.read("GET", "/", "HTTP/1.1", fields) }
  }

  @Test(arguments: [
    ("G T", "/", "HTTP/1.1", Refusal.badRequest(.methodIsNoToken)),
    ("", "/", "HTTP/1.1", .badRequest(.methodIsNoToken)),
    ("GET", "/", "HTTP/1.2", .versionNotSupported),
    ("GET", "/", "", .versionNotSupported),
    ("GET", "/aaaaaaaaaaaaaaaaaaaa", "HTTP/1.1", .targetTooLong(limit: 20)),
    ("GET", "", "HTTP/1.1", .badRequest(.targetForm)),
    ("GET", "*", "HTTP/1.1", .badRequest(.targetForm)),
    ("GET", "/a b", "HTTP/1.1", .badRequest(.targetCharacter)),
    ("GET", "/a#b", "HTTP/1.1", .badRequest(.targetCharacter)),
    ("GET", "/?é", "HTTP/1.1", .badRequest(.targetCharacter)),
    ("GET", "/%", "HTTP/1.1", .badRequest(.percentEncoding)),
    ("GET", "/%00", "HTTP/1.1", .badRequest(.encodedPathCharacter)),
    ("GET", "/a%2Fb", "HTTP/1.1", .badRequest(.encodedPathCharacter)),
    ("GET", "/%ff", "HTTP/1.1", .badRequest(.pathIsNotUTF8)),
    ("GET", "/a/.", "HTTP/1.1", .badRequest(.dotSegment)),
    ("GET", "/%2E./a", "HTTP/1.1", .badRequest(.dotSegment)),
    ("GET", "/?a=%", "HTTP/1.1", .badRequest(.query(.percentEncoding(offset: 2)))),
  ])
  func `is refused for its first line`(method: String, target: String, version: String, refusal: Refusal) {
    #expect(throws: refusal) { try Self.read(method, target, version) }
  }

  @Test(arguments: [
    ("GET", "/", "/", "/", []), ("GET", "/a.b/...", "/a.b/...", "/a.b/...", []),
    ("GET", "/%41%20?x=1?2", "/A ", "/%41%20", ["x=1?2"]), ("GET", "//a", "//a", "//a", []),
    ("GET", "/a?", "/a", "/a", []), ("OPTIONS", "*", "*", "*", []), ("GET", "/{|}", "/{|}", "/{|}", []),
  ])
  func `has a target`(method: String, target: String, path: String, raw: String, query: [String]) throws {
    let head = try Self.read(method, target).0
    #expect(head.target.path == path)
    #expect(head.target.raw == raw)
    #expect(head.target.query.map { "\($0.name)=\($0.value)" } == query)
  }

  @Test func `of HTTP/1.0 needs no host`() throws {
    #expect(try Self.read("GET", "/", "HTTP/1.0", []).0.method == .get)
  }

  @Test func `has tokens of these characters`() {
    let expected = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    #expect(Set((0...255).filter { Token.isTokenCharacter($0) }) == Set(expected.utf8))
  }

  @Test(arguments: [
    // As libmicrohttpd leaves a head: NUL for each separator and each byte of a line's end.
    ("GET\0/\0HTTP/1.1\0\0Host\0 x\0\0\0\0", [(16, 4, 22, 1)], true),
    ("GET\0/\0HTTP/1.1\0\0Host\0x\0\0\0\0", [(16, 4, 21, 1)], true),
    ("GET\0/\0HTTP/1.1\0\0\0\0", [], true),
    // A bare LF after the version, after a header, and at the end.
    ("GET\0/\0HTTP/1.1\0Host\0 x\0\0\0\0", [(15, 4, 21, 1)], false),
    ("GET\0/\0HTTP/1.1\0\0A\0 x\0B\0 y\0\0\0\0", [(16, 1, 19, 1), (21, 1, 24, 1)], false),
    ("GET\0/\0HTTP/1.1\0\0A\0 x\0\0\0", [(16, 1, 19, 1)], false),
    // A folded line, whose bytes belong to no header.
    ("GET\0/\0HTTP/1.1\0\0A\0 x\0\0 y\0\0\0\0", [(16, 1, 19, 1)], false),
    // A value that a NUL cut short.
    ("GET\0/\0HTTP/1.1\0\0A\0 x\0y\0\0\0\0", [(16, 1, 19, 1)], false),
    // A name that lies elsewhere.
    ("GET\0/\0HTTP/1.1\0\0A\0 x\0\0\0\0Ab", [(24, 2, 19, 1)], false),
    // Something other than white space before the value.
    ("GET\0/\0HTTP/1.1\0\0A\0_x\0\0\0\0", [(16, 1, 19, 1)], false),
  ])
  func `tiles the bytes it came in`(text: String, fields: [(Int, Int, Int, Int)], tiles: Bool) {
    let size = text.utf8.count - (text.hasSuffix("Ab") ? 2 : 0)
    Array(text.utf8).withUnsafeBytes { bytes in
      func part(_ start: Int, _ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
      }
      var layout = HeadLayout(method: part(0, 3), target: part(4, 1), version: part(6, 8))
      #expect(layout != nil)
      let taken = fields.allSatisfy { layout?.take(name: part($0.0, $0.1), value: part($0.2, $0.3)) == true }
      #expect((taken && layout?.ends(after: size) == true) == tiles)
      #expect(HeadLayout(method: part(0, 2), target: part(4, 1), version: part(6, 8)) == nil)
    }
  }
}
