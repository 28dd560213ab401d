internal import Prompts

/// A coding agent that calls hooks: whose events are read, and whose decisions are written.
package enum HookHost: String, CaseIterable, Sendable {
  case claude, codex, copilot

  /// The name that its users know it by.
  package var name: String {
    switch self {
    case .claude: "Claude Code"
    case .codex: "Codex"
    case .copilot: "Copilot"
    }
  }

  /// The line of a log on what nobody was asked.
  func unasked(_ tool: String, _ why: String) -> String { "nobody was asked for \(name) (\(tool)): \(why)" }

  /// The line of a log on what nobody was offered.
  func unoffered(_ tool: String, _ why: String) -> String {
    "a permission that \(name) suggested (\(tool)) was not offered: \(why)"
  }

  /// Seconds that a hook waits for a person, unless it is told otherwise.
  package static let timeout = 590
  /// Seconds that a host waits longer than its hook, which needs a moment to start and to end.
  private static let margin = 10

  // MARK: Settings

  /// The events that ask a person, and those that only say that nobody needs to be asked any more.
  private var events: (asking: [String], ending: [String]) {
    switch self {
    case .claude:
      (
        ["PermissionRequest", "Elicitation"],
        [
          "PostToolUse", "PostToolUseFailure", "PermissionDenied", "Stop", "SubagentStop", "UserPromptSubmit",
          "SessionEnd",
        ]
      )
    case .codex: (["PermissionRequest"], ["PostToolUse", "Stop", "UserPromptSubmit"])
    case .copilot:
      (
        ["permissionRequest"],
        ["postToolUse", "postToolUseFailure", "agentStop", "userPromptSubmitted", "sessionEnd"]
      )
    }
  }

  /// The file that the settings belong in.
  package var settingsFile: String {
    switch self {
    case .claude: "~/.claude/settings.json"
    case .codex: "~/.codex/hooks.json"
    case .copilot: "~/.copilot/hooks/okcancel.json"
    }
  }

  /// The settings that make the host call this command, as the lines of a JSON file.
  ///
  /// - Parameter timeout: seconds that the command waits for a person.
  package func settings(command: String, timeout: Int) -> String {
    let (asking, ending) = events
    let entries =
      asking.map { ($0, handler(command, timeout + Self.margin, asks: true)) }
      + ending.map { ($0, handler(command, Self.margin, asks: false)) }
    let lines = entries.map { #"    "\#($0)": [\#(String(decoding: $1.bytes, as: UTF8.self))]"# }
    let version = self == .copilot ? "\n  \"version\": 1," : ""
    return "{\(version)\n  \"hooks\": {\n\(lines.joined(separator: ",\n"))\n  }\n}"
  }

  private func handler(_ command: String, _ timeout: Int, asks: Bool) -> JSON {
    let timeout = JSON.number("\(timeout)")
    if self == .copilot {
      // It calls the hook before its own rules, for nearly everything: only for what changes something.
      let matcher: JSON? = asks ? "bash|powershell|create|edit|web_fetch" : nil
      return ["type": "command", "bash": .string(command), "timeoutSec": timeout, "matcher": matcher]
    }
    return ["hooks": [["type": "command", "command": .string(command), "timeout": timeout]]]
  }
}
