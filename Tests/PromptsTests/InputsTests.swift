import Prompts
import StrictJSON
import Testing

private let prompt = Prompt(
  title: "T",
  fields: [
    Field("a"), Field("flag", kind: .boolean), Field("count", kind: .integer), Field("any", kind: .choices),
  ])

/// Inputs by name, or the fault.
private func written(_ read: () throws(Inputs.Fault) -> Inputs) -> String {
  do throws(Inputs.Fault) {
    return try read().entries.map { "\($0.name)=\($0.input)" }.joined(separator: " ")
  } catch {
    return switch error {
    case .malformed(let fault): "\(fault)"
    case .noObject(let json): "no object but \(json.kindInWords)"
    case .unknownField(let name): "no field \(name)"
    case .wrongType(let json, let wanted, let field): "\(field) is \(json.kindInWords), not \(wanted)"
    }
  }
}

@Suite struct `Inputs from JSON` {
  @Test(arguments: [
    (#"{}"#, ""), (#"{"a":"x"}"#, #"a=text("x")"#), (#"{"count":1e3,"a":"x"}"#, #"count=text("1e3") a=text("x")"#),
    (#"{"a":null,"flag":null,"any":null}"#, #"a=text("") flag=text("false") any=choices([])"#),
    (#"{"flag":true,"a":false}"#, #"flag=text("true") a=text("false")"#),
    (#"{"a":"\ud800","any":["x","\ud800"]}"#, "a=illFormed any=illFormed"),
    (#"{"any":["x","y"]}"#, #"any=choices(["x", "y"])"#), (#"{"\u0061":"x"}"#, #"a=text("x")"#),
    ("[]", "no object but an array"), (#""x""#, "no object but a string"),
    (#"{"b":1}"#, "no field b"), (#"{"":1}"#, "no field "), (#"{"á":1}"#, "no field á"),
    (#"{"a":[]}"#, "a is an array, not a string"), (#"{"any":"x"}"#, "any is a string, not an array of strings"),
    (#"{"any":["x",1]}"#, "any is a number, not a string"),
  ])
  func `are the members by the prompt's fields`(text: String, expected: String) {
    #expect(written { () throws(Inputs.Fault) in try Inputs(parsing: Array(text.utf8), of: prompt.fields) } == expected)
  }

  @Test(arguments: [
    (#"{"a":[],"b":1}"#, "a is an array, not a string"), (#"{"b":1,"c":1,"a":[]}"#, "no field b"),
    (#"{"b":1,"a":x"#, "found “x” where a value was expected; put texts in double quotes (byte 11)"),
    (#"{"b":1,"b":2}"#, #"the key "b" appears twice; keep one (byte 7)"#),
    (#"{"a":[],"a":1}"#, #"the key "a" appears twice; keep one (byte 8)"#),
    (#"{"count":1,"a":"","count":2}"#, #"the key "count" appears twice; keep one (byte 18)"#),
    (#"{"count":1,"a":"","\u0061":2}"#, #"the key "a" appears twice; keep one (byte 18)"#),
    (#"{"b":1} x"#, "there is more after the end of the value; send one value (byte 8)"),
  ])
  func `are refused for the text's fault first, then for the first member's`(text: String, expected: String) {
    #expect(written { () throws(Inputs.Fault) in try Inputs(parsing: Array(text.utf8), of: prompt.fields) } == expected)
  }

  /// One truth: what a route reads as a tree is read the same straight from the text.
  @Test func `are the same from a tree`() throws {
    for text in [
      #"{"a":"x","flag":true,"count":1,"any":["x"]}"#, #"{"any":[1],"b":1}"#, #"{"b":1,"any":[1]}"#, "null",
      #"{"count":{},"a":"x"}"#, #"{"flag":"maybe","any":[]}"#,
    ] {
      let bytes = Array(text.utf8)
      let tree = try JSON(parsing: bytes)
      #expect(
        written { () throws(Inputs.Fault) in try Inputs(parsing: bytes, of: prompt.fields) }
          == written { () throws(Inputs.Fault) in try Inputs(tree, of: prompt) })
    }
  }
}
