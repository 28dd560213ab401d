internal import MicroHTTP
internal import StrictJSON

/// One operation of the HTTP API, as OpenAPI 3.1 describes it.
struct Operation {
  let method: Method
  /// In OpenAPI's notation: `/prompts/{name}`.
  let path: String
  /// Unique in the document.
  let id: String
  let summary: String
  /// What the summary leaves out; nil: nothing.
  var details: String?
  /// Names in `components/parameters`.
  var parameters: [String] = []
  var body: [Content] = []
  let answers: [Answer]
  /// What can go wrong here besides `Problem.anywhere`.
  var problems: [Status] = []
  var needsToken = false
  /// What this server will ask of others in turn, as a JSON object of Callback Objects; nil: nothing.
  var callbacks: String?
}

extension Operation {
  /// A body of one media type.
  struct Content {
    let type: String
    /// A name in `components/schemas`; nil: no more than the media type says.
    let schema: String?
    /// By name; a request's example and the answer's of the same name belong together.
    var examples: [(name: String, json: String)] = []

    static let page = Content(type: "text/html", schema: nil)

    static func json(_ schema: String, _ examples: (name: String, json: String)...) -> Content {
      Content(type: "application/json", schema: schema, examples: examples)
    }

    static func form(_ schema: String, _ examples: (name: String, json: String)...) -> Content {
      Content(type: "application/x-www-form-urlencoded", schema: schema, examples: examples)
    }
  }

  /// What a status says and carries.
  struct Answer {
    let status: Status
    let description: String
    var content: [Content] = []
    /// Names in `components/headers`; each is always there.
    var headers: [String] = []
    /// Other operations that take something from this answer, as a JSON object; nil: none.
    var links: String?

    static func ok(_ description: String, _ content: Content..., headers: [String] = []) -> Answer {
      Answer(status: .ok, description: description, content: content, headers: headers)
    }

    static let notModified = Answer(
      status: .notModified, description: "As before: what “If-None-Match” names is current.", headers: ["ETag"])

    static let seeOther = Answer(
      status: .seeOther, description: "To who asks for HTML: the page that says so.", headers: ["Location"])
  }
}

extension JSONWriter {
  /// An Operation Object (OpenAPI 3.1.1, section 4.8.10).
  mutating func value(_ operation: Operation) {
    object { json in
      json.member("operationId", operation.id)
      json.member("summary", operation.summary)
      json.member("description", ifPresent: operation.details)
      if operation.needsToken { json.member("security") { $0.literal(#"[{"token":[]}]"#) } }
      if !operation.parameters.isEmpty {
        json.member("parameters") { $0.array(operation.parameters) { $0.reference("parameters", $1) } }
      }
      if !operation.body.isEmpty {
        json.member("requestBody") { json in
          json.object { json in
            json.member("required", true)
            json.content(operation.body)
          }
        }
      }
      json.member("responses") { json in
        json.object { json in
          for answer in operation.answers { json.member(String(answer.status.rawValue)) { $0.value(answer) } }
          for status in operation.problems + Problem.anywhere {
            json.member(String(status.rawValue)) { $0.reference("responses", Problem.component(status)) }
          }
        }
      }
      if let callbacks = operation.callbacks { json.member("callbacks") { $0.literal(callbacks) } }
    }
  }

  private mutating func value(_ answer: Operation.Answer) {
    object { json in
      json.member("description", answer.description)
      if !answer.headers.isEmpty { json.headers(answer.headers) }
      if !answer.content.isEmpty { json.content(answer.content) }
      if let links = answer.links { json.member("links") { $0.literal(links) } }
    }
  }

  mutating func content(_ content: [Operation.Content]) {
    member("content") { json in
      json.object { json in
        for entry in content {
          json.member(entry.type) { json in
            json.object { json in
              if let schema = entry.schema { json.member("schema") { $0.reference("schemas", schema) } }
              if !entry.examples.isEmpty { json.examples(entry.examples) }
            }
          }
        }
      }
    }
  }

  private mutating func examples(_ examples: [(name: String, json: String)]) {
    member("examples") { json in
      json.object { json in
        for example in examples {
          json.member(example.name) { $0.object { $0.member("value") { $0.literal(example.json) } } }
        }
      }
    }
  }

  mutating func headers(_ names: [String]) {
    member("headers") { json in
      json.object { json in
        for name in names { json.member(name) { $0.reference("headers", name) } }
      }
    }
  }

  /// `{"$ref": …}` to a component.
  private mutating func reference(_ kind: String, _ name: String) {
    object { $0.member("$ref", "#/components/\(kind)/\(name)") }
  }
}
