internal import StrictJSON

/// A call of a tool by a coding agent. Events about it have no identifier in common, so it is known by what it says.
package struct HookCall: Sendable {
  /// A session of a host, or a subagent in it.
  package struct Agent: Sendable {
    let host: HookHost
    let session: String
    /// `nil` for the session's own.
    let subagent: String?

    /// - Parameter asker: the name of the program that passes the events on, or `nil` if it has none.
    func digest(for asker: String?) -> String {
      JSON.array([asker, host.rawValue, session, subagent].map { $0.map(JSON.string) ?? .null }).digest
    }
  }

  let agent: Agent
  let tool: String
  /// Of the tool and its input.
  let digest: String

  init(_ agent: Agent, _ tool: String, _ input: JSON) {
    self.agent = agent
    self.tool = tool
    // The description says what the model says of a command. Codex leaves it out once the command has run. The answers to
    // questions come in only then.
    let said = input["command"] != nil ? ["description"] : tool == HookQuestion.questionTool ? ["answers"] : []
    let meant = input.members.filter { !said.contains($0.key) }
    digest = JSON.array([.string(tool), .object(meant)]).digest
  }

  /// The call as `AskTerms.hook` has it.
  func key(for asker: String?) -> String { "\(agent.digest(for: asker))/\(digest)" }
}
