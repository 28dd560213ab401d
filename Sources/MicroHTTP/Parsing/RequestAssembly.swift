/// Puts one request together: events in, actions out, no I/O.
///
/// A refusal for the head goes out before the body is read. libmicrohttpd
/// cannot answer in the middle of a body, so a refusal there waits for its end.
struct RequestAssembly {
  enum Event {
    /// The head was read, and announces so many bytes of body; or it was refused.
    case head(Result<Int, HTTPError>)
    /// So many bytes of the body have come.
    case body(bytes: Int)
    /// The request is complete, or its answer is ready.
    case end
  }

  enum Action: Equatable {
    /// Wait for `expected` bytes of body.
    case proceed(expected: Int)
    /// Keep these bytes of the body; before the first, make room for `expected`.
    case keep(expected: Int)
    /// Drop these bytes of the body.
    case drop
    /// Answer with this refusal, now. `closing`: the connection ends with it,
    /// and bytes of the body may still be on their way.
    case refuse(HTTPError, closing: Bool)
    /// The request is complete: let it be handled.
    case handle
    /// The handler has it already: send its answer, if it is there.
    case answer
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

  /// Makes ready for the next request.
  mutating func begin() { state = .head }

  /// True until the head has come.
  var awaitsHead: Bool { if case .head = state { true } else { false } }

  mutating func receive(_ event: Event) -> Action {
    switch (state, event) {
    case (.head, .head(.failure(let refusal))):
      state = .handled
      return .refuse(refusal, closing: true)
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
    case (.discarding(let refusal), .end):
      state = .handled
      return .refuse(refusal, closing: false)
    case (.handled, .end): return .answer
    case (.handled, .body): return .drop
    case (.head, _), (_, .head):
      // libmicrohttpd calls for a head once, and first.
      state = .handled
      return .refuse(.internalError, closing: true)
    }
  }
}
