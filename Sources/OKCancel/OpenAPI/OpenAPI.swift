internal import Definitions
internal import MicroHTTP
internal import StrictJSON

/// `/openapi.json`: the HTTP API as an OpenAPI 3.1.1 document.
///
/// Its operations stand in tables beside the schemas that they name; a test holds that the router
/// and these tables have the same routes.
enum OpenAPI {
  static let operations: [Operation] = prompts + verdicts + asks + links + server

  /// The document as UTF-8.
  static let json: [UInt8] = {
    var json = JSONWriter(reserving: 1 << 16)
    json.object { json in
      json.member("openapi", "3.1.1")
      json.member("info") { $0.literal(info) }
      json.member("servers") { $0.literal(#"[{"url":"/","description":"The server that this document came from."}]"#) }
      json.member("tags") { $0.literal(tags) }
      json.member("paths") { $0.paths(operations) }
      json.member("components") { $0.components() }
    }
    return json.bytes
  }()

  private static let info = #"""
    {
      "title": "OKCancel",
      "version": "1",
      "summary": "Asks a person for a value and gives a program back only a valid one.",
      "description": "Every path that answers GET answers HEAD too, and every path answers OPTIONS with `Allow`; any other method is 405. GET gives a page unless `Accept` names application/json, where there is a page. POST gives JSON unless `Accept` names text/html. Errors are problem+json (RFC 9457), or a page for who asks for pages. Bodies are at most 64 KiB; JSON at most 32 levels deep, with 256 keys an object, each once, and strings of 16 KiB; a form has at most 256 pairs. A parameter is sent once.",
      "license": {"name": "Apache 2.0", "identifier": "Apache-2.0"}
    }
    """#

  private static let tags = #"""
    [
      {"name": "prompts", "description": "Dialogs that stand open to all."},
      {"name": "verdicts", "description": "Judging without submitting."},
      {"name": "asks", "description": "What a program does: it asks, waits, reads answers."},
      {"name": "links", "description": "What the person with an ask's link does. Only POST answers; looking changes nothing."},
      {"name": "server", "description": "What machines want to know of the server."}
    ]
    """#
}

extension JSONWriter {
  fileprivate mutating func paths(_ operations: [Operation]) {
    var paths: [String] = []
    for operation in operations where !paths.contains(operation.path) { paths.append(operation.path) }
    object { json in
      for path in paths {
        json.member(path) { json in
          json.object { json in
            for operation in operations where operation.path == path {
              json.member(operation.method.token.lowercased()) { $0.value(operation) }
            }
          }
        }
      }
    }
  }

  fileprivate mutating func components() {
    object { json in
      json.member("securitySchemes") { $0.literal(OpenAPI.securitySchemes) }
      json.member("parameters") { $0.literal(OpenAPI.parameters) }
      json.member("headers") { $0.literal(OpenAPI.headers) }
      json.member("responses") { json in
        json.object { json in
          for problem in OpenAPI.problems {
            json.member(Problem.component(problem.status)) { $0.value(problem) }
          }
        }
      }
      json.member("schemas") { $0.literal(OpenAPI.schemas) }
    }
  }
}
