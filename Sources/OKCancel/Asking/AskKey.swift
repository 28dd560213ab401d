internal import Foundation
internal import Prompts

/// A key of an ask, as the body of `POST /asks` has it. The OpenAPI document and the tool of agents have the same keys.
struct AskKey: Sendable {
  let name: String
  /// Its value in a question that Swift asks, or `nil` if that says nothing; its prompt stands elsewhere.
  var said: @Sendable (Question) throws -> JSON? = { _ in nil }
  /// Reads its value, which is not left out.
  let read: @Sendable (_ json: JSON, _ node: Node, _ reading: inout Reading, _ parts: inout AskParts) -> Void

  static let all: [AskKey] = [
    AskKey(name: "prompt") { $3.prompt = $2.string($1, "prompt") },
    AskKey(name: "definition") { $3.definition = $1 },
    AskKey(name: "schema") { $3.schema = $1 },
    AskKey(name: "title") { $3.title = $2.string($1, "title") },
    AskKey(name: "message") { $3.message = $2.string($1, "message") },
    AskKey(name: "context", said: { $0.context.isEmpty ? nil : .array($0.context.map(\.json)) }) { $3.context = $1 },
    AskKey(
      name: "values", said: { $0.values.entries.isEmpty ? nil : $0.values.json }
    ) { $3.values = ($0, $1) },
    AskKey(
      name: "expiresIn", said: { .number("\(($0.timeout + .nanoseconds(999_999_999)).components.seconds)") }
    ) { $3.expiresIn = $2.count($1, "expiresIn", in: 1...Int(longestExpiry.components.seconds)).map { .seconds($0) } },
    AskKey(name: "callback", said: { ($0.callback?.absoluteString).map(JSON.string) }) {
      $3.callback = $2.string($1, "callback")
    },
    AskKey(
      name: "metadata",
      said: { question in
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try question.metadata.map { try JSON(parsing: Array(encoder.encode($0)), limits: .file) }
      }
    ) { json, node, reading, parts in
      _ = reading.entries(node, as: "`metadata`", remedy: FaultRow("write-metadata"))
      parts.metadata = json
    },
    AskKey(name: "language", said: { $0.language.map(JSON.string) }) { $3.language = $2.language($1, "language") },
    AskKey(name: "for", said: { $0.for.isEmpty ? nil : .strings($0.for) }) { $3.only = $1 },
    AskKey(name: "notBy", said: { $0.notBy.isEmpty ? nil : .strings($0.notBy) }) { $3.never = $1 },
    AskKey(name: "notify", said: { $0.notify.map(JSON.strings) }) { $3.notify = $1 },
    AskKey(name: "remindBefore", said: { ($0.remindBefore?.brief).map(JSON.string) }) { $3.remindBefore = $1 },
    AskKey(name: "resultWithin", said: { ($0.resultWithin?.brief).map(JSON.string) }) {
      $3.resultWithin = $2.duration($1, "resultWithin")
    },
    AskKey(name: "requestedBy", said: { $0.requestedBy?.json }) { $3.requestedBy = Person($1, "requestedBy", &$2) },
    AskKey(name: "person", said: { $0.person?.json }) { $3.person = Person($1, "person", &$2) },
  ]

  /// The most time that a person has to answer: 366 days.
  static let longestExpiry: Duration = .seconds(31_622_400)

  static let names = all.map(\.name)
}

/// The keys of a request for an ask, before anybody checks whether they fit together.
struct AskParts: Sendable {
  var prompt, title, message, callback: String?
  /// A prompt of this program, instead of one to be found or read.
  var given: Prompt?
  var definition, schema, context, only, never, notify, remindBefore: Node?
  var requestedBy, person: Person?
  var values: (json: JSON, node: Node)?
  var language: Language?
  var expiresIn, resultWithin: Duration?
  var metadata: JSON?
}
