internal import MicroHTTP

extension OpenAPI {
  /// What machines want to know of the server.
  static let server = [
    Operation(
      method: .get, path: "/healthz", id: "getHealth", summary: "Whether the process lives",
      answers: [.ok("It does.", .json("Health"))]),
    Operation(
      method: .get, path: "/readyz", id: "getReadiness", summary: "Whether to send it requests",
      answers: [.ok("Do.", .json("Health"))]),
    Operation(
      method: .get, path: "/metrics", id: "getMetrics", summary: "Figures of the server, for Prometheus",
      answers: [.ok("Prometheus' text format, version 0.0.4.", Operation.Content(type: "text/plain", schema: nil))],
      problems: [.unauthorized, .tooManyRequests], needsToken: true),
    Operation(
      method: .get, path: "/prompt.schema.json", id: "getDefinitionSchema",
      summary: "The format of prompt definitions, as JSON Schema", parameters: ["ifNoneMatch"],
      answers: [
        .ok(
          "A JSON Schema, draft 2020-12.", Operation.Content(type: "application/schema+json", schema: "Schema"),
          headers: ["ETag"]), .notModified,
      ]),
    Operation(
      method: .get, path: "/openapi.json", id: "getOpenAPI", summary: "This document", parameters: ["ifNoneMatch"],
      answers: [.ok("An OpenAPI 3.1 document.", .json("Document"), headers: ["ETag"]), .notModified]),
  ]
}
