internal import MicroHTTP

/// Server-sent events (HTML Standard, section 9.2).
struct EventStream: Sendable {
  private let body: BodyWriter

  /// The time without an event after which a stream sends a comment, so that no proxy closes an idle connection, and
  /// the server notices a client that has gone.
  static let heartbeat: Duration = .seconds(15)

  static func response(_ work: @escaping @Sendable (EventStream) async -> Void) -> Response {
    // nginx would hold events back to fill its buffer.
    let headers = [("Content-Type", "text/event-stream"), ("X-Accel-Buffering", "no")]
    return Response(.ok, headers: headers, body: .stream { await work(EventStream(body: $0)) })
  }

  /// - Parameters:
  ///   - json: on one line, as this server writes it.
  ///   - lines: the event's other fields.
  /// - Returns: false if the client has gone.
  @discardableResult
  func send(_ json: [UInt8], after lines: String) -> Bool {
    body.write(Array((lines + "data: ").utf8) + json + Array("\n\n".utf8))
  }

  /// True if the client no longer sends: nearly always, it has gone.
  var peerHasClosed: Bool { body.peerHasClosed }

  /// Sends a line that clients skip; false if the client has gone.
  func sendComment() -> Bool { body.write(":\n\n") }
}

extension EventStream {
  /// - Returns: false if the client has gone.
  @discardableResult
  func send(_ event: String, _ json: [UInt8]) -> Bool {
    // A client that loses the connection comes back after a second, not after the browser's three or more.
    send(json, after: "event: \(event)\nid: \(event)\nretry: 1000\n")
  }
}
