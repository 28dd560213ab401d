internal import Asks
internal import MCP
internal import MicroHTTP

/// `POST /mcp`: the Model Context Protocol over Streamable HTTP. Each request is a session of its own; what must outlive
/// it is in the store, or comes back from the client.
struct MCPRoute: Sendable {
  let asks: AskRoutes
  let readiness: Readiness

  func post(_ request: Request) throws(Problem) -> Reply {
    guard case .json = try Body.Coding(request) else { throw Problem(.onlyJSON(route: "POST /mcp")) }
    let host = Session.Host(version: OKCancelServer.version, nonce: { RandomText().description })
    let headers = MirroredHeaders(
      version: try request.field("mcp-protocol-version"), method: try request.field("mcp-method"),
      name: try request.field("mcp-name"))
    var session = Session(host, headers: headers, sessionID: try request.field("mcp-session-id"))
    let actions = session.receive(request.body)
    let exchange = MCPExchange(backend: LocalAskBackend(asks: asks, request: request), readiness: readiness)
    guard session.waits else { return .now(Self.response(actions.compactMap(\.outgoing).last)) }
    let takesEvents = request.header("accept")?.lowercased().contains("text/event-stream") == true
    guard session.notifies, takesEvents else {
      return .later { [session] () throws(Problem) in
        var last: Outgoing?
        await exchange.run(session, actions) { last = $0 }
        return Self.response(last)
      }
    }
    // nginx would hold events back to fill its buffer.
    let eventHeaders = [("Content-Type", "text/event-stream"), ("X-Accel-Buffering", "no")]
    let body = Response.Body.stream { [session] writer in
      await exchange.run(session, actions) { message in
        writer.write(Array("event: message\ndata: ".utf8) + message.bytes + Array("\n\n".utf8))
      }
    }
    return .now(Response(.ok, headers: eventHeaders, body: body))
  }

  /// - Parameter message: `nil` for a message that needs no answer.
  private static func response(_ message: Outgoing?) -> Response {
    guard let message else { return Response(.accepted) }
    var response = Response.json(message.bytes, Status(rawValue: message.status))
    if let session = message.session { response.headers.append(("Mcp-Session-Id", session)) }
    return response
  }
}

/// Performs the actions of a session that has one request.
private struct MCPExchange: Sendable {
  let backend: LocalAskBackend
  let readiness: Readiness

  func run(_ session: Session, _ actions: [Action], send: (Outgoing) -> Void) async {
    var (session, actions) = (session, actions[...])
    while let action = actions.popFirst() {
      switch action {
      case .send(let message): send(message)
      // Over HTTP nobody brings links to people but the client and the model.
      case .stop, .tell: break
      case .background(let work): _ = await backend.perform(work)
      case .work(let id, let work):
        let event = await backend.perform(work)
        // The client has gone, unless it is the server that goes.
        if Task.isCancelled, !readiness.isStopping {
          let last = session.disconnected()
          // In a task of its own, since this one is cancelled.
          return await Task { for case .background(let work) in last { _ = await backend.perform(work) } }.value
        }
        actions += session.resume(id, with: event)
      }
    }
  }
}

extension Action {
  fileprivate var outgoing: Outgoing? { if case .send(let message) = self { message } else { nil } }
}
