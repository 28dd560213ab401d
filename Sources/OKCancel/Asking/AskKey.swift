internal import Asks
internal import Foundation
internal import Prompts
internal import StrictJSON

/// A key of an ask: how the body of `POST /asks` has it. The OpenAPI document and the tool of agents have the same keys.
struct AskKey: Sendable {
  let name: String
  /// Its value in a question that Swift asks, as JSON, or `nil` if that says nothing.
  var written: @Sendable (Question) throws -> [UInt8]? = { _ in nil }
  /// Reads what the ask keeps of it, or `nil` if `AskReader` reads it as a part of the prompt.
  var read: (@Sendable (JSON, Node, inout Reading) -> Change?)?

  /// What a value changes in an ask. It throws what is wrong beside the value's form.
  typealias Change = @Sendable (inout AskDraft, AskReader) throws(Problem) -> Void

  static let all: [AskKey] = [
    AskKey(name: "prompt") { if case .offered(let name) = $0.source { JSON.string(name).bytes } else { nil } },
    AskKey(name: "definition") { question in
      guard case .prompt(let prompt) = question.source else { return nil }
      var json = JSONWriter()
      prompt.writeDefinition(to: &json)
      return json.bytes
    },
    AskKey(name: "schema"), AskKey(name: "title"), AskKey(name: "message"),
    AskKey(name: "context") { $0.context.isEmpty ? nil : JSON.array($0.context.map(\.json)).bytes },
    AskKey(name: "values") { question in
      if question.values.isEmpty { return nil }
      return JSONWriter.object { json in
        for (name, input) in question.values.sorted(by: { $0.key < $1.key }) { json.member(name) { $0.value(input) } }
      }
    },
    AskKey(
      name: "expiresIn",
      written: { JSON.number("\(($0.expiresIn + .nanoseconds(999_999_999)).components.seconds)").bytes }
    ) { _, node, reading in
      guard let seconds = reading.count(node, "expiresIn", in: 1...31_622_400) else { return nil }
      return { draft, _ in draft.expiresIn = .seconds(seconds) }
    },
    AskKey(
      name: "callback", written: { $0.callback.map { JSON.string($0.absoluteString).bytes } }
    ) { _, node, reading in
      guard let text = reading.string(node, "callback") else { return nil }
      return { draft, reader throws(Problem) in draft.terms.callback = try reader.callback(text) }
    },
    AskKey(
      name: "metadata",
      written: { question in
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try question.metadata.map { Array(try encoder.encode($0)) }
      }
    ) { json, node, reading in
      _ = reading.entries(node, as: "`metadata`", remedy: #"write it like `{"ticket": 42}`"#)
      return { draft, _ throws(Problem) in draft.terms.metadata = try AskReader.metadata(json) }
    },
    AskKey(name: "language") { $0.language.map { JSON.string($0).bytes } },
  ]

  static let names = all.map(\.name)
}
