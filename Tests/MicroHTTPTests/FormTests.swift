import Platform
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
    ("a=%", "The % at byte 2 has no two hexadecimal digits after it."),
    ("a=%4", "The % at byte 2 has no two hexadecimal digits after it."),
    ("a=%4&1", "The % at byte 2 has no two hexadecimal digits after it."),
    ("%g0=1", "The % at byte 0 has no two hexadecimal digits after it."),
    ("a=1&b=%FF", "The text from byte 6 is not UTF-8."), ("%C0%AF=1", "The text from byte 0 is not UTF-8."),
    ("a=%ED%A0%80", "The text from byte 2 is not UTF-8."), ("\u{FEFF}a=1", "The text begins with a byte order mark."),
    ("a%zz=b", "The % at byte 1 has no two hexadecimal digits after it."),
    ("a=%E2%82&b=%AC", "The text from byte 2 is not UTF-8."),
  ])
  func `is refused if it cannot be read`(text: String, fault: String) {
    #expect(throws: PlainError(fault)) { try Form(parsing: text.utf8) }
  }

  @Test func `holds at most 256 names, of 16 KiB`() throws {
    let many = Array(repeating: "a=1", count: 256).joined(separator: "&")
    #expect(try Form(parsing: many.utf8).pairs.count == 256)
    #expect(throws: PlainError("There are more than 256 names.")) { try Form(parsing: (many + "&b").utf8) }
    let long = String(repeating: "a", count: 16384)
    #expect(try Form(parsing: "v=\(long)".utf8)["v"] == long)
    #expect(throws: PlainError("The value of “v” is longer than 16384 bytes.")) { try Form(parsing: "v=\(long)a".utf8) }
    #expect(throws: PlainError("A name is longer than 16384 bytes.")) { try Form(parsing: "\(long)a=".utf8) }
  }

  @Test func `finds names code point by code point`() throws {
    let form = try Form(parsing: "e%CC%81=decomposed&%C3%A9=composed&x=1&x=2".utf8)
    #expect(form["é"] == "composed")
    #expect(form["e\u{301}"] == "decomposed")
    #expect(form["y"] == nil)
    #expect(form.values("x") == ["1", "2"])
  }
}
