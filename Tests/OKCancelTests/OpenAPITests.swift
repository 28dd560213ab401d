import TestSupport
import Testing

@testable import MicroHTTP
@testable import OKCancel
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `The OpenAPI document` {
  private struct Operation {
    let name: String
    let path: String
    let json: JSON
  }

  private static func document() throws -> JSON {
    try JSON(parsing: Repository.bytes("Public/openapi.json"), limits: .file)
  }

  private static func operations() throws -> [Operation] {
    let paths = try #require(try document()["paths"])
    return paths.members.flatMap { path in
      path.value.members.map { method in
        Operation(name: "\(method.key.uppercased()) \(path.key)", path: path.key, json: method.value)
      }
    }
  }

  /// Each route, and what the document says of it.
  private static func described() throws -> [(route: Route, operation: Operation)] {
    let operations = try operations()
    return try live().server.routes.table.map { route in
      (route, try #require(operations.first { $0.name == "\(route.label.method) \(route.label.pattern)" }))
    }
  }

  /// A server with the routes that are not always there.
  static func live() throws -> LiveServer {
    try LiveServer(Sample.all) { $0.securityContact = SecurityContact("mailto:security@example.com") }
  }

  /// Promise 3.28
  @Test func `has every route of the table and the documents among the files, and no other`() async throws {
    let live = try Self.live()
    let documents = ["/prompt.schema.json", "/translation.schema.json", "/openapi.json"]
    // Every path answers OPTIONS; the document says so once.
    let routed =
      live.server.routes.table.map { "\($0.label.method) \($0.label.pattern)" } + documents.map { "GET \($0)" }
    #expect(try Self.operations().map(\.name).sorted() == routed.sorted())
    for path in documents { #expect(try await live.get(path).status == 200) }
  }

  @Test func `says which routes need the API token, which have a limit, and which are answered under any name`() throws
  {
    for (route, operation) in try Self.described() {
      let (name, responses) = (operation.name, operation.json["responses"]?.members.map(\.key) ?? [])
      #expect((operation.json["security"] != nil) == (route.scope != nil), "\(name)")
      #expect(responses.contains("401") == route.checksHost, "\(name)")
      #expect(responses.contains("429") == (route.limit != nil || route.scope != nil), "\(name)")
      #expect(responses.contains("421") == route.checksHost, "\(name)")
    }
  }

  @Test func `has the query parameters that each route takes, and no other`() throws {
    let known = try Self.document()["components"]?["parameters"]
    for (route, operation) in try Self.described() {
      guard case .array(let references) = operation.json["parameters"] ?? .array([]) else { continue }
      let names = references.compactMap { reference -> String? in
        let key = reference.text("$ref")?.split(separator: "/").last
        let parameter = key.flatMap { known?[String($0)] }
        return parameter?.text("in") == "query" ? parameter?.text("name") : nil
      }
      #expect(names.sorted() == route.parameters.sorted(), "\(operation.name)")
    }
  }

  @Test func `and the tool of agents have the keys of an ask`() throws {
    let request = try Self.document()["components"]?["schemas"]?["AskRequest"]
    #expect(Set(request?["properties"]?.members.map(\.key) ?? []) == Set(AskKey.names))
    let file = try JSON(parsing: Repository.bytes("Sources/OKCancel/MCP/Tools.json"), limits: .file)
    guard case .array(let tools)? = file["tools"] else { throw CancellationError() }
    let ofDefinition = ["title", "message", "fields", "ok", "cancel", "buttons"]
    let ofTheCall = ["wait", "key", "withdrawIfCancelled"]
    // Where an outcome goes, and who has the link, is not for a model to say.
    let keys = AskKey.names.filter { !["definition", "callback", "person"].contains($0) }
    let arguments = tools[0]["inputSchema"]?["properties"]?.members.map(\.key) ?? []
    #expect(Set(arguments) == Set(ofDefinition + ofTheCall + keys))
  }

  @Test func `and the documentation list every code of a problem`() throws {
    let codes = Problem.Code.allCases.map(\.rawValue)
    let schema = try Self.document()["components"]?["schemas"]?["Problem"]?["properties"]?["code"]
    #expect(schema?.texts("enum") == codes)
    let page = String(decoding: try Repository.bytes("Documentation/api.md"), as: UTF8.self)
    let rows = page.matches(of: #/(?m)^\| `([a-z-]+)` \| [0-9, ]+ \| /#).map { String($0.1) }
    #expect(rows == codes)
  }

  @Test(arguments: [
    ("/prompts/emial", 404, "unknown-prompt"), ("/asks", 401, "missing-token"), ("/nowhere", 404, "not-found"),
    ("/a/0123456789abcdefghjkmnpqrs", 404, "unknown-link"), ("/prompts/email/rules?x", 400, "unknown-parameter"),
    ("/a/%2F", 400, "malformed-request"),
  ])
  func `has a code for programs in every problem`(path: String, status: Int, code: String) async throws {
    let answer = try await LiveServer(Sample.all).get(path, accept: "application/json")
    #expect(answer.status == status)
    #expect(answer.text.contains(#""code":"\#(code)""#))
    if code == "unknown-prompt" { #expect(answer.detail.contains("did you mean `email`?")) }
  }

  @Test func `says once what each operation is called`() throws {
    let operations = try Self.operations()
    #expect(Set(operations.compactMap { $0.json.text("operationId") }).count == operations.count)
  }

  @Test func `names parameters for what the path has in braces`() throws {
    let parameters = try #require(try Self.document()["components"]?["parameters"])
    let known = parameters.members.map { "#/components/parameters/\($0.key)" }
    for operation in try Self.operations() {
      guard case .array(let parameters)? = operation.json["parameters"] ?? .array([]) else { continue }
      let references = parameters.compactMap { $0.text("$ref") }
      #expect(references.allSatisfy(known.contains), "\(operation.name)")
      for segment in operation.path.split(separator: "/") where segment.hasPrefix("{") {
        let reference = "#/components/parameters/\(segment.dropFirst().dropLast())"
        #expect(references.contains(reference), "\(operation.name)")
      }
    }
  }
}
