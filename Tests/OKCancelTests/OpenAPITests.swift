import Foundation
import MicroHTTP
import StrictJSON
import Testing

@testable import OKCancel

@Suite(.timeLimit(.minutes(5))) struct `The OpenAPI document` {
  private struct Operation {
    let name: String
    let path: String
    let json: JSON
  }

  private static func document() throws -> JSON {
    let file = LiveServer.root.appending(path: "Public/openapi.json")
    return try JSON(parsing: Array(try Data(contentsOf: file)), limits: .file)
  }

  private static func members(_ json: JSON?) -> [JSON.Member] {
    if case .object(let members)? = json { members } else { [] }
  }

  private static func operations() throws -> [Operation] {
    members(try document()["paths"]).flatMap { path in
      members(path.value).map { method in
        Operation(name: "\(method.key.uppercased()) \(path.key)", path: path.key, json: method.value)
      }
    }
  }

  @Test func `has every route of the table and the documents among the files, and no other`() async throws {
    let live = try LiveServer(Sample.all)
    let documents = ["/prompt.schema.json", "/translation.schema.json", "/openapi.json"]
    // Every path answers OPTIONS; the document says so once.
    let routed =
      live.server.routes.table.map { "\($0.label.method) \($0.label.pattern)" } + documents.map { "GET \($0)" }
    #expect(try Self.operations().map(\.name).sorted() == routed.sorted())
    for path in documents { #expect(try await live.get(path).status == 200) }
  }

  @Test func `says which routes need the API token, which have a limit, and which are answered under any name`() throws
  {
    let operations = try Self.operations()
    for route in try LiveServer(Sample.all).server.routes.table {
      let name = "\(route.label.method) \(route.label.pattern)"
      let operation = try #require(operations.first { $0.name == name })
      let responses = Self.members(operation.json["responses"]).map(\.key)
      #expect((operation.json["security"] != nil) == (route.scope != nil), "\(name)")
      #expect(responses.contains("401") == route.checksHost, "\(name)")
      #expect(responses.contains("429") == (route.limit != nil || route.scope != nil), "\(name)")
      #expect(responses.contains("421") == route.checksHost, "\(name)")
    }
  }

  @Test func `has the query parameters that each route takes, and no other`() throws {
    let known = try Self.document()["components"]?["parameters"]
    let operations = try Self.operations()
    for route in try LiveServer(Sample.all).server.routes.table {
      let name = "\(route.label.method) \(route.label.pattern)"
      let operation = try #require(operations.first { $0.name == name })
      guard case .array(let references) = operation.json["parameters"] ?? .array([]) else { continue }
      let names = references.compactMap { reference -> String? in
        guard case .string(let text)? = reference["$ref"], let key = text.split(separator: "/").last,
          let parameter = known?[String(key)], case .string("query")? = parameter["in"],
          case .string(let name)? = parameter["name"]
        else { return nil }
        return name
      }
      #expect(names.sorted() == route.parameters.sorted(), "\(name)")
    }
  }

  @Test func `and the tool of agents have the keys of an ask`() throws {
    let request = try Self.document()["components"]?["schemas"]?["AskRequest"]
    #expect(Set(Self.members(request?["properties"]).map(\.key)) == Set(AskKey.names))
    let file = LiveServer.root.appending(path: "Sources/MCP/Tools.json")
    guard case .array(let tools)? = try JSON(parsing: Array(Data(contentsOf: file)), limits: .file)["tools"] else {
      Issue.record("the file has no tools")
      return
    }
    let ofDefinition = ["title", "message", "fields", "ok", "cancel", "buttons"]
    let ofTheCall = ["wait", "key", "withdrawIfCancelled"]
    // Where an outcome goes, and who has the link, is not for a model to say.
    let keys = AskKey.names.filter { !["definition", "callback", "person"].contains($0) }
    let arguments = Self.members(tools[0]["inputSchema"]?["properties"]).map(\.key)
    #expect(Set(arguments) == Set(ofDefinition + ofTheCall + keys))
  }

  @Test func `and the documentation list every code of a problem`() throws {
    let codes = Problem.Code.allCases.map(\.rawValue)
    let schema = try Self.document()["components"]?["schemas"]?["Problem"]?["properties"]?["code"]?["enum"]
    guard case .array(let listed)? = schema else {
      Issue.record("the document lists no codes")
      return
    }
    #expect(listed.map { if case .string(let code) = $0 { code } else { "" } } == codes)
    let page = try String(contentsOf: LiveServer.root.appending(path: "Documentation/api.md"), encoding: .utf8)
    let rows = page.matches(of: #/(?m)^\| `([a-z-]+)` \| [0-9, ]+ \| /#).map { String($0.1) }
    #expect(rows == codes)
  }

  @Test(arguments: [
    ("/prompts/none", 404, "unknown-prompt"), ("/asks", 401, "missing-token"), ("/nowhere", 404, "not-found"),
    ("/a/0123456789abcdefghjkmnpqrs", 404, "unknown-link"), ("/prompts/email/rules?x", 400, "unknown-parameter"),
    ("/a/%2F", 400, "malformed-request"),
  ])
  func `has a code for programs in every problem`(path: String, status: Int, code: String) async throws {
    let answer = try await LiveServer(Sample.all).get(path, accept: "application/json")
    #expect(answer.status == status)
    #expect(answer.text.contains(#""code":"\#(code)""#))
  }

  @Test func `says once what each operation is called`() throws {
    let names = try Self.operations().map { operation in
      if case .string(let name)? = operation.json["operationId"] { name } else { "" }
    }
    #expect(Set(names).count == names.count)
    #expect(!names.contains(""))
  }

  @Test func `names parameters for what the path has in braces`() throws {
    let known = Self.members(try Self.document()["components"]?["parameters"]).map {
      "#/components/parameters/\($0.key)"
    }
    for operation in try Self.operations() {
      guard case .array(let parameters)? = operation.json["parameters"] ?? .array([]) else { continue }
      let references = parameters.compactMap { parameter -> String? in
        if case .string(let reference)? = parameter["$ref"] { reference } else { nil }
      }
      #expect(references.allSatisfy(known.contains), "\(operation.name)")
      for segment in operation.path.split(separator: "/") where segment.hasPrefix("{") {
        let reference = "#/components/parameters/\(segment.dropFirst().dropLast())"
        #expect(references.contains(reference), "\(operation.name)")
      }
    }
  }
}
