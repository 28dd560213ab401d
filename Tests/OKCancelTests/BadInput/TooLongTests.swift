import OKCancel
import StrictJSON
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A text that is too long` {
  /// As long as may be: 16,384 bytes, three times as many in a form.
  private static let full = String(repeating: "あ", count: 5_461) + "a"

  private static let essay = Prompt(
    title: "Essay", fields: ["a", "b", "c", "d"].map { Field($0, kind: .multiline) } + [Field("e", optional: true)])

  /// Verdicts of the two doors that validate, then of the two that submit, on a form and on JSON.
  private func answers(_ values: [(String, String)]) async throws -> (validated: [JSON], submitted: [JSON]) {
    let live = try LiveServer([Self.essay.named("essay")]) { $0.apiTokens = ["a-token-of-22-characters"] }
    let token = ["Authorization": "Bearer a-token-of-22-characters"]
    let created = try await live.post("/asks", json: #"{"prompt":"essay"}"#, headers: token).json()
    guard case .string(let link)? = created["link"], let slash = link.lastIndex(of: "/") else { throw Doors.NoLink() }
    let page = "/a" + link[slash...]

    let form = values.map { "\($0)=" + $1.utf8.map { "%" + String($0, radix: 16) }.joined() }.joined(separator: "&")
    let json = "{" + values.map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",") + "}"
    var (validated, submitted) = ([JSON](), [JSON]())
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
        submitted.append(try answer.json())
      }
    }
    return (validated, submitted)
  }

  @Test func `is a verdict of the rule 'text' at every door, by how much`() async throws {
    let (validated, submitted) = try await answers([("a", Self.full + "あa"), ("b", "b"), ("c", "c"), ("d", "d")])
    for verdicts in validated {
      #expect(verdicts["fields"]?["a"]?["rule"]?.string == "text")
      #expect(verdicts["message"]?.string == "Shorten this by 2 characters")
    }
    for problem in submitted {
      #expect(problem["errors"]?.first?["rule"]?.string == "text")
      #expect(problem["errors"]?.first?["message"]?.string == "Shorten this by 2 characters")
    }
  }

  @Test func `is one of all texts together, with the field that passes the limit, up to bodies of 256 KiB`()
    async throws
  {
    let full = ["a", "b", "c", "d"].map { ($0, Self.full) }
    let (validated, submitted) = try await answers(full + [("e", "éé")])
    for verdicts in validated {
      #expect(verdicts["fields"]?["e"]?["rule"]?.string == "text")
      #expect(verdicts["message"]?.string == "Shorten your answers by 2 characters in total")
    }
    for problem in submitted {
      #expect(problem["errors"]?.first?["field"]?.string == "e")
      #expect(problem["errors"]?.first?["message"]?.string == "Shorten your answers by 2 characters in total")
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

extension JSON {
  fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }
  fileprivate var first: JSON? { if case .array(let elements) = self { elements.first } else { nil } }
}
