internal import Asks
internal import Logging
internal import MicroHTTP
internal import Prompts

/// `POST /hook`: an event of a coding agent in, its decision out; 204 if there is none.
struct HookRoute: Sendable {
  static let query = ["host", "notify", "for", "timeout"]
  static let body = Body.Limits(bytes: HookEvent.limit, json: HookEvent.jsonLimits)

  private let hooks: HookService

  init(asks: AskService) { hooks = HookService(asks: asks) }

  func post(_ visit: Visit) throws(Problem) -> Eventual<Response> {
    let request = visit.request
    let hosts = "one of \(HookHost.allCases.map(\.rawValue).joined(separator: ", "))"
    guard let host = try request.parameter("host", mustBe: hosts, HookHost.init(rawValue:)) else {
      throw Problem("wrong-value", ["name": "host", "rule": hosts])
    }
    let range = 1...Int(AskKey.longestExpiry.components.seconds)
    let rule = "a whole number of seconds from 1 to \(range.upperBound)"
    var terms = HookService.Terms(notify: request.query.values("notify"), only: request.query.values("for"))
    terms.timeout = try request.parameter("timeout", mustBe: rule) { range.number($0) } ?? terms.timeout
    let json = try JSON(bodyOf: request, limits: Self.body, at: "POST /hook")
    let program = visit.program, takesEvents = request.takesEvents
    switch HookEvent(json, from: host, unasked: { hooks.asks.logger.notice("\($0)") }) {
    case nil: return .now(Response(.noContent))
    case .over(let call, let end)?:
      return .later { () throws(Problem) in
        try await hooks.end(call, end, for: program.name)
        return Response(.noContent)
      }
    case .stopped(let agent, let withSubagents)?:
      return .later { () throws(Problem) in
        try await hooks.end(agent, withSubagents: withSubagents, for: program.name)
        return Response(.noContent)
      }
    case .question(let question)?:
      return .later { [terms] () throws(Problem) in
        let asked = try await hooks.ask(question, terms, for: program)
        guard let asked else { return Response(.noContent) }
        return takesEvents ? stream(asked) : await hooks.decision(on: asked).map { .json($0) } ?? Response(.noContent)
      }
    }
  }

  /// The link and, once there is one, the decision as events; comments keep proxies from closing the connection meanwhile.
  private func stream(_ asked: HookService.Asked) -> Response {
    var response = EventStream.response { stream in
      let link: JSON = ["id": .string(asked.id.description), "link": asked.link.map(JSON.string)]
      stream.send(link.bytes, after: "event: asked\n")
      let decision = await hooks.decision(on: asked) { stream.sendComment() }
      if let decision { stream.send(decision, after: "event: decision\n") }
    }
    // If the client has gone before the stream began, nobody waits.
    response.delivered = { isTaken in if !isTaken { Task { await hooks.withdraw(asked.id) } } }
    return response
  }
}
