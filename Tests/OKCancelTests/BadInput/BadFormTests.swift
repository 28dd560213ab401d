import Testing

@testable import OKCancel

@Suite(.timeLimit(.minutes(5))) struct `Every door that reads forms` {
  /// Bytes and what every door says of them. `FormTests` of `MicroHTTPTests` has all that cannot be read.
  static let bodies: [(String, [UInt8], String)] = [
    ("a % alone", bytes("email=%"), "The form cannot be read: The % at byte 6 has no two hexadecimal digits after it."),
    ("encoded Latin-1", bytes("email=%e9"), "The form cannot be read: The text from byte 6 is not UTF-8."),
    ("Latin-1", bytes("email=") + [0xE9], "The form cannot be read: The text from byte 6 is not UTF-8."),
    ("UTF-16", [0xFF, 0xFE, 0x65, 0x00], "The form cannot be read: The text from byte 0 is not UTF-8."),
    ("a BOM", bytes("\u{FEFF}email=a"), "The form cannot be read: The text begins with a byte order mark."),
    ("257 names", bytes(pairs(257)), "The form cannot be read: There are more than 256 names."),
    ("1,000 names", bytes(pairs(1_000)), "The form cannot be read: There are more than 256 names."),
    ("a name of 16,385 bytes", bytes(longName), "The form cannot be read: A name is longer than 16384 bytes."),
    ("a field twice", bytes("email=a&email=b"), "The field “email” appears twice in the form; send it once."),
    ("one of them encoded", bytes("email=a&%65mail=b"), "The field “email” appears twice in the form; send it once."),
    ("a field that is none", bytes("emial=a"), "The prompt has no field `emial`; did you mean `email`?"),
    ("a field in other letters", bytes("Email=a"), "The prompt has no field `Email`; did you mean `email`?"),
    ("a name with a NUL", bytes("email%00=a"), "The prompt has no field `email\u{0}`; did you mean `email`?"),
  ]
  private static let longName = String(repeating: "a", count: 16_385)

  /// Promise 3.13 | Forms have one reading or are refused, too.
  @Test func `answers a malformed form with 400, what is wrong and where`() async throws {
    let doors = try await Doors()
    for (name, body, detail) in Self.bodies {
      for (door, answer) in zip(doors.form, try await doors.answers(toForm: body)) {
        #expect(answer.status == 400, "\(name) at \(door.path)")
        #expect(answer.detail == detail, "\(name) at \(door.path)")
      }
    }
  }

  /// Promise 3.14
  @Test(arguments: ["outcome=ok&outcome=cancel", "outcome=cancel&outcome=cancel&email=a"])
  func `takes no outcome twice`(body: String) async throws {
    let answer = try await LiveServer(Sample.all).post("/prompts/email", form: body)
    #expect(answer.status == 400)
    #expect(answer.detail == "“outcome” appears twice in the form; send it once.")
  }

  @Test(arguments: ["%00", "a%00b@c.de", "a@b%0a.de", "%7f%08"])
  func `judges control characters, and never cuts a text at them`(value: String) async throws {
    let answer = try await LiveServer(Sample.all).post("/validate/email", form: "email=" + value)
    #expect(answer.status == 200)
    #expect(answer.text.contains(#""isValid":false,"rule":""#), "\(answer.text)")
  }

  @Test func `reads a form up to its limits`() async throws {
    let live = try LiveServer(Sample.all)
    // Empty pairs do not count.
    let body = "outcome=cancel" + String(repeating: "&", count: 1_000) + Self.pairs(255)
    let answer = try await live.post("/prompts/email", form: body)
    #expect(answer.status == 200)
    for (count, status) in [(262_144 - 6, 200), (262_144 - 5, 413)] {
      let form = "email=" + String(repeating: "a", count: count)
      #expect(try await live.post("/validate/email", form: form).status == status)
    }
  }

  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
  private static func pairs(_ count: Int) -> String { (0..<count).map { "f\($0)=1" }.joined(separator: "&") }
}
