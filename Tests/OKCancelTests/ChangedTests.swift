import Testing

@testable import OKCancel
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `What a person changed of the values that were proposed` {
  private static let fields = #"""
    {"title":"T","fields":[{"name":"email","kind":"email"},{"name":"n","kind":"number"},{"name":"note","optional":true},
    {"name":"tags","kind":"choices","options":["a","b","c"]},{"name":"gift","kind":"boolean"},
    {"name":"card","when":{"field":"gift","oneOf":["true"]}},{"name":"city","at":"/address/the~1city"}]}
    """#

  @Test(
    arguments: [
      // Nothing is proposed.
      ("", #""email":"a@b.c","n":1,"tags":[],"gift":false,"address":{"the/city":"x"}"#, nil),
      // What is equal is not changed, however it is written; what was not proposed is no change.
      (
        #""email":"a@b.c","n":"1,5""#,
        #""email":" a@b.c ","n":1.50,"note":"x","tags":["a"],"address":{"the/city":"x"}"#, []
      ),
      (
        #""tags":["b","a"],"gift":true,"card":"x""#, #""tags":["a","b"],"gift":true,"card":"x","email":"a@b.c","n":1"#,
        []
      ),
      (#""note":null"#, #""note":"","email":"a@b.c","n":1"#, []),
      (#""email":"a@b.c""#, #""email":"A@b.c","n":1"#, ["/email"]),
      (#""note":"e\u0301""#, #""note":"\u00e9","email":"a@b.c","n":1"#, ["/note"]),
      (#""tags":["a"],"n":2,"note":"x""#, #""tags":["c"],"n":3,"email":"a@b.c""#, ["/n", "/note", "/tags"]),
      (
        #""address":{"the/city":"Rome"}"#, #""address":{"the/city":"Ulm"},"email":"a@b.c","n":1"#,
        ["/address/the~1city"]
      ),
      // It no longer applies.
      (#""gift":true,"card":"x""#, #""gift":false,"card":"x","email":"a@b.c","n":1"#, ["/gift", "/card"]),
    ] as [(String, String, [String]?)])
  func `is in the outcome, by place`(_ proposed: String, _ answered: String, _ changed: [String]?) async throws {
    let live = try LiveServer([]) { $0.apiTokens = ["token"] }
    let values = proposed.isEmpty ? "" : #","values":{\#(proposed)}"#
    let ask = try await live.ask(#"{"definition":\#(Self.fields)\#(values)}"#)
    var given = answered
    if !given.contains("address") { given += #","address":{"the/city":"x"}"# }
    let answer = try await live.post(ask.path, json: #"{"outcome":"ok","values":{\#(given)}}"#)
    #expect(answer.status == 200, "\(answer.text)")
    let closed = try await live.get("/asks/\(ask.id)", headers: live.authorized).json()
    let line = try await live.get("/asks", headers: live.authorized).json()
    let events = try await live.get("/asks/\(ask.id)/events", headers: live.authorized).text
    for json in [try answer.json(), closed, line] {
      #expect(json["changed"]?.bytes == changed.map { JSON.strings($0).bytes })
    }
    #expect(events.contains(#""changed":"#) == (changed != nil))
    #expect(try await live.server.end(of: ask.id, within: .zero)?.changed == changed)
  }

  @Test(arguments: [
    (#""kind":"a","n":5"#, #""kind":"a","n":5"#, []), (#""kind":"a","n":5"#, #""kind":"a","n":6"#, ["/n"]),
    (#""kind":"a","n":7"#, #""kind":"b","n":7"#, ["/kind"]), (#""kind":"a","n":5"#, #""kind":"c""#, ["/kind", "/n"]),
    (#""n":5"#, #""kind":"b","n":5"#, []), (#""n":5"#, #""kind":"b","n":6"#, ["/n"]),
  ])
  func `is compared in the place that several fields share`(
    _ proposed: String, _ answered: String, _ changed: [String]
  ) async throws {
    let live = try LiveServer([]) { $0.apiTokens = ["token"] }
    let fields = #"""
      {"title":"T","fields":[{"name":"kind","kind":"choice","options":["a","b","c"]},
      {"name":"n","kind":"integer","when":{"field":"kind","oneOf":["a"]}},
      {"name":"n2","at":"/n","kind":"integer","value":7,"when":{"field":"kind","oneOf":["b"]}}]}
      """#
    let ask = try await live.ask(#"{"definition":\#(fields),"values":{\#(proposed)}}"#)
    let answer = try await live.post(ask.path, json: #"{"outcome":"ok","values":{\#(answered)}}"#)
    #expect(try answer.json()["changed"]?.bytes == JSON.strings(changed).bytes, "\(answer.text)")
  }

  @Test func `counts for values that stand in a definition of the ask's own, and only for OK`() async throws {
    let live = try LiveServer([]) { $0.apiTokens = ["token"] }
    let definition = #"{"definition":{"title":"T","fields":[{"name":"a","value":"x"}],"buttons":[\#(buttons)]}}"#
    for (answer, changed) in [
      (#""outcome":"ok","values":{"a":"y"}"#, ["/a"]), (#""outcome":"ok","values":{"a":"x"}"#, []),
      (#""outcome":"action","action":"keep","values":{"a":"y"}"#, nil), (#""outcome":"cancel""#, nil),
    ] as [(String, [String]?)] {
      let ask = try await live.ask(definition)
      #expect(try await live.post(ask.path, json: "{\(answer)}").status == 200)
      #expect(try await live.server.end(of: ask.id, within: .zero)?.changed == changed)
    }
  }

  private var buttons: String {
    #"{"title":"K","role":"action","name":"keep","validates":true},{"role":"cancel"},{"role":"ok"}"#
  }
}
