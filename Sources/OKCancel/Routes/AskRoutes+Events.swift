internal import Asks
internal import MicroHTTP

/// An ask as server-sent events (HTML Standard, section 9.2): `open` at once, `closed` when it is, and
/// then the stream ends. Each event's data is what `GET /asks/{id}` answers, byte by byte.
extension AskRoutes {
  /// After so long without an event a comment is sent, so that nothing between closes an idle
  /// connection, and one whose peer has gone is noticed.
  static let heartbeat: Duration = .seconds(15)

  /// `GET /asks/{id}/events`
  func events(_ request: Request) throws(Problem) -> Route.Reply {
    let id = try Self.id(request)
    // A client that comes back because the stream has ended is told that there is no more.
    let knowsEnd = request.header("last-event-id") == AskEvent.closed.rawValue
    return .later { () throws(Problem) in
      guard let closed = try await askService.asking({ try await askService.store.outcome(of: id) }) else {
        return Self.stream { await follow(id, in: $0) }
      }
      if knowsEnd { return Response(.noContent) }
      let event = AskEvent.closed.bytes(try json(of: closed))
      return Self.stream { $0.write(event) }
    }
  }

  /// Ends with the outcome, with the peer or with the server. Where the store fails it ends too: the
  /// client comes back and is told why.
  private func follow(_ id: AskID, in stream: BodyWriter) async {
    guard stream.write(AskEvent.open.bytes(Ask.openJSON(id))) else { return }
    while !Task.isCancelled {
      do {
        if let closed = try await askService.store.outcome(of: id, among: askService.waiters, atMost: Self.heartbeat) {
          stream.write(AskEvent.closed.bytes(try json(of: closed)))
          return
        }
      } catch {
        return
      }
      guard stream.write(AskEvent.comment) else { return }
    }
  }

  private static func stream(_ work: @escaping @Sendable (BodyWriter) async -> Void) -> Response {
    Response(
      .ok,
      headers: [
        ("Content-Type", "text/event-stream"),
        // nginx would hold events back to fill its buffer.
        ("X-Accel-Buffering", "no"),
      ], body: .stream(work))
  }
}

/// What happens to an ask, by its name; the name is its id too.
enum AskEvent: String {
  case open, closed

  /// A line that clients pass over.
  static let comment = ":\n\n"

  /// - Parameter json: on one line, as this server writes it.
  func bytes(_ json: [UInt8]) -> [UInt8] {
    // Who loses the connection comes back after a second and not after the browser's three or more.
    Array("event: \(rawValue)\nid: \(rawValue)\nretry: 1000\ndata: ".utf8) + json + Array("\n\n".utf8)
  }
}
