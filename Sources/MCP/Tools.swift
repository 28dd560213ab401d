internal import Prompts
internal import StrictJSON

/// The tools that a model calls, as `Tools.json` describes them: it decides by these texts alone when to call which, and
/// with what.
enum Tool: String, CaseIterable {
  case askPerson = "ask_person"
  case askOutcome = "ask_outcome"
  case withdrawAsk = "withdraw_ask"
  case listPrompts = "list_prompts"

  static let file: JSON = {
    do { return try JSON(parsing: EmbeddedFiles.bytes(of: "MCP/Tools.json") ?? [], limits: .file) } catch {
      preconditionFailure("Tools.json is not JSON: \(error)")
    }
  }()

  /// What a model reads before it knows the tools.
  static let instructions = file.text("instructions") ?? ""

  /// The arguments that each takes.
  private static let arguments: [String: [String]] = {
    var arguments: [String: [String]] = [:]
    for tool in file["tools"]?.elements ?? [] {
      arguments[tool.text("name") ?? ""] = tool["inputSchema"]?["properties"]?.members.map(\.key)
    }
    return arguments
  }()

  var arguments: [String] { Self.arguments[rawValue] ?? [] }

  /// The result of `tools/list`: the array of tools.
  ///
  /// - Parameter tasks: whether `ask_person` says that it can be a task (2025-11-25).
  static func list(tasks: Bool) -> JSON {
    .array(
      (file["tools"]?.elements ?? []).map { tool in
        var members = tool.members
        // That of an ask, which several tools return, stands in the file once.
        for place in members.indices where members[place].key == "outputSchema" {
          guard case .string(let name) = members[place].value, let schema = file[name] else { continue }
          members[place] = .init("outputSchema", schema)
        }
        if tasks, tool.text("name") == askPerson.rawValue {
          members.append(.init("execution", ["taskSupport": "optional"]))
        }
        return .object(members)
      })
  }
}

/// What a model did wrong with a tool, and what to send instead.
struct Mistake: Error {
  let text: String
}

/// The arguments of a call, each checked when it is read. Null counts as left out.
struct Arguments {
  let members: [JSON.Member]
  private let map: Mapping
  private let tool: Tool

  init(_ json: JSON?, of tool: Tool) throws(Mistake) {
    let json = json ?? [:]
    let remedy = "send an object, like {\"title\": \"Deploy now?\"}"
    map = try Self.reading {
      $0.mapping(
        Node(json), as: tool.rawValue, keys: tool.arguments, remedy: tool.arguments.isEmpty ? "send none" : remedy)?
        .given
    }
    self.tool = tool
    members = map.keys.compactMap { key in json[key].map { .init(key, $0) } }
  }

  subscript(name: String) -> JSON? { members.first { $0.key == name }?.value }

  /// A text that is not empty.
  func text(_ name: String) throws(Mistake) -> String? {
    try Self.reading { reading -> String?? in
      let text = reading.string(map[name], name)
      if text == "" { reading.report("`\(name)` is empty", "send a text, or leave it out", at: map.place) }
      return text
    }
  }

  func flag(_ name: String) throws(Mistake) -> Bool { try Self.reading { $0.bool(map[name], name) ?? false } }

  /// Seconds to wait, or `nil` if they were left out.
  func wait() throws(Mistake) -> Int? { try Self.reading { .some($0.count(map["wait"], "wait", in: 0...3600)) } }

  /// The id of an ask.
  func id() throws(Mistake) -> String {
    try Self.reading { $0.string("id", in: map, of: tool.rawValue, remedy: "send the one that ask_person returned") }
  }

  private static func reading<Value>(_ read: (inout Reading) -> Value?) throws(Mistake) -> Value {
    var reading = Reading(limits: .request(.form))
    do throws(InlineFaults) { return try reading.whole(read) } catch {
      throw Mistake(text: error.entries.first?.sentence ?? "")
    }
  }
}

/// The arguments of `ask_person`.
struct AskArguments {
  static let names = prompt + schema + ask + ofTheCall
  /// What a definition says.
  private static let prompt = ["title", "message", "fields", "ok", "cancel", "buttons"]
  private static let schema = ["schema", "prompt"]
  /// What goes beside it into the body of `POST /asks`.
  private static let ask = ["values", "context", "expiresIn", "language", "metadata"]
  private static let ofTheCall = ["wait", "key", "withdrawIfCancelled"]

  /// What `POST /asks` takes.
  let body: JSON
  /// What the person is told that it is about.
  let title: String
  /// `nil` if it was left out.
  let wait: Int?
  let key: String?
  let withdrawsIfCancelled: Bool
  /// What is asked, byte by byte: the same question has the same.
  let fingerprint: [UInt8]

  init(_ arguments: Arguments) throws(Mistake) {
    (wait, key) = (try arguments.wait(), try arguments.text("key"))
    withdrawsIfCancelled = try arguments.flag("withdrawIfCancelled")
    let given = arguments.members
    func taken(_ names: [String]) -> [JSON.Member] { given.filter { names.contains($0.key) } }
    let definition = taken(Self.prompt)
    var body: [JSON.Member]
    switch (arguments["prompt"], arguments["schema"]) {
    case (.some, .some):
      throw Mistake(text: "`prompt` and `schema` both say what to fill in; keep one of them.")
    case (let prompt?, nil):
      if let other = definition.first {
        throw Mistake(
          text: "`prompt` names a whole prompt, with its own title and fields; leave `\(other.key)` out, or `prompt`.")
      }
      body = [.init("prompt", prompt)]
    case (nil, let schema?):
      guard case .object = schema else {
        throw Mistake(
          text: "`schema` is \(schema.kindInWords); send the JSON Schema itself, as an object and not as a string.")
      }
      if arguments["fields"] != nil {
        throw Mistake(text: "`schema` and `fields` both say what to fill in; keep one of them.")
      }
      if let button = definition.first(where: { !["title", "message"].contains($0.key) }) {
        throw Mistake(
          text: "`\(button.key)` goes with `fields`; leave it out, or write `fields` instead of a `schema`.")
      }
      body = [.init("schema", schema)] + definition
    case (nil, nil):
      guard arguments["title"] != nil else {
        throw Mistake(
          text: "Say what to ask: a `title`, and `fields` or a `schema` if there is something to fill in; "
            + "or the name of a `prompt` that list_prompts returned.")
      }
      body = [.init("definition", .object(definition))]
    }
    title = (try? arguments.text("title")) ?? arguments["schema"]?.text("title") ?? "a question"
    body += taken(Self.ask)
    self.body = try Self.limited(.object(body))
    let asked = given.filter { !Self.ofTheCall.contains($0.key) }.sorted { $0.key < $1.key }
    var json = JSONWriter()
    json.value(.object(asked))
    fingerprint = json.bytes
  }
}

extension AskArguments {
  /// Bytes that a body of `POST /asks` may have.
  private static let limit = 64 * 1024

  private static func limited(_ body: JSON) throws(Mistake) -> JSON {
    var json = JSONWriter()
    json.value(body)
    guard json.bytes.count <= limit else {
      throw Mistake(text: "These arguments have \(json.bytes.count) bytes; keep to \(limit), and link to the rest.")
    }
    do throws(JSONFault) { return try JSON(parsing: json.bytes) } catch {
      throw Mistake(text: "These arguments cannot be read: \(error.sentence).")
    }
  }
}
