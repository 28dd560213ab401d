import Testing

@testable import OKCancel
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `A text that is too long` {
  /// As long as may be: 16,384 bytes, three times as many in a form.
  private static let full = String(repeating: "あ", count: 5_461) + "a"

  private static let essay = Prompt(
    title: "Essay", fields: ["a", "b", "c", "d"].map { Field($0, kind: .multiline) } + [Field("e", optional: true)])

  /// Verdicts of the two doors that validate, then of the two that submit, on a form and on JSON.
  private func answers(_ values: [(String, String)]) async throws -> (validated: [JSON], submitted: [LiveServer.Answer])
  {
    let live = try LiveServer([Self.essay.named("essay")]) { $0.apiTokens = ["token"] }
    let page = try await live.ask(#"{"prompt":"essay"}"#).path
    let form = values.map { "\($0)=" + $1.utf8.map { "%" + String($0, radix: 16) }.joined() }.joined(separator: "&")
    let json = "{" + values.map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",") + "}"
    var (validated, submitted) = ([JSON](), [LiveServer.Answer]())
    for path in ["/validate/essay", page + "/validate"] {
      for answer in [try await live.post(path, form: form), try await live.post(path, json: json)] {
        #expect(answer.status == 200, "\(path): \(answer.text.prefix(300))")
        validated.append(try answer.json())
      }
    }
    for path in ["/prompts/essay", page] {
      let body = #"{"outcome":"ok","values":\#(json)}"#
      for answer in [try await live.post(path, form: form), try await live.post(path, json: body)] {
        #expect(answer.status == 422, "\(path): \(answer.text.prefix(300))")
        submitted.append(answer)
      }
    }
    return (validated, submitted)
  }

  /// By itself, or with all others in a body of up to 256 KiB: then it is that of the field that passes the limit.
  ///
  /// Promise 3.12 | A value has at most 16 KiB, and all values together 64 KiB, before any rule or predicate sees
  /// them.
  @Test(arguments: [
    ("a", "Shorten this by 2 characters"), ("e", "Shorten your answers by 2 characters in total"),
  ])
  func `is a verdict of the rule 'text' at every door, by how much`(field: String, message: String) async throws {
    let full = ["a", "b", "c", "d"].map { ($0, Self.full) }
    let (validated, submitted) = try await answers(
      field == "a"
        ? [("a", Self.full + "あa"), ("b", "b"), ("c", "c"), ("d", "d")] : full + [("e", "éé")])
    for verdicts in validated {
      #expect(verdicts["fields"]?[field]?.text("rule") == "text")
      #expect(verdicts.text("message") == message)
    }
    for problem in submitted {
      let errors = try problem.errors
      #expect(errors.first?.text("field") == field && errors.first?.text("rule") == "text")
      #expect(errors.first?.text("message") == message)
    }
  }

  @Test func `may have 64 KiB with all others, which a form writes as 192 KiB`() async throws {
    let live = try LiveServer([Self.essay.named("essay")])
    let form = ["a", "b", "c", "d"].map { "\($0)=" + Self.full.utf8.map { "%" + String($0, radix: 16) }.joined() }
    let answer = try await live.post("/prompts/essay", form: form.joined(separator: "&"))
    #expect(answer.status == 200)
    #expect(answer.text.utf8.count > 64 * 1024)
  }
}
