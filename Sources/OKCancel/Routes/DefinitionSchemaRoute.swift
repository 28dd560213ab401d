internal import Definitions
internal import MicroHTTP

/// `GET /prompt.schema.json`: the format of definitions, for editors.
struct DefinitionSchemaRoute: Sendable {
  private let body: ConstantBody

  init(headers: SecurityHeaders) {
    body = ConstantBody(bytes: PromptSchema.json, type: "application/schema+json", headers: headers.headers)
  }

  func get(_ request: Request) -> Reply { .now(body.response(to: request)) }
}
