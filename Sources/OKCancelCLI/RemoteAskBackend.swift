internal import MCP
internal import OKCancel
internal import StrictJSON

/// Asks through a server elsewhere, by its own `POST /mcp`: it reads the arguments, and says what is wrong with them.
struct RemoteAskBackend: AskBackend {
  let client: Client

  func perform(_ work: Work) async -> Event {
    do {
      switch work {
      case .make(.object(let members), let key):
        // Of a definition the tool has the members themselves.
        var arguments = members.flatMap { member -> [JSON.Member] in
          if member.key == "definition", case .object(let members) = member.value { members } else { [member] }
        }
        if let key { arguments.append(.init("key", .string(key.digest))) }
        return try await ask("ask_person", arguments + [.init("wait", .number("0"))])
      case .make: return .refused("An ask is an object.")
      case .look(let id, let seconds):
        // A request may be cut off by a proxy after a minute.
        return try await ask(
          "ask_outcome", [.init("id", .string(id)), .init("wait", .number(String(min(seconds, 50))))])
      case .withdraw(let id): return try await ask("withdraw_ask", [.init("id", .string(id))])
      case .releaseKey: return .keyReleased
      case .list:
        let result = try await call("list_prompts", [])
        return result.text.map(Event.refused) ?? .prompts(result.structured?["prompts"] ?? .array([]))
      }
    } catch {
      return .refused("The server cannot be asked: \(error).")
    }
  }

  private func ask(_ tool: String, _ arguments: [JSON.Member]) async throws -> Event {
    let result = try await call(tool, arguments)
    if let text = result.text { return .refused(text) }
    guard let ask = result.structured, case .string(let id)? = ask["id"] else {
      throw Client.Fault.notUnderstood("there is no id")
    }
    var state = AskState(id: id)
    if case .string(let link)? = ask["link"] { state.link = link }
    if case .string(let moment)? = result.meta?["okcancel/createdAt"] { state.createdAt = moment }
    if case .bool(let isNew)? = result.meta?["okcancel/isNew"] { state.isNew = isNew }
    if case .string("closed")? = ask["status"] { state.closed = ask }
    return .ask(state)
  }

  /// - Returns: `text` is what is wrong, or `nil` if nothing is.
  private func call(
    _ tool: String, _ arguments: [JSON.Member]
  ) async throws -> (structured: JSON?, meta: JSON?, text: String?) {
    var json = JSONWriter()
    json.object { json in
      json.member("jsonrpc", "2.0")
      json.member("id", 1)
      json.member("method", "tools/call")
      json.member("params", .object([.init("name", .string(tool)), .init("arguments", .object(arguments))]))
    }
    // Again for a while if it is away, as when it restarts.
    let response = try await client.send("POST", "/mcp", json.bytes, retryingFor: .seconds(10))
    if case .string(let message)? = response["error"]?["message"] { return (nil, nil, message) }
    let result = response["result"]
    guard case .bool(true)? = result?["isError"] else {
      return (result?["structuredContent"], result?["_meta"], nil)
    }
    guard case .array(let content)? = result?["content"], case .string(let text)? = content.first?["text"] else {
      throw Client.Fault.notUnderstood("there is no text")
    }
    return (nil, nil, text)
  }
}
