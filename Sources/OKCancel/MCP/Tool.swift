internal import Prompts

/// The tools that a model calls, as `Tools.json` describes them. A model knows only these descriptions when it decides
/// which tool to call, when and with which arguments.
enum Tool: String, CaseIterable {
  case askPerson = "ask_person"
  case askOutcome = "ask_outcome"
  case withdrawAsk = "withdraw_ask"
  case reportResult = "report_result"
  case listPrompts = "list_prompts"

  static let file: JSON = {
    do { return try JSON(parsing: EmbeddedFiles.bytes(of: "Sources/OKCancel/MCP/Tools.json"), limits: .file) } catch {
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
  func read(_ arguments: JSON) -> JSON {
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

extension JSON {
  /// True if the value is of a type of JSON Schema other than a string.
  func isOf(type: String?) -> Bool {
    switch self {
    case .object: type == "object"
    case .array: type == "array"
    case .number: type == "integer"
    case .bool: type == "boolean"
    case .null, .string, .illFormedString: false
    }
  }

  /// The same without members that are null, at every depth, except where a schema speaks of values.
  var withoutNulls: JSON {
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
