internal import Foundation
internal import Prompts
internal import StrictJSON

/// A key of an ask: how the body of `POST /asks` has it. The OpenAPI document and the tool of agents have the same keys.
struct AskKey: Sendable {
  let name: String
  /// Its value in a question that Swift asks, as JSON, or `nil` if that says nothing.
  var written: @Sendable (Question) throws -> [UInt8]? = { _ in nil }
  /// Reads its value, which is not left out.
  let read: @Sendable (_ json: JSON, _ node: Node, _ reading: inout Reading, _ parts: inout AskParts) -> Void

  static let all: [AskKey] = [
    AskKey(name: "prompt", written: { if case .offered(let name) = $0.source { JSON.string(name).bytes } else { nil } })
    { $3.prompt = $2.string($1, "prompt") },
    AskKey(
      name: "definition",
      written: { question in
        guard case .prompt(let prompt) = question.source else { return nil }
        var json = JSONWriter()
        prompt.writeDefinition(to: &json)
        return json.bytes
      }
    ) { $3.definition = $1 },
    AskKey(name: "schema") { $3.schema = $1 },
    AskKey(name: "title") { $3.title = $2.string($1, "title") },
    AskKey(name: "message") { $3.message = $2.string($1, "message") },
    AskKey(name: "context", written: { $0.context.isEmpty ? nil : JSON.array($0.context.map(\.json)).bytes }) {
      $3.context = $1
    },
    AskKey(
      name: "values",
      written: { question in
        if question.values.isEmpty { return nil }
        return JSONWriter.object { json in
          for (name, input) in question.values.sorted(by: { $0.key < $1.key }) { json.member(name) { $0.value(input) } }
        }
      }
    ) { $3.values = ($0, $1) },
    AskKey(
      name: "expiresIn",
      written: { JSON.number("\(($0.expiresIn + .nanoseconds(999_999_999)).components.seconds)").bytes }
    ) { $3.expiresIn = $2.count($1, "expiresIn", in: 1...31_622_400).map { .seconds($0) } },
    AskKey(name: "callback", written: { $0.callback.map { JSON.string($0.absoluteString).bytes } }) {
      $3.callback = $2.string($1, "callback")
    },
    AskKey(
      name: "metadata",
      written: { question in
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try question.metadata.map { Array(try encoder.encode($0)) }
      }
    ) { json, node, reading, parts in
      _ = reading.entries(node, as: "`metadata`", remedy: #"write it like `{"ticket": 42}`"#)
      parts.metadata = json
    },
    AskKey(name: "language", written: { $0.language.map { JSON.string($0).bytes } }) {
      $3.language = $2.language($1, "language")
    },
  ]

  static let names = all.map(\.name)
}

/// The keys of a request for an ask, before anybody checks whether they fit together.
struct AskParts: Sendable {
  var prompt, title, message, callback: String?
  var definition, schema, context: Node?
  var values: (json: JSON, node: Node)?
  var language: Language?
  var expiresIn: Duration?
  var metadata: JSON?
}
