internal import Base
internal import Prompts
internal import StrictJSON

/// The tools that a model calls, as `Tools.json` describes them. A model knows only these descriptions when it decides
/// which tool to call, when and with which arguments.
enum Tool: String, CaseIterable {
  case askPerson = "ask_person"
  case askOutcome = "ask_outcome"
  case withdrawAsk = "withdraw_ask"
  case listPrompts = "list_prompts"

  static let file: JSON = {
    do { return try JSON(parsing: EmbeddedFiles.bytes(of: "Sources/MCP/Tools.json"), limits: .file) } catch {
      preconditionFailure("Tools.json is not JSON: \(error)")
    }
  }()

  /// The instructions that a model reads before it knows the tools.
  static let instructions = file.text("instructions") ?? ""

  /// The tool in the file.
  private var description: JSON { Self.file["tools"]?.elements.first { $0.text("name") == rawValue } ?? [:] }

  /// The arguments that it takes.
  var arguments: [String] { description["inputSchema"]?["properties"]?.members.map(\.key) ?? [] }

  /// Arguments as its schema has them.
  fileprivate func read(_ arguments: JSON) -> JSON {
    guard case .object(let members) = arguments else { return arguments }
    let properties = description["inputSchema"]?["properties"]
    return .object(
      members.map { member in
        let type = properties?[member.key]?.text("type")
        var value = member.value
        if case .string(let text) = value, let read = try? JSON(parsing: Array(text.utf8)), read.isOf(type: type) {
          value = read
        }
        // What comes back as it was sent may hold nulls.
        return .init(member.key, ["values", "metadata"].contains(member.key) ? value : value.withoutNulls)
      })
  }

  /// The result of `tools/list`: the array of tools.
  ///
  /// - Parameter tasks: whether `ask_person` says that it can be a task (2025-11-25).
  static func list(tasks: Bool) -> JSON {
    .array(
      allCases.map { tool in
        let members = tool.description.members.map { member -> JSON.Member in
          // Several tools return an ask; the file has its schema once, under a name.
          guard member.key == "outputSchema", case .string(let name) = member.value else { return member }
          return .init(member.key, file[name] ?? [:])
        }
        return JSON.object(members) + (tasks && tool == .askPerson ? ["execution": ["taskSupport": "optional"]] : [:])
      })
  }
}

/// The arguments of a call. Null counts as left out, and a text that is JSON of the argument's type as that JSON: some
/// hosts fill in every key, and some send what is no string as its text.
struct Arguments {
  let members: [JSON.Member]
  /// The id of an ask; empty for tools that take none.
  let id: String
  /// Seconds to wait, or `nil` if they were left out.
  let wait: Int?
  let key: String?
  let withdrawsIfCancelled: Bool

  init(_ json: JSON?, of tool: Tool) throws(Mistake) {
    let json = tool.read(json ?? [:]), keys = tool.arguments
    var reading = Reading(budget: .form)
    do throws(InlineFaults) {
      (members, id, wait, key, withdrawsIfCancelled) = try reading.whole {
        reading -> ([JSON.Member], String, Int?, String?, Bool)? in
        let remedy = keys.isEmpty ? "send none" : "send an object, like {\"title\": \"Deploy now?\"}"
        guard let map = reading.mapping(Node(json), as: tool.rawValue, keys: keys, remedy: remedy)?.given else {
          return nil
        }
        let returned = "send the one that ask_person returned"
        let id = keys.contains("id") ? reading.string("id", in: map, of: tool.rawValue, remedy: returned) : nil
        let wait = reading.count(map["wait"], "wait", in: 0...3600), key = reading.string(map["key"], "key")
        if key == "" { reading.report(ArgumentFault.emptyKey, at: map.place) }
        let withdraws = reading.bool(map["withdrawIfCancelled"], "withdrawIfCancelled") ?? false
        return (map.keys.compactMap { key in json[key].map { .init(key, $0) } }, id ?? "", wait, key, withdraws)
      }
    } catch {
      throw .arguments(error)
    }
  }

  subscript(name: String) -> JSON? { members.first { $0.key == name }?.value }
}

extension JSON {
  /// True if the value is of a type of JSON Schema other than a string.
  fileprivate func isOf(type: String?) -> Bool {
    switch self {
    case .object: type == "object"
    case .array: type == "array"
    case .number: type == "integer"
    case .bool: type == "boolean"
    case .null, .string, .illFormedString: false
    }
  }

  /// The same without members that are null, at every depth, except where a schema speaks of values.
  fileprivate var withoutNulls: JSON {
    let ofValues = ["const", "default", "enum", "examples"]
    switch self {
    case .array(let elements): return .array(elements.map(\.withoutNulls))
    case .object(let members):
      return .object(
        members.compactMap { member in
          if ofValues.contains(member.key) { return member }
          if case .null = member.value { return nil }
          return .init(member.key, member.value.withoutNulls)
        })
    case .null, .bool, .number, .string, .illFormedString: return self
    }
  }
}

/// The arguments of `ask_person`.
struct AskArguments {
  /// The arguments that make a definition. All others are keys of `POST /asks`, except for those of the call itself.
  static let ofDefinition = ["title", "message", "fields", "ok", "cancel", "buttons"]
  static let ofTheCall = ["wait", "key", "withdrawIfCancelled"]

  /// The body for `POST /asks`.
  let body: JSON
  /// The title that tells the person what it is about.
  let title: String
  /// The bytes of the question: the same question has the same ones.
  let fingerprint: [UInt8]

  init(_ arguments: Arguments) throws(Mistake) {
    let given = arguments.members
    let definition = given.filter { Self.ofDefinition.contains($0.key) }
    let besides = given.filter {
      !(Self.ofDefinition + Self.ofTheCall + ["schema", "prompt"]).contains($0.key)
    }
    let body: [JSON.Member]
    switch (arguments["prompt"], arguments["schema"]) {
    case (.some, .some): throw .askedTwice("prompt", "schema")
    case (let prompt?, nil):
      if let other = definition.first { throw .besidePrompt(other.key) }
      body = [.init("prompt", prompt)]
    case (nil, let schema?):
      guard case .object = schema else { throw .badSchema(schema) }
      if arguments["fields"] != nil { throw .askedTwice("schema", "fields") }
      if let button = definition.first(where: { !["title", "message"].contains($0.key) }) {
        throw .withoutFields(button.key)
      }
      body = [.init("schema", schema)] + definition
    case (nil, nil):
      if arguments["title"] == nil { throw .nothingAsked }
      body = [.init("definition", .object(definition))]
    }
    let titles = [JSON.object(given).text("title"), arguments["schema"]?.text("title")]
    title = titles.compactMap(\.self).first { !$0.isEmpty } ?? "a question"
    self.body = try Self.limited(.object(body + besides))
    let asked = given.filter { !Self.ofTheCall.contains($0.key) }.sorted { $0.key < $1.key }
    fingerprint = JSON.object(asked).bytes
  }

  /// Bytes that a body of `POST /asks` may have.
  private static let limit = 64 * 1024

  private static func limited(_ body: JSON) throws(Mistake) -> JSON {
    let bytes = body.bytes
    guard bytes.count <= limit else { throw .tooManyBytes(bytes.count, limit: limit) }
    do throws(JSONFault) { return try JSON(parsing: bytes) } catch {
      var fault = error
      // A call has these keys beside the others.
      if fault.pointer.hasPrefix("/definition/") { fault.pointer.removeFirst("/definition".count) }
      throw .unreadable(fault)
    }
  }
}
