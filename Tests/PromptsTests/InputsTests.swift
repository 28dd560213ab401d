import Testing

@testable import Prompts

private let prompt = Prompt(
  title: "T",
  fields: [
    Field("a"), Field("flag", kind: .boolean), Field("count", kind: .integer), Field("any", kind: .choices),
  ])

/// Inputs by name, or the faults.
private func read(_ text: String) throws -> String {
  let json = try JSON(parsing: Array(text.utf8))
  var reading = Reading()
  do throws(InlineFaults) {
    let inputs = try reading.whole { Inputs(Node(json), of: prompt.fields, &$0) }
    // The quick way reads what has no fault, and the same.
    if let same = Inputs(faultless: json, of: prompt.fields) { #expect("\(same)" == "\(inputs)") }
    return inputs.entries.map { "\($0.name)=\($0.input)" }.joined(separator: " ")
  } catch {
    #expect(Inputs(faultless: json, of: prompt.fields) == nil)
    return "\(error)"
  }
}

@Suite struct `Inputs from JSON` {
  @Test(arguments: [
    (#"{}"#, ""), (#"{"a":"x"}"#, #"a=text("x")"#), (#"{"count":1e3,"a":"x"}"#, #"count=text("1000") a=text("x")"#),
    (#"{"a":null,"flag":null,"any":null}"#, #"a=text("") flag=text("false") any=choices([])"#),
    (#"{"flag":true,"a":false}"#, #"flag=text("true") a=text("false")"#),
    (#"{"a":"\ud800","any":["x","\ud800"]}"#, "a=illFormed any=illFormed"),
    (#"{"any":["x","y"]}"#, #"any=choices(["x", "y"])"#), (#"{"\u0061":"x"}"#, #"a=text("x")"#),
    ("[]", #"`values` must be a map, not a list; write them like `{"field": "text"}`"#),
    (#"{"b":1}"#, "/b: the prompt has no field `b`; did you mean `a`?"),
    (#"{"á":1}"#, "/á: the prompt has no field `á`; did you mean `a`?"),
    (#"{"a":[]}"#, "/a: `a` must be a string, not a list; write it like `a: \"...\"`"),
    (#"{"any":"x"}"#, "/any: `any` must be a list, not a string; write it in brackets: `any: [...]`"),
    (#"{"any":["x",1]}"#, #"/any/1: `any` must be a string, not the number 1; put it in quotes: `any: "1"`"#),
    (
      #"{"a":{},"any":1}"#,
      "/a: `a` must be a string, not a map; write it like `a: \"...\"`\n/any: `any` must be a list, not the number 1; write it in brackets: `any: [...]`"
    ),
  ])
  func `are the members by the prompt's fields, or every fault`(text: String, expected: String) throws {
    #expect(try read(text) == expected)
  }
}
