internal import Prompts

/// A request that waits for something to be done.
struct Call {
  enum Goal: Equatable {
    /// `ask_person`
    case ask
    /// Another tool.
    case other
    /// A request about a task, and its method.
    case task(String)
  }

  let id: ID
  let peer: Peer
  let goal: Goal
  /// The arguments of a tool call, or `nil` for a request about a task.
  var arguments: ToolArguments?
  /// The question's title, for the message that asks the person to open the link.
  var title = "a question"
  var progressToken: JSON?
  /// Seconds left to wait.
  var seconds = 0
  var waited = 0
  /// True if the client gets a task at once, and its result later.
  var isTask = false
  /// The client's reply after its user was asked to open the link (2026-07-28).
  var response: JSON?
  /// The `requestState` that the client gets with the link and sends back with `response`.
  var state: String?
  /// True if the client has sent `state` back, so that there is an ask.
  var isRepeated = false
  /// The ask, once it is known.
  var ask: AskState?
  /// True while the call waits until the person has been told.
  var isParked = false
  /// True if the model has to show the link: nobody else was asked to tell the person.
  var showsLink: Bool
  /// True if `okcancel mcp` passes the call on: it has its own session with the model, and maybe other ways to tell people.
  var isOfOwnCommand = false
  var isCancelled = false

  private static let waiting = "Waiting for the person to answer"

  init(_ id: ID, _ peer: Peer, _ goal: Goal, hostTells: Bool) {
    self.id = id
    self.peer = peer
    self.goal = goal
    showsLink = goal == .ask && !peer.takesURLs && !hostTells
  }

  /// The number of seconds to wait at a time: a client that wants progress notifications gets one every 10 seconds.
  var slice: Int { min(seconds, progressToken == nil ? 50 : 10) }

  var progress: Outgoing? {
    guard let progressToken else { return nil }
    return Outgoing(
      "notifications/progress",
      params: [
        "progressToken": progressToken, "progress": .number(String(waited)), "total": .number(String(waited + seconds)),
        "message": .string(Self.waiting),
      ])
  }

  // MARK: Results

  /// The result of a tool that tells the model what to do instead.
  func mistake(_ text: String) -> Outgoing { respond(["content": [Self.block(text)], "isError": true]) }

  func respond(_ result: JSON = [:], type: String = "complete") -> Outgoing {
    Outgoing(resultOf: id, for: peer, type: type, result)
  }

  func result(of ask: AskState, _ telling: Telling?) -> Outgoing {
    var meta: JSON = ["okcancel/createdAt": .string(ask.createdAt), "okcancel/isNew": .bool(ask.isNew)]
    if ask.isTold { meta = meta + ["okcancel/isTold": true] }
    if case .task = goal { meta = meta + Self.relatedTask(ask.id) }
    return respond(toolResult(of: ask, telling) + ["_meta": meta])
  }

  private func toolResult(of ask: AskState, _ telling: Telling?) -> JSON {
    let open: JSON = [
      "status": "open", "id": .string(ask.id), "link": link(of: ask).map(JSON.string),
      "askedBy": ask.askedBy.map(JSON.string),
      "warnings": ask.warnings.isEmpty ? nil : .strings(ask.warnings),
    ]
    return Self.toolResult(ask.closed ?? open, meaning(of: ask, telling))
  }

  /// A tool's result: as JSON, as the same JSON in a text for older clients, and in words.
  static func toolResult(_ structured: JSON, _ words: String? = nil) -> JSON {
    let texts = [String(decoding: structured.bytes, as: UTF8.self), words].compactMap(\.self)
    return ["content": .array(texts.map(block)), "structuredContent": structured, "isError": false]
  }

  private static func block(_ text: String) -> JSON { ["type": "text", "text": .string(text)] }

  /// The link that the model has to show, or `nil` if it need not.
  private func link(of ask: AskState) -> String? { showsLink ? ask.link : nil }

  private func meaning(of ask: AskState, _ telling: Telling?) -> String {
    guard let closed = ask.closed else {
      let next = "Call ask_outcome with this id to wait: it waits 50 seconds by default, and can be called again."
      guard let link = link(of: ask) else {
        return [telling?.sentence, "Nobody has answered yet.", next].compactMap(\.self).joined(separator: " ")
      }
      return
        "Nobody has answered yet. Show the person this link as it is, and say what it is for: \(link) Then: \(next) "
        + "Do not open it yourself: the answer must be the person's."
    }
    switch ask.outcome {
    case "ok": return "The person has answered; `values` holds the answer."
    case "action":
      return "The person pressed the button “\(closed.text("action") ?? "")”, which is neither OK nor Cancel."
    case "cancel":
      let why = closed["reason"] == nil ? "" : " `reason` says why."
      return "The person pressed Cancel. That is a no: do not go on, and do not ask the same again.\(why)"
    case "expired": return "Nobody answered in time. That is not a yes."
    default:
      if case .declined? = telling { return Telling.declined.sentence }
      return "The question was withdrawn; nobody can answer it any more."
    }
  }

  // MARK: Links and tasks

  /// The request by which a client brings its user to the link.
  ///
  /// - Parameter id: only where the revision has one.
  func elicitation(url: String, id: String?) -> JSON {
    [
      "mode": "url", "message": .string("Please answer: \(title)"), "url": .string(url),
      "elicitationId": id.map(JSON.string),
    ]
  }

  static func relatedTask(_ id: String) -> JSON { ["io.modelcontextprotocol/related-task": ["taskId": .string(id)]] }

  /// The immediate response to a client whose result comes later.
  func newTask(_ ask: AskState, _ telling: Telling?) -> Outgoing {
    let mistake = ask.outcome == "withdrawn" ? telling?.mistake(isOpen: false) : nil
    let task = taskState(of: ask, mistake ?? Self.waiting + (link(of: ask).map { " at \($0)" } ?? ""))
    if peer.revision.isStateless { return respond(task, type: "task") }
    let words = mistake ?? meaning(of: ask, telling)
    return respond(["task": task, "_meta": ["io.modelcontextprotocol/model-immediate-response": .string(words)]])
  }

  func task(_ ask: AskState, _ telling: Telling? = nil) -> Outgoing {
    let isWithdrawn = ask.outcome == "withdrawn"
    var task = taskState(of: ask, isWithdrawn ? telling?.mistake(isOpen: false) : nil)
    if peer.revision.isStateless, ask.closed != nil, !isWithdrawn {
      task = task + ["result": ["resultType": "complete"] + toolResult(of: ask, telling)]
    }
    return respond(task)
  }

  /// A task is an ask by another name: its id is the ask's.
  private func taskState(of ask: AskState, _ message: String?) -> JSON {
    let status = ask.outcome.map { $0 == "withdrawn" ? "cancelled" : "completed" } ?? "working"
    return [
      "taskId": .string(ask.id), "status": .string(status), "statusMessage": message.map(JSON.string),
      "createdAt": .string(ask.createdAt), "lastUpdatedAt": .string(ask.closed?.text("closedAt") ?? ask.createdAt),
      // Asks are kept as long as the operator says, which no task can shorten.
      (peer.revision.isStateless ? "ttlMs" : "ttl"): .null,
      (peer.revision.isStateless ? "pollIntervalMs" : "pollInterval"): 1_000,
    ]
  }
}
