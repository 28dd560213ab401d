import Foundation
import StrictJSON
import Testing

@testable import OKCancel

@Suite("The OpenAPI document")
struct OpenAPITests {
  @Test("has every route of the router, and no other")
  func routes() throws {
    let live = try LiveServer(Sample.all)
    // Every path answers OPTIONS; the document says so once.
    let routed = live.server.routes.table.map { "\($0.label.method) \($0.label.pattern)" }
    #expect(Set(OpenAPI.operations.map { "\($0.method) \($0.path)" }).symmetricDifference(routed).sorted() == [])
    #expect(OpenAPI.operations.count == routed.count)
  }

  @Test("is JSON with each key once, and says once what each operation is called")
  func document() throws {
    _ = try JSONParser<JSON>.parse(OpenAPI.json, limits: .file)
    #expect(Set(OpenAPI.operations.map(\.id)).count == OpenAPI.operations.count)
  }

  @Test("names parameters for what the path has in braces")
  func parameters() {
    for operation in OpenAPI.operations {
      for segment in operation.path.split(separator: "/") where segment.hasPrefix("{") {
        #expect(operation.parameters.contains(String(segment.dropFirst().dropLast())), "\(operation.path)")
      }
    }
  }
}
