import StrictJSON
import Testing

@testable import MCP

@Suite struct `A session of the Model Context Protocol` {
  private static let ask = AskState(
    id: "A1", link: "https://x.example/a/t", isNew: true, createdAt: "2026-01-01T00:00:00Z")
  private static let approved = try! JSON(
    parsing: Array(#"{"id":"A1","status":"closed","outcome":"ok","values":{},"closedAt":"2026-01-01T00:01:00Z"}"#.utf8))

  /// A session that was initialized, unless `capabilities` is nil.
  private static func session(
    _ revision: String = "2025-11-25", _ capabilities: String? = "{}", process: String? = "p", tells: Bool = false
  ) -> Session {
    var host = Session.Host(version: "1", process: process) { "nonce" }
    host.tells = tells
    var session = Session(host)
    if let capabilities {
      _ = send(
        #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"\#(revision)","capabilities":\#(capabilities)}}"#,
        to: &session)
    }
    return session
  }

  private static func send(_ message: String, to session: inout Session) -> [Action] {
    session.receive(Array(message.utf8))
  }

  private static func call(_ id: String, _ arguments: String, _ more: String = "", tool: String = "ask_person")
    -> String
  {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)\#(more)}}"#
  }

  /// What actions are, in short.
  private static func words(_ actions: [Action]) -> [String] {
    actions.map { action in
      switch action {
      case .deliver(let message, let ask): "deliver \(ask) " + String(decoding: message.bytes, as: UTF8.self)
      case .send(let message): "send " + String(decoding: message.bytes, as: UTF8.self)
      case .stop: "stop"
      case .background(.withdraw(let id)), .work(_, .withdraw(let id)): "withdraw \(id)"
      case .tell(let ask, let link): "tell \(ask) \(link)"
      case .work(_, .make(_, let key)): "make \(key?.scope ?? "")"
      case .work(_, .look(let id, let seconds)): "look \(id) \(seconds)"
      case .work, .background: "other"
      }
    }
  }

  /// Tells the session what came of the last piece of work.
  private static func resume(_ actions: [Action], with event: Event, _ session: inout Session) -> [Action] {
    for case .work(let id, _) in actions.reversed() { return session.resume(id, with: event) }
    return []
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
    var session = Self.session()
    let said = Self.words(Self.send(message, to: &session))
    #expect(said.count == 1 && said[0].contains("\"code\":\(code),"), "\(said)")
  }

  @Test(arguments: [#""é""#, "\"e\u{301}\"", "0", "-7", "123456789012345678901234567890", #""""#])
  func `gives an id back as it came`(id: String) {
    var session = Self.session()
    let said = Self.words(Self.send(#"{"jsonrpc":"2.0","id":\#(id),"method":"ping"}"#, to: &session))
    #expect(said == [#"send {"jsonrpc":"2.0","id":\#(id),"result":{}}"#])
  }

  @Test(arguments: [
    ("2025-06-18", "2025-06-18"), ("2025-11-25", "2025-11-25"), ("2024-11-05", "2025-11-25"),
    ("2026-07-28", "2025-11-25"),
  ])
  func `settles on a revision`(asked: String, settled: String) {
    var session = Self.session(asked, nil)
    let message =
      #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"\#(asked)","capabilities":{}}}"#
    #expect(Self.words(Self.send(message, to: &session))[0].contains(#""protocolVersion":"\#(settled)""#))
  }

  @Test func `lets nobody call a tool who has not said what it is`() {
    var session = Self.session("", nil)
    #expect(Self.words(Self.send(Self.call("1", "{}"), to: &session))[0].contains("initialize"))
  }

  @Test func `shows the link at once if nobody else does, and waits if the model says so`() {
    var session = Self.session()
    let made = Self.send(Self.call("1", #"{"title":"T"}"#), to: &session)
    #expect(Self.words(made) == ["make process p"])
    let shown = Self.words(Self.resume(made, with: .ask(Self.ask), &session))
    #expect(shown.count == 1 && shown[0].contains(#""link":"https://x.example/a/t""#))
    // Also if the same call finds it: the model may not have shown the link.
    let again = Self.send(Self.call("3", #"{"title":"T"}"#), to: &session)
    let found = AskState(id: "A1", link: "https://x.example/a/t", isNew: false)
    #expect(Self.words(Self.resume(again, with: .ask(found), &session))[0].contains(#""link":"https://x.example/a/t""#))
    let waiting = Self.send(Self.call("2", #"{"title":"T","wait":7}"#), to: &session)
    #expect(Self.words(Self.resume(waiting, with: .ask(Self.ask), &session)) == ["look A1 7"])
  }

  @Test func `delivers the outcome, which lets go of the ask's key once it is there`() {
    var session = Self.session(tells: true)
    var actions = Self.send(Self.call("1", #"{"title":"T","key":"k"}"#), to: &session)
    #expect(Self.words(actions) == ["make key k"])
    actions = Self.resume(actions, with: .ask(Self.ask), &session)
    #expect(Self.words(actions) == ["tell A1 https://x.example/a/t"])
    actions = session.told("A1", .done("It was sent."))
    #expect(Self.words(actions) == ["look A1 50"])
    actions = Self.resume(actions, with: .ask(AskState(id: "A1", closed: Self.approved)), &session)
    let said = Self.words(actions)
    #expect(
      said.count == 1 && said[0].hasPrefix("deliver A1") && said[0].contains(#""outcome":"ok""#)
        && !said[0].contains("https://"))
    #expect(!session.waits)
  }

  @Test func `asks a client that takes URLs to open the link, and tells it when that is done`() {
    var session = Self.session("2025-11-25", #"{"elicitation":{"url":{}}}"#)
    var actions = Self.send(Self.call("1", #"{"title":"T"}"#), to: &session)
    actions = Self.resume(actions, with: .ask(Self.ask), &session)
    #expect(Self.words(actions)[0].contains(#""method":"elicitation/create""#))
    #expect(Self.words(actions).last == "look A1 50")
    #expect(Self.send(#"{"jsonrpc":"2.0","id":"okcancel-1","result":{"action":"accept"}}"#, to: &session).isEmpty)
    actions = Self.resume(actions, with: .ask(AskState(id: "A1", closed: Self.approved)), &session)
    let said = Self.words(actions)
    #expect(said.count == 2 && said[0].contains("notifications/elicitation/complete"))
  }

  @Test func `takes back what it asked the client of a question that has ended`() {
    var session = Self.session("2025-11-25", #"{"elicitation":{"url":{}}}"#)
    var actions = Self.send(Self.call("1", #"{"title":"T"}"#), to: &session)
    actions = Self.resume(actions, with: .ask(Self.ask), &session)
    let said = Self.words(Self.resume(actions, with: .ask(AskState(id: "A1", closed: Self.approved)), &session))
    #expect(
      said.count == 2 && said[0].contains(#""method":"notifications/cancelled","params":{"requestId":"okcancel-1""#))
    #expect(said[1].hasPrefix("deliver A1"))
    #expect(Self.send(#"{"jsonrpc":"2.0","id":"okcancel-1","result":{"action":"decline"}}"#, to: &session).isEmpty)
  }

  private static let withdrawn = AskState(
    id: "A1", closed: try! JSON(parsing: Array(#"{"id":"A1","status":"closed","outcome":"withdrawn"}"#.utf8)))

  @Test(arguments: [
    (#""result":{"action":"decline"}"#, #""isError":false"#, "declined to open the question. That is a no."),
    (#""result":{"action":"cancel"}"#, #""isError":true"#, "which is neither yes nor no. The question was withdrawn."),
    (#""error":{"code":-1,"message":""}"#, #""isError":true"#, "the host could not show them the link"),
    (#""result":{"action":"dance"}"#, #""isError":true"#, "the host could not show them the link"),
  ])
  func `takes the question back if the client's user does not open the link`(
    answer: String, isError: String, said: String
  ) {
    var session = Self.session("2025-11-25", #"{"elicitation":{"url":{}}}"#)
    var actions = Self.send(Self.call("1", #"{"title":"T"}"#), to: &session)
    _ = Self.resume(actions, with: .ask(Self.ask), &session)
    actions = Self.send(#"{"jsonrpc":"2.0","id":"okcancel-1",\#(answer)}"#, to: &session)
    #expect(Self.words(actions) == ["stop", "withdraw A1"])
    actions = Self.resume(actions, with: .ask(Self.withdrawn), &session)
    // The key is let go of, so that the same call asks anew.
    let result = Self.words(actions)
    #expect(
      result.count == 1 && result[0].hasPrefix("deliver A1") && result[0].contains(isError) && result[0].contains(said),
      "\(result)")
    #expect(!result[0].contains("https://"))
  }

  @Test func `has the host tell the person if the client fails to, and then no other call`() {
    var session = Self.session("2025-11-25", #"{"elicitation":{"url":{}}}"#, tells: true)
    let made = Self.send(Self.call("1", #"{"title":"T","wait":0}"#), to: &session)
    #expect(Self.words(Self.resume(made, with: .ask(Self.ask), &session)).last == "look A1 0")
    let failed = Self.send(#"{"jsonrpc":"2.0","id":"okcancel-1","error":{"code":-1,"message":""}}"#, to: &session)
    #expect(Self.words(failed) == ["tell A1 https://x.example/a/t"])
    // Another call waits until that is done.
    let again = Self.send(Self.call("2", #"{"title":"T"}"#), to: &session)
    #expect(Self.resume(again, with: .ask(Self.ask), &session).isEmpty)
    #expect(Self.words(session.told("A1", .done("It was sent."))) == ["look A1 50"])
    // What was done is known, whatever is said of the ask.
    let third = Self.send(Self.call("3", #"{"title":"T","wait":1}"#), to: &session)
    let looked = Self.resume(third, with: .ask(Self.ask), &session)
    #expect(Self.words(looked) == ["look A1 1"])
    let open = Self.words(Self.resume(looked, with: .ask(AskState(id: "A1")), &session))
    #expect(open.count == 1 && open[0].contains("It was sent. Nobody has answered yet."), "\(open)")
    #expect(open[0].contains(#""okcancel/isNew":true"#) && !open[0].contains("https://"))
  }

  @Test(arguments: [true, false])
  func `fails a call whose person could not be told`(isTask: Bool) {
    var session = Self.session(tells: true)
    var actions = Self.send(
      Self.call("1", #"{"title":"T","wait":5}"#, isTask ? #","task":{}"# : ""), to: &session)
    #expect(Self.words(Self.resume(actions, with: .ask(Self.ask), &session)) == ["tell A1 https://x.example/a/t"])
    actions = session.told("A1", .failed("the mail is down"))
    #expect(Self.words(actions) == ["stop", "withdraw A1"])
    actions = Self.resume(actions, with: .ask(Self.withdrawn), &session)
    let result = Self.words(actions)
    #expect(result.count == 1 && result[0].contains("The person could not be told: the mail is down."), "\(result)")
    #expect(result[0].contains(isTask ? #""status":"cancelled""# : #""isError":true"#))
  }

  @Test func `fails a call whose person could not be told even if the question cannot be taken back`() {
    var session = Self.session(tells: true)
    var actions = Self.send(Self.call("1", #"{"title":"T"}"#), to: &session)
    _ = Self.resume(actions, with: .ask(Self.ask), &session)
    actions = session.told("A1", .failed("the mail is down"))
    let result = Self.words(Self.resume(actions, with: .refused("The server is away."), &session))
    #expect(result[0].contains(#""isError":true"#) && result[0].contains("The question is still open"), "\(result)")
  }

  @Test(arguments: [(false, ["stop"]), (true, ["stop", "withdraw A1"])])
  func `withdraws the question of a cancelled call only if that said so`(says: Bool, then: [String]) {
    var session = Self.session()
    let made = Self.send(
      Self.call("1", #"{"title":"T","wait":50,"withdrawIfCancelled":\#(says)}"#), to: &session)
    _ = Self.resume(made, with: .ask(Self.ask), &session)
    let cancelled = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#
    #expect(Self.words(Self.send(cancelled, to: &session)) == then)
    #expect(Self.send(cancelled, to: &session).isEmpty)
  }

  @Test func `makes a task of an ask, whose id is the task's`() {
    var session = Self.session()
    let made = Self.send(Self.call("1", #"{"title":"T"}"#, #","task":{}"#), to: &session)
    let created = Self.words(Self.resume(made, with: .ask(Self.ask), &session))
    #expect(created.count == 1 && created[0].contains(#""task":{"taskId":"A1","status":"working""#))
    let result = #"{"jsonrpc":"2.0","id":2,"method":"tasks/result","params":{"taskId":"A1"}}"#
    var actions = Self.send(result, to: &session)
    #expect(Self.words(actions) == ["look A1 50"])
    actions = Self.resume(actions, with: .ask(AskState(id: "A1")), &session)
    #expect(Self.words(actions) == ["look A1 50"])
    actions = Self.resume(actions, with: .ask(AskState(id: "A1", closed: Self.approved)), &session)
    let said = Self.words(actions)
    #expect(said[0].contains(#""io.modelcontextprotocol/related-task":{"taskId":"A1"}"#))
  }

  @Test func `refuses an id that waits already, and more calls than it can hold`() {
    var session = Self.session()
    _ = Self.send(Self.call("1", #"{"title":"T"}"#), to: &session)
    #expect(Self.words(Self.send(Self.call("1", #"{"title":"T"}"#), to: &session))[0].contains("still waiting"))
    for id in 2...4096 { _ = Self.send(Self.call("\(id)", #"{"title":"T"}"#), to: &session) }
    #expect(Self.words(Self.send(Self.call("4097", #"{"title":"T"}"#), to: &session))[0].contains("Too many calls"))
  }

  private static let modern =
    #","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{"url":{}}}}"#

  @Test func `finds the ask of a stateless request by what the client sends back`() {
    let host = Session.Host(version: "1") { "nonce" }
    let headers = MirroredHeaders(version: "2026-07-28", method: "tools/call", name: "=?base64?YXNrX3BlcnNvbg==?=")
    var first = Session(host, headers: headers, sessionID: "ignored")
    let made = Self.send(Self.call("1", #"{"title":"T"}"#, Self.modern), to: &first)
    #expect(Self.words(made) == ["make state nonce"])
    let said = Self.words(Self.resume(made, with: .ask(Self.ask), &first))
    #expect(said[0].contains(#""resultType":"input_required""#) && said[0].contains(#""requestState":"nonce""#))
    var second = Session(host, headers: headers, sessionID: nil)
    let more = #","requestState":"nonce","inputResponses":{"link":{"action":"accept"}}"# + Self.modern
    let again = Self.send(Self.call("2", #"{"title":"T"}"#, more), to: &second)
    #expect(Self.words(again) == ["make state nonce"])
    #expect(Self.words(Self.resume(again, with: .ask(Self.ask), &second)) == ["look A1 50"])
  }

  @Test(arguments: [
    (#"{"action":"decline"}"#, ["withdraw A1"]), (#"{"action":"cancel"}"#, ["withdraw A1"]),
    (#"{"error":{"code":-1}}"#, ["tell A1 https://x.example/a/t"]), ("null", ["tell A1 https://x.example/a/t"]),
  ])
  func `takes what a stateless client says of the link`(response: String, then: [String]) {
    var session = Self.session("", nil, tells: true)
    let more = #","inputResponses":{"link":\#(response)}"# + Self.modern
    let made = Self.send(Self.call("1", #"{"title":"T"}"#, more), to: &session)
    #expect(Self.words(Self.resume(made, with: .ask(Self.ask), &session)).suffix(1) == then[...])
  }

  @Test(arguments: [
    MirroredHeaders(version: nil, method: "tools/call", name: "ask_person"),
    MirroredHeaders(version: "2026-07-28", method: nil, name: "ask_person"),
    MirroredHeaders(version: "2026-07-28", method: "tools/call", name: "ask_outcome"),
    MirroredHeaders(version: "2026-07-28", method: "tools/call", name: "=?base64?!?="),
  ])
  func `refuses headers that do not say what the body says`(headers: MirroredHeaders) {
    var session = Session(Session.Host(version: "1") { "" }, headers: headers, sessionID: nil)
    let actions = Self.send(Self.call("1", #"{"title":"T"}"#, Self.modern), to: &session)
    guard case .send(let message)? = actions.first else { return #expect(Bool(false)) }
    #expect(message.status == 400 && String(decoding: message.bytes, as: UTF8.self).contains("-32020"))
  }
}
