import Testing

@testable import Prompts

@Suite struct `The JSON writer` {
  @Test func `writes members in order and commas between them`() {
    var json = JSONWriter()
    json.object { json in
      json.member("a", "x")
      json.member("b", ifPresent: nil as String?)
      json.member("c") { $0.array([1, 2]) { $0.value($1) } }
      json.member("d") { $0.object { _ in } }
      json.member("e", true)
      json.member("f") { $0.null() }
      json.member("g", ifPresent: "y")
      json.member("h", .array([.number("1e3"), .object([])]))
      json.member("i") { $0.array([] as [String]) }
      json.member("j") { $0.literal("0.1") }
    }
    #expect(json.text == #"{"a":"x","c":[1,2],"d":{},"e":true,"f":null,"g":"y","h":[1e3,{}],"i":[],"j":0.1}"#)
  }

  @Test(arguments: [
    ("", #""""#), ("\"\\/", #""\"\\/""#), ("\n\r\t", #""\n\r\t""#), ("\u{0}\u{1F}\u{7F}", "\"\\u0000\\u001f\u{7F}\""),
    ("a\u{301}\"\u{301}", "\"a\u{301}\\\"\u{301}\""), ("\r\n", #""\r\n""#), ("\u{2028}😀", "\"\u{2028}😀\""),
  ])
  func `escapes what JSON cannot hold, by code point`(text: String, json: String) {
    var writer = JSONWriter()
    writer.value(text)
    #expect(writer.text == json)
  }

  @Test func `writes what the parser reads as the same text`() throws {
    var scalars = String.UnicodeScalarView()
    for value in stride(from: UInt32(0), to: 0x11_0000, by: 251) {
      if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
    }
    let text = String(scalars)
    var writer = JSONWriter()
    writer.value(text)
    guard case .string(let read) = try JSON(parsing: writer.bytes, limits: .file) else {
      Issue.record("no string")
      return
    }
    #expect(Array(read.utf8) == Array(text.utf8))
  }
}
