import OKCancel
import StrictJSON
import Testing

@Suite("Patterns that strangers send")
struct CostlyPatternTests {
  /// Each of these takes some milliseconds to prepare.
  private static func rules(_ count: Int) -> String {
    "[" + (0..<count).map { #"{"pattern":"[\\p{L}_]{1,\#(900 + $0)}"}"# }.joined(separator: ",") + "]"
  }

  @Test("are 50 at once at most, where anybody may send them and where programs do")
  func limit() async throws {
    let doors = try await Doors()
    let token = ["Authorization": "Bearer secret"]
    func validate(_ count: Int) async throws -> LiveServer.Answer {
      try await doors.live.post("/validate", json: #"{"rules":\#(Self.rules(count)),"value":"a"}"#)
    }
    func ask(_ count: Int) async throws -> LiveServer.Answer {
      let field = #"{"name":"f","rules":\#(Self.rules(count))}"#
      return try await doors.live.post(
        "/asks", json: #"{"definition":{"title":"T","fields":[\#(field)]}}"#, headers: token)
    }
    #expect(try await validate(50).text == #"{"isValid":true}"#)
    let many = try await validate(51)
    #expect(many.status == 400)
    #expect(many.detail.contains("these are more than 50 patterns; send fewer at a time, or join some"))
    #expect(try await ask(50).status == 201)
    let asked = try await ask(52)
    #expect(asked.status == 400)
    guard case .array(let errors)? = try asked.json()["errors"], case .string(let pointer)? = errors[0]["pointer"]
    else {
      Issue.record("no errors: \(asked.text)")
      return
    }
    // Said once, of the first that is too many.
    #expect(errors.count == 1)
    #expect(pointer == "#/definition/fields/0/rules/50/pattern")
  }
}
