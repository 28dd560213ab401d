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
    return Outgoing("notifications/progress") { json in
      json.member("progressToken", progressToken)
      json.member("progress", waited)
      json.member("total", waited + seconds)
      json.member("message", "Waiting for the person to answer")
    }
  }

  // MARK: Results

  /// The result of a tool that tells the model what to do instead.
  func mistake(_ text: String) -> Outgoing {
    Outgoing(resultOf: id, for: peer) { json in
      json.member("content") { $0.array([text]) { $0.textBlock($1) } }
      json.member("isError", true)
    }
  }

  func result(of ask: AskState, _ telling: Telling?) -> Outgoing {
    Outgoing(resultOf: id, for: peer) { json in
      writeResult(of: ask, telling, to: &json)
      var meta: [JSON.Member] = [
        .init("okcancel/createdAt", .string(ask.createdAt)), .init("okcancel/isNew", .bool(ask.isNew)),
      ]
      if case .task = goal, case .object(let related) = Self.relatedTask(ask.id) { meta += related }
      json.member("_meta", .object(meta))
    }
  }

  /// The members of a tool's result: the ask as JSON, and what it means in words.
  private func writeResult(of ask: AskState, _ telling: Telling?, to json: inout JSONWriter) {
    let link = showsLink ? ask.link : nil
    let open = [JSON.Member("status", .string("open")), .init("id", .string(ask.id))]
    let structured = ask.closed ?? .object(open + (link.map { [.init("link", .string($0))] } ?? []))
    json.toolResult(structured, meaning(of: ask, telling))
  }

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
  func writeElicitation(to json: inout JSONWriter, url: String, id: String?) {
    json.member("mode", "url")
    json.member("message", invitation)
    json.member("url", url)
    json.member("elicitationId", ifPresent: id)
  }

  static func relatedTask(_ id: String) -> JSON {
    .object([.init("io.modelcontextprotocol/related-task", .object([.init("taskId", .string(id))]))])
  }

  /// What a client gets at once whose result comes later.
  func newTask(_ ask: AskState, _ telling: Telling?) -> Outgoing {
    let mistake = ask.outcome == "withdrawn" ? telling?.mistake(isOpen: false) : nil
    let link = showsLink ? ask.link : nil
    let message =
      mistake ?? link.map { "Waiting for the person to answer at \($0)" } ?? "Waiting for the person to answer"
    return Outgoing(resultOf: id, for: peer, type: "task") { json in
      guard !peer.revision.isStateless else { return writeTask(ask, message: message, to: &json) }
      json.member("task") { $0.object { writeTask(ask, message: message, to: &$0) } }
      let words = JSON.string(mistake ?? meaning(of: ask, telling))
      json.member("_meta", .object([.init("io.modelcontextprotocol/model-immediate-response", words)]))
    }
  }

  func task(_ ask: AskState, _ telling: Telling? = nil) -> Outgoing {
    let isWithdrawn = ask.outcome == "withdrawn"
    return Outgoing(resultOf: id, for: peer) { json in
      writeTask(ask, message: isWithdrawn ? telling?.mistake(isOpen: false) : nil, to: &json)
      guard peer.revision.isStateless, ask.closed != nil, !isWithdrawn else { return }
      json.member("result") { json in
        json.object { json in
          json.member("resultType", "complete")
          writeResult(of: ask, telling, to: &json)
        }
      }
    }
  }

  /// A task is an ask by another name: its id is the ask's.
  private func writeTask(_ ask: AskState, message: String? = nil, to json: inout JSONWriter) {
    json.member("taskId", ask.id)
    json.member("status", ask.outcome.map { $0 == "withdrawn" ? "cancelled" : "completed" } ?? "working")
    json.member("statusMessage", ifPresent: message)
    json.member("createdAt", ask.createdAt)
    json.member("lastUpdatedAt", ask.closed?.text("closedAt") ?? ask.createdAt)
    // Asks are kept as long as the operator says, which no task can shorten.
    json.member(peer.revision.isStateless ? "ttlMs" : "ttl") { $0.null() }
    json.member(peer.revision.isStateless ? "pollIntervalMs" : "pollInterval", 1000)
  }
}

extension JSONWriter {
  /// The members of a tool's result: as JSON, as the same JSON in a text for older clients, and in words.
  mutating func toolResult(_ structured: JSON, _ words: String? = nil) {
    var text = JSONWriter()
    text.value(structured)
    member("content") { $0.array([text.text] + (words.map { [$0] } ?? [])) { $0.textBlock($1) } }
    member("structuredContent", structured)
    member("isError", false)
  }

  fileprivate mutating func textBlock(_ text: String) {
    object { json in
      json.member("type", "text")
      json.member("text", text)
    }
  }
}
