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
        var json = JSONWriter()
        let inputs = Inputs(question.values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        json.value(inputs.values(of: question.fields))
        return json.bytes
      }
    ) { $3.values = ($0, $1) },
    AskKey(
      name: "expiresIn",
      written: { JSON.number("\(($0.expiresIn + .nanoseconds(999_999_999)).components.seconds)").bytes }
    ) { $3.expiresIn = $2.count($1, "expiresIn", in: 1...Int(longestExpiry.components.seconds)).map { .seconds($0) } },
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
    AskKey(name: "for", written: { $0.for.isEmpty ? nil : JSON.strings($0.for).bytes }) { $3.only = $1 },
    AskKey(name: "notBy", written: { $0.notBy.isEmpty ? nil : JSON.strings($0.notBy).bytes }) { $3.never = $1 },
    AskKey(name: "notify", written: { $0.notify.map { JSON.strings($0).bytes } }) { $3.notify = $1 },
    AskKey(name: "remindBefore", written: { $0.remindBefore.map { JSON.string($0.brief).bytes } }) {
      $3.remindBefore = $1
    },
    AskKey(name: "requestedBy", written: { $0.requestedBy.map { $0.json.bytes } }) {
      $3.requestedBy = Person($1, "requestedBy", &$2)
    },
    AskKey(name: "person", written: { $0.person.map { $0.json.bytes } }) { $3.person = Person($1, "person", &$2) },
  ]

  /// The most time that a person has to answer: 366 days.
  static let longestExpiry: Duration = .seconds(31_622_400)

  static let names = all.map(\.name)
}

/// The keys of a request for an ask, before anybody checks whether they fit together.
struct AskParts: Sendable {
  var prompt, title, message, callback: String?
  var definition, schema, context, only, never, notify, remindBefore: Node?
  var requestedBy, person: Person?
  var values: (json: JSON, node: Node)?
  var language: Language?
  var expiresIn: Duration?
  var metadata: JSON?
}
