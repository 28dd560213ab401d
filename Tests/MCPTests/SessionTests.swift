import Testing

@testable import OKCancel
@testable import Prompts

/// A session whose actions are told in short.
private struct Play {
  private var session: Session
  /// The request whose work it began last.
  private var worked: ID?

  init(_ session: Session) { self.session = session }

  /// A session that was initialized, unless `capabilities` is nil.
  init(_ capabilities: String? = "{}", tells: Bool = false) {
    var host = Session.Host(version: "1", process: "p") { "nonce" }
    host.tells = tells
    self.init(Session(host))
    if let capabilities { _ = send(Self.initialize("2025-11-25", capabilities)) }
  }

  static func initialize(_ revision: String, _ capabilities: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"\#(revision)","capabilities":\#(capabilities)}}"#
  }

  var waits: Bool { session.waits }

  mutating func send(_ message: String) -> [String] { words(session.receive(Array(message.utf8))) }

  /// Calls `ask_person`, perhaps with more parameters.
  mutating func call(_ id: Int, _ arguments: String = #"{"title":"T"}"#, _ more: String = "") -> [String] {
    send(
      #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"ask_person","arguments":\#(arguments)\#(more)}}"#
    )
  }

  /// Answers what the client was asked about the link.
  mutating func answer(_ member: String) -> [String] { send(#"{"jsonrpc":"2.0","id":"okcancel-1",\#(member)}"#) }

  /// Tells the session what came of the last piece of work.
  mutating func resume(_ event: Event) -> [String] { worked.map { words(session.resume($0, with: event)) } ?? [] }

  mutating func told(_ telling: Telling) -> [String] { words(session.told("A1", telling)) }

  private mutating func words(_ actions: [Action]) -> [String] {
    for case .work(let request, _) in actions { worked = request }
    return actions.map { action in
      switch action {
      case .deliver(let message, let ask): "deliver \(ask) " + String(decoding: message.bytes, as: UTF8.self)
      case .send(let message): "send \(message.status) " + String(decoding: message.bytes, as: UTF8.self)
      case .stop: "stop"
      case .background(.withdraw(let id)), .work(_, .withdraw(let id)): "withdraw \(id)"
      case .tell(let ask, let link): "tell \(ask) \(link)"
      case .work(_, .make(_, let key)): "make \(key?.scope ?? "")"
      case .work(_, .look(let id, let seconds)): "look \(id) \(seconds)"
      case .work, .background: "other"
      }
    }
  }
}

@Suite struct `A session of the Model Context Protocol` {
  private static let made = Event.ask(
    AskState(id: "A1", link: "https://x.example/a/t", isNew: true, createdAt: "2026-01-01T00:00:00Z"))
  private static let found = Event.ask(AskState(id: "A1", link: "https://x.example/a/t"))
  private static let open = Event.ask(AskState(id: "A1"))
  private static let approved = closed(#""outcome":"ok","values":{},"closedAt":"2026-01-01T00:01:00Z""#)
  private static let withdrawn = closed(#""outcome":"withdrawn""#)
  private static let tellA1 = "tell A1 https://x.example/a/t"
  /// Of a client that can open links.
  private static let takesURLs = #"{"elicitation":{"url":{}}}"#

  private static func closed(_ members: String) -> Event {
    let json = try! JSON(parsing: Array(#"{"id":"A1","status":"closed",\#(members)}"#.utf8))
    return .ask(AskState(id: "A1", closed: json))
  }

  @Test(arguments: [
    ("{", "-32700"), ("[]", "-32600"), (#"{"id":1}"#, "-32600"),
    (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, "-32600"),
    (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, "-32600"), (#"{"jsonrpc":"2.0","id":1,"method":7}"#, "-32600"),
    (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, "-32600"),
    (#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#, "-32601"),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"none"}}"#, "-32602"),
    (#"{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{}}"#, "-32602"),
    (#"{"jsonrpc":"2.0","id":1,"method":"tasks/update","params":{"taskId":"A1"}}"#, "-32601"),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2027-01-01"}}}"#,
      "-32022"
    ),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#,
      "-32602"
    ),
  ])
  func `calls protocol faults by their codes`(message: String, code: String) {
    var play = Play()
    let said = play.send(message)
    #expect(said.count == 1 && said[0].contains("\"code\":\(code),"), "\(said)")
  }

  @Test(arguments: [#""é""#, "\"e\u{301}\"", "0", "-7", "123456789012345678901234567890", #""""#])
  func `gives an id back as it came`(id: String) {
    var play = Play()
    let said = play.send(#"{"jsonrpc":"2.0","id":\#(id),"method":"ping"}"#)
    #expect(said == [#"send 200 {"jsonrpc":"2.0","id":\#(id),"result":{}}"#])
  }

  @Test func `lets nobody call a tool who has not said what it is`() {
    var play = Play(nil)
    #expect(play.call(1, "{}")[0].contains("initialize"))
  }

  @Test func `shows the link at once if nobody else does, and waits if the model says so`() {
    var play = Play()
    #expect(play.call(1) == ["make process p"])
    let shown = play.resume(Self.made)
    #expect(shown.count == 1 && shown[0].contains(#""link":"https://x.example/a/t""#))
    // Also if the same call finds it: the model may not have shown the link.
    _ = play.call(3)
    let found = AskState(id: "A1", link: "https://x.example/a/t", isNew: false)
    #expect(play.resume(.ask(found))[0].contains(#""link":"https://x.example/a/t""#))
    _ = play.call(2, #"{"title":"T","wait":7}"#)
    #expect(play.resume(Self.made) == ["look A1 7"])
  }

  @Test func `delivers the outcome, which lets go of the ask's key once it is there`() {
    var play = Play(tells: true)
    #expect(play.call(1, #"{"title":"T","key":"k"}"#) == ["make key k"])
    #expect(play.resume(Self.made) == [Self.tellA1])
    #expect(play.told(.done("It was sent.")) == ["look A1 50"])
    let said = play.resume(Self.approved)
    #expect(said.count == 1 && said[0].hasPrefix("deliver A1") && said[0].contains(#""outcome":"ok""#))
    #expect(!said[0].contains("https://"))
    #expect(!play.waits)
  }

  @Test func `takes back what it asked the client of a question that has ended`() {
    var play = Play(Self.takesURLs)
    _ = play.call(1)
    _ = play.resume(Self.made)
    let said = play.resume(Self.approved)
    #expect(
      said.count == 2 && said[0].contains(#""method":"notifications/cancelled","params":{"requestId":"okcancel-1""#))
    #expect(said[1].hasPrefix("deliver A1"))
    #expect(play.answer(#""result":{"action":"decline"}"#).isEmpty)
  }

  @Test(arguments: [
    (#""result":{"action":"decline"}"#, #""isError":false"#, "declined to open the question. That is a no."),
    (#""result":{"action":"cancel"}"#, #""isError":true"#, "which is neither yes nor no. The question was withdrawn."),
    (#""error":{"code":-1,"message":""}"#, #""isError":true"#, "the host could not show them the link"),
    (#""result":{"action":"dance"}"#, #""isError":true"#, "the host could not show them the link"),
  ])
  func `takes the question back if the client's user does not open the link`(
    answer: String, isError: String, said: String
  ) {
    var play = Play(Self.takesURLs)
    _ = play.call(1)
    _ = play.resume(Self.made)
    #expect(play.answer(answer) == ["stop", "withdraw A1"])
    // The key is let go of, so that the same call asks anew.
    let result = play.resume(Self.withdrawn)
    #expect(
      result.count == 1 && result[0].hasPrefix("deliver A1") && result[0].contains(isError) && result[0].contains(said),
      "\(result)")
    #expect(!result[0].contains("https://"))
  }

  @Test func `has the host tell the person if the client fails to, and then no other call`() {
    var play = Play(Self.takesURLs, tells: true)
    _ = play.call(1, #"{"title":"T","wait":0}"#)
    #expect(play.resume(Self.made).last == "look A1 0")
    #expect(play.answer(#""error":{"code":-1,"message":""}"#) == [Self.tellA1])
    // Another call waits until that is done.
    _ = play.call(2)
    #expect(play.resume(Self.made).isEmpty)
    #expect(play.told(.done("It was sent.")) == ["look A1 50"])
    // What was done is known, whatever is said of the ask.
    _ = play.call(3, #"{"title":"T","wait":1}"#)
    #expect(play.resume(Self.made) == ["look A1 1"])
    let open = play.resume(Self.open)
    #expect(open.count == 1 && open[0].contains("It was sent. Nobody has answered yet."), "\(open)")
    #expect(open[0].contains(#""okcancel/isNew":true"#) && !open[0].contains("https://"))
  }

  @Test(arguments: [true, false])
  func `fails a call whose person could not be told`(isTask: Bool) {
    var play = Play(tells: true)
    _ = play.call(1, #"{"title":"T","wait":5}"#, isTask ? #","task":{}"# : "")
    #expect(play.resume(Self.made) == [Self.tellA1])
    #expect(play.told(.failed("the mail is down")) == ["stop", "withdraw A1"])
    let result = play.resume(Self.withdrawn)
    #expect(result.count == 1 && result[0].contains("The person could not be told: the mail is down."), "\(result)")
    #expect(result[0].contains(isTask ? #""status":"cancelled""# : #""isError":true"#))
  }

  @Test func `fails a call whose person could not be told even if the question cannot be taken back`() {
    var play = Play(tells: true)
    _ = play.call(1)
    _ = play.resume(Self.made)
    _ = play.told(.failed("the mail is down"))
    let result = play.resume(.refused("The server is away."))
    #expect(result[0].contains(#""isError":true"#) && result[0].contains("The question is still open"), "\(result)")
  }

  @Test(arguments: [(false, ["stop"]), (true, ["stop", "withdraw A1"])])
  func `withdraws the question of a cancelled call only if that said so`(says: Bool, then: [String]) {
    var play = Play()
    _ = play.call(1, #"{"title":"T","wait":50,"withdrawIfCancelled":\#(says)}"#)
    _ = play.resume(Self.made)
    let cancelled = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#
    #expect(play.send(cancelled) == then)
    #expect(play.send(cancelled).isEmpty)
  }

  @Test func `makes a task of an ask, whose id is the task's`() {
    var play = Play()
    _ = play.call(1, #"{"title":"T"}"#, #","task":{}"#)
    let created = play.resume(Self.made)
    #expect(created.count == 1 && created[0].contains(#""task":{"taskId":"A1","status":"working""#))
    let result = #"{"jsonrpc":"2.0","id":2,"method":"tasks/result","params":{"taskId":"A1"}}"#
    #expect(play.send(result) == ["look A1 50"])
    #expect(play.resume(Self.open) == ["look A1 50"])
    #expect(play.resume(Self.approved)[0].contains(#""io.modelcontextprotocol/related-task":{"taskId":"A1"}"#))
  }

  @Test func `refuses an id that waits already, and more calls than it can hold`() {
    var play = Play()
    _ = play.call(1)
    #expect(play.call(1)[0].contains("still waiting"))
    for id in 2...4096 { _ = play.call(id) }
    #expect(play.call(4097)[0].contains("Too many calls"))
  }

  // MARK: Without a session of the client's

  private static let modern =
    #","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{"url":{}}}}"#

  @Test func `finds the ask of a stateless request by what the client sends back`() {
    let host = Session.Host(version: "1") { "nonce" }
    let headers = MirroredHeaders(version: "2026-07-28", method: "tools/call", name: "=?base64?YXNrX3BlcnNvbg==?=")
    var first = Play(Session(host, headers: headers, sessionID: "ignored"))
    #expect(first.call(1, #"{"title":"T"}"#, Self.modern) == ["make state nonce"])
    let said = first.resume(Self.made)
    #expect(said[0].contains(#""resultType":"input_required""#) && said[0].contains(#""requestState":"nonce""#))
    var second = Play(Session(host, headers: headers, sessionID: nil))
    let more = #","requestState":"nonce","inputResponses":{"link":{"action":"accept"}}"# + Self.modern
    #expect(second.call(2, #"{"title":"T"}"#, more) == ["make state nonce"])
    #expect(second.resume(Self.found) == ["look A1 50"])
    // What the client sends back is of no ask.
    var third = Play(Session(host, headers: headers, sessionID: nil))
    _ = third.call(3, #"{"title":"T"}"#, more)
    let refused = third.resume(Self.made)
    #expect(refused[0].contains("-32602") && refused[1...] == ["withdraw A1"])
  }

  @Test(arguments: [
    (#"{"action":"decline"}"#, "withdraw A1"), (#"{"action":"cancel"}"#, "withdraw A1"),
    (#"{"error":{"code":-1}}"#, tellA1), ("null", tellA1),
  ])
  func `takes what a stateless client says of the link`(response: String, then: String) {
    var play = Play(nil, tells: true)
    _ = play.call(1, #"{"title":"T"}"#, #","inputResponses":{"link":\#(response)}"# + Self.modern)
    #expect(play.resume(Self.made).last == then)
  }
}
