import Testing

@testable import OKCancel
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `Every door that reads JSON` {
  /// Bytes and the fault that every door names, with its place. `JSONParserTests` has all that is no JSON.
  static let bodies: [(String, [UInt8], String)] = [
    ("nothing", [], "there is no JSON here; send a value (byte 0)"),
    ("a form", bytes("email=a"), "found “e” where a value was expected; put strings in double quotes (byte 0)"),
    ("a byte order mark", [0xEF, 0xBB, 0xBF] + bytes("{}"), byteOrderMark),
    ("UTF-16", [0xFF, 0xFE, 0x7B, 0, 0x7D, 0], "these bytes are not UTF-8; encode the text as UTF-8 (byte 0)"),
    ("Latin-1", bytes(#"{"email":""#) + [0xE9] + bytes(#""}"#), notUTF8),
    ("a key twice", bytes(#"{"email":"a","email":"b"}"#), #"the key "email" appears twice; keep one (byte 13)"#),
    ("a key twice further in", bytes(#"{"values":{"a":1,"a":2}}"#), #"the key "a" appears twice; keep one (byte 17)"#),
    ("33 levels", bytes(nested(33)), tooDeep),
    ("60,000 levels", bytes(String(repeating: "[", count: 60_000)), tooDeep),
    ("257 keys", bytes(object(keys: 257)), "too many keys; at most 256 are read (byte 2195)"),
    ("6,000 keys", bytes(object(keys: 6_000)), "too many keys; at most 256 are read (byte 2195)"),
    ("a key of 16,385 bytes", bytes(#"{"\#(String(repeating: "a", count: 16_385))":1}"#), longKey),
    ("half a surrogate pair in a key", bytes(#"{"a\ud800":1}"#), halfKey),
    ("two values", bytes("{} {}"), "there is more after the end of the value; send one value (byte 3)"),
    ("an object that does not end", bytes(#"{"email":"a""#), unended),
  ]
  private static let byteOrderMark = "the text begins with a byte order mark; send UTF-8 without one (byte 0)"
  private static let tooDeep = "nested too deeply; at most 32 levels are read (byte 32)"
  private static let notUTF8 = "these bytes are not UTF-8; encode the text as UTF-8 (byte 10)"
  private static let longKey = "a string is too long; at most 16384 bytes are read (byte 2)"
  private static let halfKey = "half a surrogate pair in a key; write both halves (byte 1)"
  private static let unended = "the text ends too early; close every string, array and object (byte 12)"

  /// Promise 3.11 | JSON has one reading or is refused: no duplicate keys, byte order marks, other encodings or
  /// trailing commas; 32 levels, 256 keys per object, 16 KiB strings, 64 KiB bodies (256 KiB if they carry a prompt's
  /// values).
  /// ASVS 1.5.2, 1.5.3 (3) | safe, consistent parsers | one strict JSON parser, one form parser
  @Test func `answers bytes that are no JSON with 400, what is wrong and where`() async throws {
    let doors = try await Doors()
    for (name, body, fault) in Self.bodies {
      for (door, answer) in zip(doors.json, try await doors.answers(toJSON: body)) {
        #expect(answer.status == 400, "\(name) at \(door.path)")
        #expect(answer.detail == "The body is not valid JSON: \(fault)", "\(name) at \(door.path)")
      }
    }
  }

  /// Promise 3.11
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

  /// Promise 3.11
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

  /// ASVS 15.3.5 | strict types | numbers keep their value and texts stay as written, without conversion
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
    #expect(try answer.json()["fields"]?["quantity"]?.text("rule") == rule, "\(body)")
  }

  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
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
