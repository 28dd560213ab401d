import TestSupport
import Testing

@testable import Prompts

private func prompt(_ definition: String) throws -> Prompt {
  var reading = Reading()
  let json = try JSON(parsing: Array(definition.utf8), limits: .file)
  return try reading.whole { Prompt(Node(json), &$0) }
}

private let address = #"""
  {"title": "T", "objects": ["/kept", "/kept/too", "/gate/inner"], "fields": [
    {"name": "first", "at": "/first-name"}, {"name": "city", "at": "/address/city", "optional": true, "omitEmpty": true},
    {"name": "zip", "kind": "integer", "at": "/address/zip", "optional": true, "omitEmpty": true},
    {"name": "gate", "kind": "boolean", "valueType": "object", "optional": true, "omitEmpty": true},
    {"name": "inside", "at": "/gate/size", "when": {"field": "gate", "oneOf": ["true"]}, "rules": ["nonEmpty"]}]}
  """#

/// What is read of a text, and the verdicts on it; `nil` if it cannot be read, for this reason.
private func judged(_ given: String, by prompt: Prompt, refusal: String) async throws -> (Inputs, Verdicts)? {
  let json = try JSON(parsing: Array(given.utf8))
  var reading = Reading()
  let inputs: Inputs
  do throws(InlineFaults) { inputs = try reading.whole { Inputs(Node(json), of: prompt.fields, &$0) } } catch {
    #expect("\(error)" == refusal)
    return nil
  }
  return (inputs, await Judge().verdicts(on: inputs, of: prompt.edition()))
}

private func text(_ values: Values) -> String {
  var json = JSONWriter()
  json.value(values)
  return json.text
}

@Suite struct `Values in objects` {
  @Test(
    arguments: cases(
      #"""
      {"first-name":"Ada"} → {"first-name":"Ada","kept":{"too":{}}}
      {"first-name":"Ada","address":{"city":"London","zip":"01"}}
        → {"first-name":"Ada","address":{"city":"London","zip":1},"kept":{"too":{}}}
      {"first-name":"Ada","address":null,"gate":null} → {"first-name":"Ada","kept":{"too":{}}}
      {"first-name":"Ada","gate":{"size":"XL"}} → {"first-name":"Ada","gate":{"size":"XL","inner":{}},"kept":{"too":{}}}
      {"first-name":"Ada","gate":{}} → /gate/size: Enter a value
      {"first":"Ada"} → /first: the prompt has no field `first`; use one of `first-name`, `address`, `gate`
      {"address":{"ctiy":"L"}} → /address/ctiy: the prompt has no field `ctiy`; did you mean `city`?
      {"address":"L"} → /address: `address` must be a map, not a string; write them like `{"field": "text"}`
      {"address":{"city":{}}} → /address/city: `city` must be a string, not a map; write it like `city: "..."`
      """#)
  )
  func `are read and answered where the fields say`(given: String, answer: String) async throws {
    let prompt = try prompt(address)
    guard let (inputs, verdicts) = try await judged(given, by: prompt, refusal: answer) else { return }
    guard verdicts.isValid else {
      verdicts.forEachInvalid { field, _, message in #expect("\(verdicts.pointer(to: field)): \(message)" == answer) }
      return
    }
    var writer = JSONWriter()
    writer.value(verdicts.values(of: inputs))
    #expect(writer.text == answer)
    // What is answered can be sent, and is answered the same.
    var again = Reading()
    let answered = try JSON(parsing: writer.bytes).without(["kept", "inner"])
    let sent = try again.whole { Inputs(Node(answered), of: prompt.fields, &$0) }
    #expect(verdicts.values(of: sent) == verdicts.values(of: inputs))
  }

  @Test func `are sent as they are answered, without what a box that is off stands for`() throws {
    let prompt = try prompt(address)
    for (isOn, sent) in [("true", #","gate":{"size":"XL"}}"#), ("false", "}")] {
      var writer = JSONWriter()
      writer.value(
        Inputs([("first", .text("Ada")), ("gate", .text(isOn)), ("inside", .text("XL"))]).values(of: prompt.fields))
      #expect(writer.text == #"{"first-name":"Ada""# + sent)
    }
  }

  @Test func `are found in Swift and in Codable`() throws {
    let values: Values = ["address": ["city": "London", "zip": 1] as Values]
    #expect(values["address"]?["city"]?.text == "London" && values["address"]?["zip"]?.integer == 1)
    #expect(values["address"]?.description == #"{"city":"London","zip":1}"#)
    let field = Field("city") { $0.at = "/a~1b/~0" }
    #expect(field.path == ["a/b", "~"] && JSONPointer.text(field.path) == field.at)
  }

  private static let shared = #"""
    {"title": "T", "fields": [
      {"name": "kind", "kind": "choice", "options": ["a", "b", "c"], "at": "/p/kind", "value": "b"},
      {"name": "n", "kind": "integer", "at": "/p/n", "when": {"field": "kind", "oneOf": ["a"]}},
      {"name": "n2", "kind": "list", "at": "/p/n", "when": {"field": "kind", "oneOf": ["b"]}},
      {"name": "note", "at": "/p/note", "optional": true, "when": {"field": "kind", "oneOf": ["c"]}}]}
    """#

  @Test(
    arguments: cases(
      #"""
      {"p":{"n":5,"kind":"a"}} → {"p":{"kind":"a","n":5}}
      {"p":{"kind":"b","n":["x","y"]}} → {"p":{"kind":"b","n":["x","y"]}}
      {"p":{"kind":"b","n":5}} → {"p":{"kind":"b","n":["5"]}}
      {"p":{"kind":"c","n":5}} → {"p":{"kind":"c","note":null}}
      {"p":{"kind":"a","n":"x"}} → /p/n: Enter a whole number
      {"p":{"kind":"a"}} → /p/n: Enter a whole number
      {"p":{"kind":"a","n":["x"]}} → /p/n: `n` must be a string, not a list; write it like `n: "..."`
      {"p":{"n":["x"]}} → /p/kind: Choose one of the options
      {"p":{"n":{}}} → /p/n: `n` must be a string, not a map; write it like `n: "..."`
      """#)
  )
  func `in one place are those of the field that what is chosen lets apply`(given: String, answer: String) async throws
  {
    let prompt = try prompt(Self.shared)
    guard let (inputs, verdicts) = try await judged(given, by: prompt, refusal: answer) else { return }
    guard verdicts.isValid else {
      verdicts.forEachInvalid { field, _, message in
        #expect("\(verdicts.pointer(to: field)): \(message)".hasPrefix(answer))
      }
      return
    }
    let values = verdicts.values(of: inputs)
    #expect(text(values) == answer)
    let found = prompt.fields.map { prompt.fields.value(of: $0, in: values)?.description ?? "" }
    #expect(found.dropFirst().filter { !$0.isEmpty && $0 != "null" }.count == (answer.contains("null") ? 0 : 1))
  }

  @Test func `in one place begin in the field that applies at first`() throws {
    let prompt = try prompt(Self.shared)
    for (given, isInitial, expected) in [
      (#"{"p":{"n":["x"]}}"#, true, ["n2"]), (#"{"p":{"n":5,"kind":"a"}}"#, true, ["n"]),
      (#"{"p":{"n":5,"kind":"c"}}"#, true, ["n", "n2"]), (#"{"p":{"n":["x"],"kind":"c"}}"#, true, ["n2"]),
      (#"{"p":{"n":5}}"#, false, ["n", "n2"]),
    ] {
      var reading = Reading()
      let inputs = Inputs(
        Node(try JSON(parsing: Array(given.utf8))), of: prompt.fields, isInitial: isInitial, &reading)
      #expect(["n", "n2"].filter { inputs[$0] != nil } == expected && reading.faults.isEmpty, "\(given)")
    }
  }

  @Test func `in one place are sent for the field that applies`() throws {
    let prompt = try prompt(Self.shared)
    for (kind, sent) in [("a", #""5""#), ("b", #"["x"]"#)] {
      let inputs = Inputs([("n", .text("5")), ("n2", .text("x")), ("kind", .text(kind))])
      #expect(text(inputs.values(of: prompt.fields)) == #"{"p":{"n":\#(sent),"kind":"\#(kind)"}}"#)
    }
    // One alone is sent as it is given.
    #expect(text(Inputs([("n2", .text("x"))]).values(of: prompt.fields)) == #"{"p":{"n":["x"]}}"#)
  }

  @Test(
    arguments: cases(
      #"""
      {"name": "a", "at": ""} → /fields/0/at: `` is no JSON pointer to a member of the answer
      {"name": "a", "at": "/a~2"} → /fields/0/at: `/a~2` is no JSON pointer to a member of the answer
      {"name": "a", "at": "/x/constructor"} → /fields/0/at: an answer cannot have the member `constructor`
      {"name": "a"}, {"name": "b", "at": "/a"} → /fields/1/at: the values of `a` and `b` stand in the same place
      {"name": "k", "kind": "choice", "options": ["x", "y"]}, {"name": "a", "when": {"field": "k", "oneOf": ["x"]}}, {"name": "b", "at": "/a", "when": {"field": "k", "oneOf": ["y", "x"]}}
        → /fields/2/at: the values of `a` and `b` stand in the same place; change `at` of one of them, or let each apply for other values of one choice
      {"name": "k", "kind": "choices", "options": ["x", "y"]}, {"name": "a", "when": {"field": "k", "oneOf": ["x"]}}, {"name": "b", "at": "/a", "when": {"field": "k", "oneOf": ["y"]}}
        → /fields/2/at: the values of `a` and `b` stand in the same place
      {"name": "k", "kind": "boolean"}, {"name": "a", "when": {"field": "k", "oneOf": ["true"]}}, {"name": "b", "kind": "boolean", "valueType": "object", "at": "/a", "when": {"field": "k", "oneOf": ["false"]}}
        → /fields/2/at: the values of `a` and `b` stand in the same place
      {"name": "a", "at": "/b/c"}, {"name": "b"} → /fields/0/at: the value of `a` stands inside that of `b`
      """#)
  )
  func `have places that do not collide`(fields: String, fault: String) {
    let error = #expect(throws: InlineFaults.self) { try prompt(#"{"title": "T", "fields": [\#(fields)]}"#) }
    #expect(error?.description.hasPrefix(fault) == true, "\(error as Any)")
  }
}

extension JSON {
  /// Without these members, in objects in it too.
  fileprivate func without(_ names: [String]) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { !names.contains($0.key) }.map { .init($0.key, $0.value.without(names)) })
  }
}
