/// Puts one request together: events in, actions out, no I/O.
///
/// An error in the head is responded to before the body is read. libmicrohttpd cannot respond in the middle of a body, so
/// an error there waits for its end.
struct RequestAssembly {
  enum Event {
    /// The head was read, and announces so many bytes of body; or it is not right.
    case head(Result<Int, HTTPError>)
    /// So many bytes of the body have come.
    case body(bytes: Int)
    /// The request is complete, or its response is ready.
    case end
  }

  enum Action: Equatable {
    /// Wait for `expected` bytes of body.
    case proceed(expected: Int)
    /// Keep these bytes of the body; before the first, make room for `expected`.
    case keep(expected: Int)
    /// Drop these bytes of the body.
    case drop
    /// Respond with this error, now. If it is `closing`, the connection ends with it, and bytes of the body may still be
    /// on their way.
    case refuse(HTTPError, closing: Bool)
    /// The request is complete: let it be handled.
    case handle
    /// The handler has it already: send its response, if it is there.
    case respond
  }

  private enum State {
    case head
    case collecting(received: Int, expected: Int)
    case discarding(HTTPError)
    case handled
  }

  /// Bytes of the current request's body.
  var bodyLimit: Int
  private var state = State.head

  init(bodyLimit: Int) { self.bodyLimit = bodyLimit }

  /// Gets ready for the next request.
  mutating func begin() { state = .head }

  /// True until the head has come.
  var awaitsHead: Bool { if case .head = state { true } else { false } }

  mutating func receive(_ event: Event) -> Action {
    switch (state, event) {
    case (.head, .head(.failure(let error))):
      state = .handled
      return .refuse(error, closing: true)
    case (.head, .head(.success(let length))):
      guard length <= bodyLimit else {
        state = .handled
        return .refuse(.contentTooLarge(limit: bodyLimit), closing: true)
      }
      state = .collecting(received: 0, expected: length)
      return .proceed(expected: length)
    case (.collecting(let received, let expected), .body(let bytes)):
      guard received + bytes <= bodyLimit else {
        state = .discarding(.contentTooLarge(limit: bodyLimit))
        return .drop
      }
      state = .collecting(received: received + bytes, expected: expected)
      return .keep(expected: expected)
    case (.collecting, .end):
      state = .handled
      return .handle
    case (.discarding, .body): return .drop
    case (.discarding(let error), .end):
      state = .handled
      return .refuse(error, closing: false)
    case (.handled, .end): return .respond
    case (.handled, .body): return .drop
    case (.head, _), (_, .head):
      // libmicrohttpd calls for a head once, and first.
      state = .handled
      return .refuse(.internalError, closing: true)
    }
  }
}
