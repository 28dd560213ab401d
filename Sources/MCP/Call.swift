internal import StrictJSON

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
  /// What the person is told that it is about.
  var title = "a question"
  var progressToken: JSON?
  /// Seconds left to wait.
  var seconds = 0
  var waited = 0
  /// Whether the model has said how long to wait.
  var waitIsGiven = false
  var withdrawsIfCancelled = false
  /// Whether the client gets a task at once, and its result later.
  var isTask = false
  /// What the client sent back when its user was asked to open the link (2026-07-28).
  var response: JSON?
  /// What the client sends back with that.
  var state: String?
  /// Once it is known.
  var ask: AskState?
  /// Whether nothing is done for it until the person has been told.
  var isParked = false
  /// Whether the model has to show the link: nobody else was asked to tell the person.
  let showsLink: Bool
  var isCancelled = false
  /// The number of the last piece of work.
  var work = 0

  /// Seconds between two notifications of progress.
  private static let progressInterval = 10

  init(_ id: ID, _ peer: Peer, _ goal: Goal, hostTells: Bool) {
    (self.id, self.peer, self.goal, showsLink) = (id, peer, goal, goal == .ask && !peer.takesURLs && !hostTells)
  }

  /// How long to look before there is something to tell.
  var slice: Int { progressToken == nil ? min(seconds, 50) : min(seconds, Self.progressInterval) }

  var progress: Outgoing? {
    guard let progressToken else { return nil }
    return Outgoing(
      "notifications/progress",
      params: [
        "progressToken": progressToken, "progress": .number(String(waited)), "total": .number(String(waited + seconds)),
        "message": "Waiting for the person to answer",
      ])
  }

  // MARK: Results

  /// The result of a tool that tells the model what to do instead.
  func mistake(_ text: String) -> Outgoing {
    Outgoing(resultOf: id, for: peer, ["content": [Self.block(text)], "isError": true])
  }

  func result(of ask: AskState, _ telling: Telling?) -> Outgoing {
    var meta: JSON = ["okcancel/createdAt": .string(ask.createdAt), "okcancel/isNew": .bool(ask.isNew)]
    if case .task = goal { meta = meta + Self.relatedTask(ask.id) }
    return Outgoing(resultOf: id, for: peer, toolResult(of: ask, telling) + ["_meta": meta])
  }

  private func toolResult(of ask: AskState, _ telling: Telling?) -> JSON {
    let link = showsLink ? ask.link : nil
    let open: JSON = ["status": "open", "id": .string(ask.id), "link": link.map { .string($0) }]
    return Self.toolResult(ask.closed ?? open, meaning(of: ask, telling))
  }

  /// A tool's result: as JSON, as the same JSON in a text for older clients, and in words.
  static func toolResult(_ structured: JSON, _ words: String? = nil) -> JSON {
    var text = JSONWriter()
    text.value(structured)
    let blocks = [text.text, words].compactMap { $0.map(block) }
    return ["content": .array(blocks), "structuredContent": structured, "isError": false]
  }

  private static func block(_ text: String) -> JSON { ["type": "text", "text": .string(text)] }

  private func meaning(of ask: AskState, _ telling: Telling?) -> String {
    guard let closed = ask.closed else {
      let next = "Then call ask_outcome with this id: it waits up to 50 seconds, and can be called again."
      guard showsLink, let link = ask.link else {
        return [telling?.sentence, "Nobody has answered yet.", next].compactMap(\.self).joined(separator: " ")
      }
      return "Nobody has answered yet. Show the person this link as it is, and say what it is for: \(link) \(next) "
        + "Do not open it yourself: the answer must be the person's."
    }
    switch ask.outcome {
    case "ok": return "The person has answered; `values` holds the answer."
    case "action":
      return "The person pressed the button “\(closed.text("action") ?? "")”, which is neither OK nor Cancel."
    case "cancel": return "The person pressed Cancel. That is a no: do not go on, and do not ask the same again."
    case "expired": return "Nobody answered in time. That is not a yes."
    default:
      if case .declined? = telling { return Telling.declined.sentence }
      return "The question was withdrawn; nobody can answer it any more."
    }
  }

  // MARK: Links and tasks

  /// What the client says to its user beside the link.
  var invitation: String { "Please answer: \(title)" }

  /// - Parameter id: only where the revision has one.
  func elicitation(url: String, id: String?) -> JSON {
    [
      "mode": "url", "message": .string(invitation), "url": .string(url), "elicitationId": id.map { .string($0) },
    ]
  }

  static func relatedTask(_ id: String) -> JSON {
    ["io.modelcontextprotocol/related-task": ["taskId": .string(id)]]
  }

  /// What a client gets at once whose result comes later.
  func newTask(_ ask: AskState, _ telling: Telling?) -> Outgoing {
    let mistake = ask.outcome == "withdrawn" ? telling?.mistake(isOpen: false) : nil
    let link = showsLink ? ask.link : nil
    let task = taskState(
      of: ask, mistake ?? link.map { "Waiting for the person to answer at \($0)" } ?? "Waiting for the person to answer"
    )
    if peer.revision.isStateless { return Outgoing(resultOf: id, for: peer, type: "task", task) }
    let words = mistake ?? meaning(of: ask, telling)
    return Outgoing(
      resultOf: id, for: peer, type: "task",
      ["task": task, "_meta": ["io.modelcontextprotocol/model-immediate-response": .string(words)]])
  }

  func task(_ ask: AskState, _ telling: Telling? = nil) -> Outgoing {
    let isWithdrawn = ask.outcome == "withdrawn"
    var task = taskState(of: ask, isWithdrawn ? telling?.mistake(isOpen: false) : nil)
    if peer.revision.isStateless, ask.closed != nil, !isWithdrawn {
      task = task + ["result": ["resultType": "complete"] + toolResult(of: ask, telling)]
    }
    return Outgoing(resultOf: id, for: peer, task)
  }

  /// A task is an ask by another name: its id is the ask's.
  private func taskState(of ask: AskState, _ message: String?) -> JSON {
    let status = ask.outcome.map { $0 == "withdrawn" ? "cancelled" : "completed" } ?? "working"
    return [
      "taskId": .string(ask.id), "status": .string(status), "statusMessage": message.map { .string($0) },
      "createdAt": .string(ask.createdAt), "lastUpdatedAt": .string(ask.closed?.text("closedAt") ?? ask.createdAt),
      // Asks are kept as long as the operator says, which no task can shorten.
      (peer.revision.isStateless ? "ttlMs" : "ttl"): .null,
      (peer.revision.isStateless ? "pollIntervalMs" : "pollInterval"): .number("1000"),
    ]
  }
}
