import Testing

@testable import MicroHTTP

@Suite struct `A form` {
  @Test(arguments: [
    ("", []), ("a=1", ["a=1"]), ("a=1&b=2&a=3", ["a=1", "b=2", "a=3"]), ("a", ["a="]), ("=a", ["=a"]),
    ("a=b=c", ["a=b=c"]), ("&&a=1&", ["a=1"]), ("a+b=c+d", ["a b=c d"]), ("a%2Bb=%26%3D%25", ["a+b=&=%"]),
    ("n=J%C3%BCrgen", ["n=Jürgen"]), ("n=Jürgen", ["n=Jürgen"]), ("a=%00%0D%0A", ["a=\0\r\n"]),
    ("%F0%9F%98%80=1", ["😀=1"]),
  ])
  func `is read in order`(text: String, pairs: [String]) throws {
    #expect(try Form(parsing: text.utf8).pairs.map { "\($0.name)=\($0.value)" } == pairs)
  }

  @Test(arguments: [
    ("a=%", Form.ParseError.percentEncoding(offset: 2)), ("a=%4", .percentEncoding(offset: 2)),
    ("a=%4&1", .percentEncoding(offset: 2)), ("%g0=1", .percentEncoding(offset: 0)),
    ("a=1&b=%FF", .notUTF8(offset: 6)), ("%C0%AF=1", .notUTF8(offset: 0)),
    ("a=%ED%A0%80", .notUTF8(offset: 2)), ("\u{FEFF}a=1", .byteOrderMark), ("a%zz=b", .percentEncoding(offset: 1)),
    ("a=%E2%82&b=%AC", .notUTF8(offset: 2)),
  ])
  func `is refused if it cannot be read`(text: String, fault: Form.ParseError) {
    #expect(throws: fault) { try Form(parsing: text.utf8) }
  }

  @Test func `holds at most 256 names, of 16 KiB`() throws {
    let many = Array(repeating: "a=1", count: 256).joined(separator: "&")
    #expect(try Form(parsing: many.utf8).pairs.count == 256)
    #expect(throws: Form.ParseError.tooManyPairs(limit: 256)) { try Form(parsing: (many + "&b").utf8) }
    let long = String(repeating: "a", count: 16384)
    #expect(try Form(parsing: "v=\(long)".utf8)["v"] == long)
    #expect(throws: Form.ParseError.tooLong(name: "v", limit: 16384)) { try Form(parsing: "v=\(long)a".utf8) }
    #expect(throws: Form.ParseError.tooLong(name: nil, limit: 16384)) { try Form(parsing: "\(long)a=".utf8) }
  }

  @Test func `finds names code point by code point`() throws {
    let form = try Form(parsing: "e%CC%81=decomposed&%C3%A9=composed&x=1&x=2".utf8)
    #expect(form["é"] == "composed")
    #expect(form["e\u{301}"] == "decomposed")
    #expect(form["y"] == nil)
    #expect(form.values("x") == ["1", "2"])
  }

  @Test func `says what is wrong`() {
    #expect(
      Form.ParseError.percentEncoding(offset: 2).description
        == "The % at byte 2 has no two hexadecimal digits after it.")
    #expect(Form.ParseError.tooLong(name: "a", limit: 9).description == "The value of “a” is longer than 9 bytes.")
  }
}
