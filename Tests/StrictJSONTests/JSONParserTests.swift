import Testing

@testable import Prompts

private func parse(_ text: String, _ limits: JSONLimits = .request) throws(JSONFault) -> JSON {
  try JSON(parsing: Array(text.utf8), limits: limits)
}

/// The value written back, so that a table can compare it.
private func written(_ json: JSON) -> String {
  var writer = JSONWriter()
  writer.value(json)
  return writer.text
}

@Suite struct `Strict JSON` {
  @Test(arguments: [
    ("null", "null"), (" true\n", "true"), ("\t\r\nfalse", "false"), ("0", "0"), ("-0", "-0"), ("0e1", "0e1"),
    ("1E+10", "1E+10"), ("-12.50e-3", "-12.50e-3"), ("12345678901234567890123", "12345678901234567890123"),
    (#""""#, #""""#), (#""a\u0041\n\/\"\\\b\f\r\t""#, #""aA\n/\"\\\u0008\u000c\r\t""#),
    (#""\ud83d\ude00""#, #""😀""#), (#""\uFFFF""#, "\"\u{FFFF}\""), ("[]", "[]"), ("[ 1 , [ ] ]", "[1,[]]"),
    ("{}", "{}"),
    (#"{ "b" : 1 , "a" : { } }"#, #"{"b":1,"a":{}}"#), ("\"\u{2028}\u{7F}\"", "\"\u{2028}\u{7F}\""),
  ])
  func `is read as it stands`(text: String, json: String) throws {
    #expect(written(try parse(text)) == json)
  }

  @Test(arguments: [
    ("", JSONFault.Reason.empty, 0), (" \n", .empty, 2), ("\u{FEFF}1", .byteOrderMark, 0),
    ("1 2", .trailing, 2), ("{}}", .trailing, 2),
    ("01", .badNumber, 0), ("-", .badNumber, 0), ("1.", .badNumber, 0), ("1e", .badNumber, 0), ("-a", .badNumber, 0),
    ("+1", .unexpected(found: "“+”", expected: "a value"), 0),
    (".5", .unexpected(found: "“.”", expected: "a value"), 0),
    ("NaN", .unexpected(found: "“N”", expected: "a value"), 0),
    ("nul", .unexpected(found: "“n”", expected: "a value"), 0),
    ("True", .unexpected(found: "“T”", expected: "a value"), 0), ("-Infinity", .badNumber, 0),
    ("[0x10]", .unexpected(found: "“x”", expected: "a comma or the closing bracket"), 2),
    ("[1,]", .unexpected(found: "“]”", expected: "a value"), 3),
    ("[1 2]", .unexpected(found: "“2”", expected: "a comma or the closing bracket"), 3),
    ("{\"a\":1,}", .unexpected(found: "“}”", expected: "a key in double quotes"), 7),
    ("{a:1}", .unexpected(found: "“a”", expected: "a key in double quotes"), 1),
    ("{/**/}", .unexpected(found: "“/”", expected: "a key in double quotes"), 1),
    (#"{"a":1 "b":2}"#, .unexpected(found: "“\"”", expected: "a comma or the closing bracket"), 7),
    ("{\"a\" 1}", .unexpected(found: "“1”", expected: "a colon"), 5),
    ("'a'", .unexpected(found: "“'”", expected: "a value"), 0),
    ("// a\n1", .unexpected(found: "“/”", expected: "a value"), 0),
    ("é", .unexpected(found: "a character that is not JSON", expected: "a value"), 0),
    ("\u{A0}{}", .unexpected(found: "a character that is not JSON", expected: "a value"), 0), ("{}\0", .trailing, 2),
    ("[", .unexpectedEnd, 1), ("{\"a\":", .unexpectedEnd, 5), ("\"a", .unexpectedEnd, 2), ("\"\\", .unexpectedEnd, 2),
    ("\"\\u12", .unexpectedEnd, 5),
    (#""\x""#, .badEscape, 1), (#""\u12G4""#, .badEscape, 1), (#""\u+123""#, .badEscape, 1),
    ("\"a\nb\"", .controlCharacter, 2), ("\"\u{0}\"", .controlCharacter, 1), ("\"\\n\u{1F}\"", .controlCharacter, 3),
    (#"{"a":1,"a":2}"#, .duplicateKey("a"), 7), (#"{"a":1,"\u0061":2}"#, .duplicateKey("a"), 7),
    (#"{"\ud800":1}"#, .loneSurrogateInKey, 1),
  ])
  func `refuses what is none, at its byte`(text: String, reason: JSONFault.Reason, offset: Int) {
    #expect(throws: JSONFault(reason, at: offset)) { () throws(JSONFault) in try parse(text) }
  }

  @Test(
    arguments: [
      ([0xFF, 0xFE, 0x31, 0x00], JSONFault(.invalidUTF8, at: 0)),
      ([0x00, 0x31], JSONFault(.unexpected(found: "a character that is not JSON", expected: "a value"), at: 0)),
      ([0x22, 0xC3, 0x28, 0x22], JSONFault(.invalidUTF8, at: 1)),
      ([0x22, 0xED, 0xA0, 0x80, 0x22], JSONFault(.invalidUTF8, at: 1)),
      ([0x22, 0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80, 0x22], JSONFault(.invalidUTF8, at: 1)),
      ([0x22, 0xC0, 0x80, 0x22], JSONFault(.invalidUTF8, at: 1)),
      ([0x22, 0xC0, 0xAF, 0x22], JSONFault(.invalidUTF8, at: 1)),
      ([0x22, 0xE0, 0x80, 0xAF, 0x22], JSONFault(.invalidUTF8, at: 1)),
      ([0x22, 0xF0, 0x80, 0x80, 0xAF, 0x22], JSONFault(.invalidUTF8, at: 1)),
      ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], JSONFault(.invalidUTF8, at: 1)),
      ([0x22, 0xF8, 0x88, 0x80, 0x80, 0x80, 0x22], JSONFault(.invalidUTF8, at: 1)),
      ([0x22, 0x80, 0x22], JSONFault(.invalidUTF8, at: 1)), ([0x22, 0xE2, 0x82, 0x22], JSONFault(.invalidUTF8, at: 1)),
      ([0x22, 0xE9, 0x22], JSONFault(.invalidUTF8, at: 1)), ([0x7B, 0xFF, 0x7D], JSONFault(.invalidUTF8, at: 1)),
      ([0x22, 0x5C, 0x6E, 0xF5, 0x22], JSONFault(.invalidUTF8, at: 3)),
    ] as [([UInt8], JSONFault)])
  func `is UTF-8 and nothing else`(bytes: [UInt8], fault: JSONFault) {
    #expect(throws: fault) { () throws(JSONFault) in try JSON(parsing: bytes) }
  }

  @Test(arguments: [#""\ud800""#, #""\udc00""#, #""\ud800\u0041""#, #""\ud800\ud800\udc00""#, #""a\udfffb""#])
  func `keeps a string with half a surrogate pair as what it is`(text: String) throws {
    if case .illFormedString = try parse(text) {} else { Issue.record("\(text) was read as a string") }
  }

  @Test func `keeps keys apart that are canonically equivalent`() throws {
    let json = try parse("{\"\u{E9}\":1,\"e\u{301}\":2}")
    #expect([json["\u{E9}"], json["e\u{301}"]].map { $0.map(written) } == ["1", "2"])
  }

  @Test func `holds its limits to the byte`() throws {
    let limits = JSONLimits(depth: 3, keys: 2, string: 4)
    #expect(throws: Never.self) { try parse("[[{}]]", limits) }
    #expect(throws: JSONFault(.tooDeep(limit: 3), at: 3)) { () throws(JSONFault) in try parse("[[[[]]]]", limits) }
    #expect(throws: Never.self) { try parse(#"[{"a":1,"b":1},{"c":1,"d":1}]"#, limits) }
    #expect(throws: Never.self) { try parse(#"{"a":{"b":1,"c":1},"d":1}"#, limits) }
    #expect(throws: JSONFault(.tooManyKeys(limit: 2), at: 19, "/a")) { () throws(JSONFault) in
      try parse(#"{"a":{"b":1,"c":{},"d":1}}"#, limits)
    }
    #expect(throws: Never.self) { try parse(#"["abcd","éé","\u00e9\u00e9"]"#, limits) }
    for text in [#""abcde""#, #""ééa""#, #""\u00e9\u00e9a""#] {
      #expect(throws: JSONFault.self) { try parse(text, limits) }
    }
    #expect(throws: Never.self) { try parse("\"" + String(repeating: "x", count: 16_384) + "\"") }
    #expect(throws: JSONFault(.stringTooLong(limit: 16_384), at: 1)) { () throws(JSONFault) in
      try parse("\"" + String(repeating: "x", count: 16_385) + "\"")
    }
  }

  @Test func `refuses ten thousand levels at once`() {
    let text = String(repeating: "[", count: 10_000)
    #expect(throws: JSONFault(.tooDeep(limit: 32), at: 32)) { () throws(JSONFault) in try parse(text) }
    let objects = String(repeating: "{\"a\":", count: 10_000)
    #expect(throws: JSONFault(.tooDeep(limit: 32), at: 160)) { () throws(JSONFault) in try parse(objects) }
  }

  @Test(arguments: [
    (JSONFault.Reason.badEscape, #"unknown escape; use \" \\ \/ \b \f \n \r \t or \u and four hex digits"#),
    (.badNumber, "not a JSON number; write it like -12, 0.5 or 1e3"),
    (.controlCharacter, #"a control character in a string; write it as an escape, such as \n"#),
    (
      .unexpected(found: "“+”", expected: "a value"),
      "found “+” where a value was expected; write a number without a plus sign"
    ),
    (
      .unexpected(found: "“N”", expected: "a value"),
      "found “N” where a value was expected; put strings in double quotes"
    ),
    (
      .unexpected(found: "“]”", expected: "a value"),
      "found “]” where a value was expected; write it here, or remove the comma before the bracket"
    ),
  ])
  func `says what is wrong and what to do`(reason: JSONFault.Reason, sentence: String) {
    #expect(JSONFault(reason, at: 7).description == sentence + " (byte 7)")
  }
}

@Suite struct `A JSON string of any length` {
  @Test func `is read the same whatever byte stands where`() {
    for length in 1...20 {
      for place in 0..<length {
        for byte in UInt8.min...UInt8.max {
          var text = Array(repeating: UInt8(ascii: "x"), count: length)
          text[place] = byte
          let expected =
            switch byte {
            case ..<0x20: "\(JSONFault(.controlCharacter, at: place + 1))"
            case UInt8(ascii: "\""): "\(JSONFault(.trailing, at: place + 2))"
            case UInt8(ascii: "\\") where place + 1 == length: "\(JSONFault(.unexpectedEnd, at: length + 2))"
            case UInt8(ascii: "\\"): "\(JSONFault(.badEscape, at: place + 1))"
            case 0x80...: "\(JSONFault(.invalidUTF8, at: 1))"
            default: String(decoding: text, as: UTF8.self)
            }
          #expect(read([UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]) == expected)
        }
      }
    }
  }

  private func read(_ bytes: [UInt8]) -> String {
    do throws(JSONFault) {
      if case .string(let text) = try JSON(parsing: bytes) { return text }
      return "no string"
    } catch {
      return "\(error)"
    }
  }
}
