import OKCancel
import StrictJSON
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Every door that reads JSON` {
  /// Bytes and the fault that every door names, with its place.
  static let bodies: [(String, [UInt8], String)] = [
    ("nothing", [], "there is no JSON here; send a value (byte 0)"),
    ("white space", bytes(" \n"), "there is no JSON here; send a value (byte 2)"),
    (
      "a byte order mark", [0xEF, 0xBB, 0xBF] + bytes("{}"),
      "the text begins with a byte order mark; send UTF-8 without one (byte 0)"
    ),
    (
      "UTF-16 with its mark", [0xFF, 0xFE] + wide("{}"), "these bytes are not UTF-8; encode the text as UTF-8 (byte 0)"
    ),
    (
      "UTF-16", wide(#"{"email":"a"}"#),
      "found a character that is not JSON where a key in double quotes was expected; write it here (byte 1)"
    ),
    (
      "UTF-32", [0x7B, 0, 0, 0, 0x7D, 0, 0, 0],
      "found a character that is not JSON where a key in double quotes was expected; write it here (byte 1)"
    ),
    (
      "a trailing comma in an object", bytes(#"{"email":"a",}"#),
      "found “}” where a key in double quotes was expected; write it here, or remove the comma before the bracket (byte 13)"
    ),
    (
      "a trailing comma in an array", bytes(#"{"email":["a",]}"#),
      "found “]” where a value was expected; write it here, or remove the comma before the bracket (byte 14)"
    ),
    ("a key twice", bytes(#"{"email":"a","email":"b"}"#), #"the key "email" appears twice; keep one (byte 13)"#),
    (
      "a key twice, once escaped", bytes(#"{"email":"a","\u0065mail":"b"}"#),
      #"the key "email" appears twice; keep one (byte 13)"#
    ),
    ("a key twice further in", bytes(#"{"values":{"a":1,"a":2}}"#), #"the key "a" appears twice; keep one (byte 17)"#),
    ("33 levels of arrays", bytes(nested(33)), "nested too deeply; at most 32 levels are read (byte 32)"),
    (
      "33 levels of objects", bytes(String(repeating: #"{"a":"#, count: 33)),
      "nested too deeply; at most 32 levels are read (byte 160)"
    ),
    (
      "60,000 levels", bytes(String(repeating: "[", count: 60_000)),
      "nested too deeply; at most 32 levels are read (byte 32)"
    ),
    ("257 keys", bytes(object(keys: 257)), "too many keys; at most 256 are read (byte 2195)"),
    ("6,000 keys", bytes(object(keys: 6_000)), "too many keys; at most 256 are read (byte 2195)"),
    (
      "a key of 16,385 bytes", bytes(#"{"\#(String(repeating: "a", count: 16_385))":1}"#),
      "a string is too long; at most 16384 bytes are read (byte 2)"
    ),
    (
      "half a surrogate pair in a key", bytes(#"{"a\ud800":1}"#),
      "half a surrogate pair in a key; write both halves (byte 1)"
    ),
    ("an overlong slash", string([0xC0, 0xAF]), notUTF8),
    ("an overlong NUL", string([0xC0, 0x80]), notUTF8),
    ("overlong, three bytes", string([0xE0, 0x80, 0xAF]), notUTF8),
    ("overlong, four bytes", string([0xF0, 0x80, 0x80, 0xAF]), notUTF8),
    ("a surrogate in UTF-8", string([0xED, 0xA0, 0x80]), notUTF8),
    ("a surrogate pair in UTF-8", string([0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80]), notUTF8),
    ("beyond U+10FFFF", string([0xF4, 0x90, 0x80, 0x80]), notUTF8),
    ("five bytes", string([0xF8, 0x88, 0x80, 0x80, 0x80]), notUTF8),
    ("a continuation alone", string([0x80]), notUTF8),
    ("a character cut short", string([0xE2, 0x82]), notUTF8),
    ("Latin-1", string([0xE9]), notUTF8),
    (
      "not UTF-8 outside strings", bytes("{") + [0xFF] + bytes("}"),
      "these bytes are not UTF-8; encode the text as UTF-8 (byte 1)"
    ),
    (
      "a no-break space between", [0xC2, 0xA0] + bytes("{}"),
      "found a character that is not JSON where a value was expected; write it here (byte 0)"
    ),
    (
      "a line feed in a string", bytes("{\"email\":\"a\nb\"}"),
      #"a control character in a string; write it as an escape, such as \n (byte 11)"#
    ),
    (
      "a NUL in a string", string([0x00]),
      #"a control character in a string; write it as an escape, such as \n (byte 10)"#
    ),
    ("a NUL after the value", bytes("{}") + [0], "there is more after the end of the value; send one value (byte 2)"),
    ("an unknown escape", bytes(#"{"email":"\x41"}"#), badEscape),
    ("an escape cut short", bytes(#"{"email":"\u00e"}"#), badEscape),
    ("an escape with a letter too far", bytes(#"{"email":"\u00g0"}"#), badEscape),
    ("a plus", bytes(#"{"email":+1}"#), "found “+” where a value was expected; write it here (byte 9)"),
    ("a leading zero", bytes(#"{"email":01}"#), badNumber),
    ("a point first", bytes(#"{"email":.5}"#), "found “.” where a value was expected; write it here (byte 9)"),
    ("a point last", bytes(#"{"email":1.}"#), badNumber),
    ("an exponent of nothing", bytes(#"{"email":1e}"#), badNumber),
    ("a minus alone", bytes(#"{"email":-}"#), badNumber),
    (
      "hexadecimal", bytes(#"{"email":0x10}"#),
      "found “x” where a comma or the closing bracket was expected; put strings in double quotes (byte 10)"
    ),
    ("NaN", bytes(#"{"email":NaN}"#), "found “N” where a value was expected; put strings in double quotes (byte 9)"),
    ("minus infinity", bytes(#"{"email":-Infinity}"#), badNumber),
    ("True", bytes(#"{"email":True}"#), "found “T” where a value was expected; put strings in double quotes (byte 9)"),
    (
      "a word cut short", bytes(#"{"email":tru}"#),
      "found “t” where a value was expected; put strings in double quotes (byte 9)"
    ),
    (
      "single quotes", bytes(#"{'email':'a'}"#),
      "found “'” where a key in double quotes was expected; write it here (byte 1)"
    ),
    (
      "a key without quotes", bytes(#"{email:"a"}"#),
      "found “e” where a key in double quotes was expected; put strings in double quotes (byte 1)"
    ),
    (
      "a comment", bytes(#"{/* a */"email":"a"}"#),
      "found “/” where a key in double quotes was expected; write it here (byte 1)"
    ),
    ("two values", bytes(#"{} {}"#), "there is more after the end of the value; send one value (byte 3)"),
    ("a missing colon", bytes(#"{"email" "a"}"#), "found “\"” where a colon was expected; write it here (byte 9)"),
    (
      "a missing comma", bytes(#"{"a":1 "b":2}"#),
      "found “\"” where a comma or the closing bracket was expected; write it here (byte 7)"
    ),
    (
      "a string that does not end", bytes(#"{"email":"a"#),
      "the text ends too early; close every string, array and object (byte 11)"
    ),
    (
      "an object that does not end", bytes(#"{"email":"a""#),
      "the text ends too early; close every string, array and object (byte 12)"
    ),
    ("a form", bytes("email=a"), "found “e” where a value was expected; put strings in double quotes (byte 0)"),
  ]

  @Test func `answers bytes that are no JSON with 400, what is wrong and where`() async throws {
    let doors = try await Doors()
    for (name, body, fault) in Self.bodies {
      for (door, answer) in zip(doors.json, try await doors.answers(toJSON: body)) {
        #expect(answer.status == 400, "\(name) at \(door.path)")
        #expect(answer.detail == "The body is not valid JSON: \(fault)", "\(name) at \(door.path)")
      }
    }
  }

  @Test func `answers more than 64 KiB with 413, or than 256 KiB where values are judged, 100,000 keys among them`()
    async throws
  {
    let doors = try await Doors()
    for body in [Self.object(keys: 100_000), Self.padded(to: 262_145)] {
      for (door, answer) in zip(doors.json, try await doors.answers(toJSON: Self.bytes(body))) {
        // What is longer than a question with pictures is refused before it is read.
        let unread = door.path == "/asks" && body.utf8.count > 425_984
        let limit = unread ? 425_984 : doors.form.contains { $0.path == door.path } ? 262_144 : 65_536
        #expect(answer.status == 413, "\(door.path)")
        #expect(answer.detail == "The body is longer than \(limit) bytes.", "\(door.path)")
      }
    }
    for (door, answer) in zip(doors.json, try await doors.answers(toJSON: Self.bytes(Self.padded(to: 65_537)))) {
      let isLonger = doors.form.contains { $0.path == door.path }
      #expect((answer.status == 413) != isLonger, "\(door.path)")
    }
  }

  @Test func `reads strings of 16 KiB where no values are judged`() async throws {
    let doors = try await Doors()
    let faults = [
      (#"{"email":"\#(String(repeating: "a", count: 16_385))"}"#, 10),
      (#"{"email":"\n\#(String(repeating: "a", count: 16_384))"}"#, 10),
    ]
    for (body, place) in faults {
      for (door, answer) in zip(doors.json, try await doors.answers(toJSON: Self.bytes(body))) {
        if doors.form.contains(where: { $0.path == door.path }) { continue }
        #expect(answer.status == 400, "\(door.path)")
        #expect(
          answer.detail
            == "The body is not valid JSON: a string is too long at /email; at most 16384 bytes are read (byte \(place))"
        )
      }
    }
  }

  /// In a list of its own: a test's arguments are printed with its name, and these are long.
  private static let longest = [
    ("32 levels", #"{"outcome":"cancel","x":\#(nested(31))}"#),
    ("256 keys", #"{"outcome":"cancel",\#(object(keys: 255).dropFirst())"#),
    ("a string of 262,000 bytes", #"{"outcome":"cancel","x":"\#(String(repeating: "é", count: 131_000))"}"#),
    ("a body of 262,144 bytes", padded(to: 262_144)),
    ("huge numbers", #"{"outcome":"cancel","x":[1e999999999,-0.0e-0,\#(String(repeating: "9", count: 10_000))]}"#),
    ("escapes of everything", #"{"outcome":"cancel","x":"\"\\\/\b\f\n\r\t\u0000\ud83d\ude00"}"#),
    ("half a surrogate pair in a value", #"{"outcome":"cancel","x":"\ud800"}"#),
  ]

  @Test func `reads JSON up to its limits`() async throws {
    let live = try LiveServer(Sample.all)
    for (name, body) in Self.longest {
      let answer = try await live.post("/prompts/email", json: body)
      #expect(answer.status == 200, "\(name)")
      #expect(answer.text == #"{"outcome":"cancel","by":{"via":"link"}}"#, "\(name)")
    }
  }

  @Test(arguments: [
    (#"{"quantity":1e400}"#, "integer"), (#"{"quantity":9007199254740993.0}"#, "range"),
    (#"{"quantity":5.5}"#, "integer"),
    (#"{"quantity":"\#(String(repeating: "9", count: 35))"}"#, "integer"), (#"{"quantity":2147483647}"#, "range"),
    (#"{"quantity":"5\u0000"}"#, "text"), (#"{"quantity":"\ud800"}"#, "text"),
    (#"{"quantity":"\udc00\ud800"}"#, "text"),
  ])
  func `judges numbers by their value and texts as they are written, never rounded or repaired`(
    body: String, rule: String
  ) async throws {
    let live = try LiveServer(Sample.all)
    let answer = try await live.post("/validate/order?only=quantity", json: body)
    #expect(answer.status == 200)
    guard case .string(let found)? = try answer.json()["fields"]?["quantity"]?["rule"] else {
      Issue.record("no rule: \(answer.text)")
      return
    }
    #expect(found == rule, "\(body)")
  }

  private static let notUTF8 = "these bytes are not UTF-8; encode the text as UTF-8 (byte 10)"
  private static let badEscape = #"unknown escape; use \" \\ \/ \b \f \n \r \t or \u and four hex digits (byte 10)"#
  private static let badNumber = "not a JSON number; write it like -12, 0.5 or 1e3 (byte 9)"

  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
  private static func wide(_ text: String) -> [UInt8] { text.utf8.flatMap { [$0, 0] } }
  private static func string(_ content: [UInt8]) -> [UInt8] { bytes(#"{"email":""#) + content + bytes(#""}"#) }
  private static func nested(_ levels: Int) -> String {
    String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
  }
  private static func object(keys: Int) -> String {
    "{" + (0..<keys).map { #""k\#($0)":1"# }.joined(separator: ",") + "}"
  }
  private static func padded(to count: Int) -> String {
    let start = #"{"outcome":"cancel"}"#
    return start + String(repeating: " ", count: count - start.utf8.count)
  }
}
