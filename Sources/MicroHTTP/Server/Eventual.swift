/// A value that there is now, or that a task will have.
package enum Eventual<Value: Sendable, Failure: Error>: Sendable {
  /// At once, on the server's own thread: for whatever does not wait.
  case now(Value)
  /// Of a response: runs as a task while the connection is suspended. The task starts on the server's own thread and
  /// leaves it at its first wait, so it must wait before any long work. The task is cancelled if the server stops before
  /// it ends, and if the peer leaves: at the monitor's next turn if the peer resets the connection, after
  /// `Deadlines.halfClosed` if it closes its side. A peer that closed only its side still gets what a cancelled task
  /// returns.
  case later(@Sendable () async throws(Failure) -> Value)

  package var value: Value {
    get async throws(Failure) {
      switch self {
      case .now(let value): value
      case .later(let work): try await work()
      }
    }
  }

  /// The value that `next` makes of this one: now if both are there.
  package func then<Next>(
    _ next: @escaping @Sendable (Value) throws(Failure) -> Eventual<Next, Failure>
  ) throws(Failure) -> Eventual<Next, Failure> {
    switch self {
    case .now(let value): try next(value)
    case .later(let work): .later { () throws(Failure) in try await next(try await work()).value }
    }
  }
}
