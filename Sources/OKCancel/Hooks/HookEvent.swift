internal import Crypto
internal import Platform
package import Prompts

/// An event of a coding agent, as far as people are concerned.
///
/// The shapes are those of the hosts' documentation: see Documentation/hooks.md, and the fixtures in Tests/Hooks.
package enum HookEvent: Sendable {
  /// A person is to be asked.
  case question(HookQuestion)
  /// A call is over: nobody needs to be asked about it any more.
  case over(HookCall, HookCall.End)
  /// An agent has stopped, or with it all of its session: nobody needs to be asked about any of their calls.
  case stopped(HookCall.Agent, withSubagents: Bool)

  /// The most bytes of an event. After a call it holds the result too, which is not read.
  package static let limit = 4 << 20

  /// For an event: what is read of it has at most 256 KiB.
  package static let jsonLimits: JSONLimits = {
    var limits = inputLimits
    limits.members = [
      "hook_event_name", "session_id", "sessionId", "agent_id", "cwd", "tool_name", "toolName", "tool_input",
      "toolArgs", digestOfInput, "mode", "mcp_server_name", "message", "requested_schema",
      Field.suggestions,
    ]
    return limits
  }()

  /// For a tool's input that is written as a text.
  private static let inputLimits: JSONLimits = {
    var limits = JSONLimits(depth: 64, keys: 256, string: 256 * 1024)
    limits.key = 16 * 1024
    return limits
  }()

  /// The member that stands for a tool's input in an event that our command has passed on.
  private static let digestOfInput = "tool_input_digest"

  /// Reads an event; or `nil` if it concerns nobody, or is not as this host writes it.
  ///
  /// - Parameter unasked: called if it asks what nobody can be asked, or suggests what nobody can be offered, with a line
  ///   that says why.
  package init?(_ json: JSON, from host: HookHost, unasked: (_ line: String) -> Void = { _ in }) {
    guard let event = Members(json, of: host) else {
      unasked("an event of \(host.name) cannot be read; nobody was asked")
      return nil
    }
    switch event.name {
    case "PermissionRequest",
      "Elicitation" where host == .claude:
      do throws(PlainError) {
        let isForm = event.name == "Elicitation"
        self = .question(
          try isForm
            ? HookQuestion(ofForm: event)
            : HookQuestion(ofCall: event) { unasked(host.unoffered(event.tool ?? event.name, $0)) })
      } catch {
        unasked(host.unasked(event.tool ?? event.name, error.description))
        return nil
      }
    case "PostToolUse", "PostToolUseFailure", "PermissionDenied":
      guard let call = event.call else { return nil }
      let ends: [String: HookCall.End] = [
        "PermissionDenied": .refused, "PostToolUseFailure": .failed,
        // A host that reports no failure says so of both.
        "PostToolUse": host == .codex ? .made : .done,
      ]
      self = .over(call, ends[event.name] ?? .made)
    case "Stop", "StopFailure", "SubagentStop": self = .stopped(event.agent, withSubagents: false)
    case "UserPromptSubmit", "SessionEnd": self = .stopped(event.agent, withSubagents: true)
    default: return nil
    }
  }

  /// The event without what else the agent would like to be allowed.
  package static func withoutSuggestions(_ json: JSON) -> JSON {
    guard case .object(let members) = json else { return json }
    return .object(members.filter { $0.key != Field.suggestions })
  }

  /// The event as it leaves the machine that the agent works on. If it asks nobody, that is only what it is about: not what
  /// a tool was given or returned, nor what anybody wrote.
  package func passedOn(_ json: JSON, from host: HookHost) -> [UInt8] {
    if case .question(let question) = self {
      let read = Self.withoutSuggestions(json).members.filter {
        Self.jsonLimits.members?.contains($0.key) == true
      }
      let suggestions = JSON.Member(Field.suggestions, .array(question.suggestions.map(\.json)))
      return JSON.object(read + (question.suggestions.isEmpty ? [] : [suggestions])).bytes
    }
    guard let event = Members(json, of: host) else { return [] }
    let about: JSON = [
      "hook_event_name": .string(event.name), "session_id": .string(event.agent.session),
      "agent_id": event.agent.subagent.map(JSON.string), "tool_name": event.call.map { .string($0.tool) },
      Self.digestOfInput: event.call.map { .string($0.digest) },
    ]
    return about.bytes
  }
}

extension HookEvent {
  /// The members of an event, by the names that Claude Code has for them.
  struct Members {
    let name: String
    let agent: HookCall.Agent
    /// The folder that the agent works in, or `nil` if the event does not say.
    let folder: String?
    /// The tool and its input; `nil` for events that are not about a call.
    let tool: String?
    let input: JSON?
    let json: JSON

    /// `nil` if a member that every event has is missing, or not what it should be.
    init?(_ json: JSON, of host: HookHost) {
      // Half a surrogate pair cannot be shown.
      guard json.pointerToIllFormedString == nil else { return nil }
      let isCamelCase = host == .copilot && json["hook_event_name"] == nil
      guard let name = isCamelCase ? Self.name(ofCopilot: json) : json.text("hook_event_name"),
        let session = json.text(isCamelCase ? "sessionId" : "session_id"), !session.isEmpty
      else { return nil }
      for key in ["cwd", "agent_id"] where json[key] != nil && json.text(key) == nil { return nil }
      self.name = name
      agent = HookCall.Agent(host: host, session: session, subagent: json.text("agent_id"))
      folder = json.text("cwd")
      tool = json.text(isCamelCase ? "toolName" : "tool_name")
      var input = json[isCamelCase ? "toolArgs" : "tool_input"]
      if host == .copilot, case .string(let text)? = input {
        input = try? JSON(parsing: Array(text.utf8), limits: HookEvent.inputLimits)
        if input?.pointerToIllFormedString != nil { return nil }
      }
      self.input = input
      self.json = json
    }

    /// Copilot's events do not say which they are, unless they are set up under their names in Pascal case.
    private static func name(ofCopilot json: JSON) -> String? {
      if json["stopReason"] != nil { return "Stop" }
      guard json["toolName"] != nil else {
        return json["prompt"] != nil ? "UserPromptSubmit" : json["reason"] != nil ? "SessionEnd" : nil
      }
      return json["toolResult"] != nil
        ? "PostToolUse" : json["error"] != nil ? "PostToolUseFailure" : "PermissionRequest"
    }

    /// The call that the event is about, or `nil` if it is about none.
    var call: HookCall? {
      guard let tool, !Reading.isBlank(tool) else { return nil }
      if input == nil, let digest = json.text(HookEvent.digestOfInput), digest.consists(of: "0-9a-f") {
        return HookCall(agent: agent, tool: tool, digest: digest)
      }
      guard case .object? = input, let input else { return nil }
      return HookCall(agent, tool, input)
    }
  }
}

extension JSON {
  /// The same value with the members of objects in the order of their names.
  private var sorted: JSON {
    switch self {
    case .array(let elements): .array(elements.map(\.sorted))
    case .object(let members):
      .object(
        members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { Member($0.key, $0.value.sorted) })
    default: self
    }
  }

  /// Hexadecimal digits that stand for this value, whatever the order of its members.
  package var digest: String { SHA256.hash(data: sorted.bytes).prefix(16).hexadecimal }
}
