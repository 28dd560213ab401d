internal import MicroHTTP

/// A value that there is now, or that a task will have.
enum Eventual<Value: Sendable>: Sendable {
  case now(Value)
  case later(@Sendable () async throws(Problem) -> Value)

  var value: Value {
    get async throws(Problem) {
      switch self {
      case .now(let value): value
      case .later(let work): try await work()
      }
    }
  }

  func then<Next>(
    _ next: @escaping @Sendable (Value) throws(Problem) -> Eventual<Next>
  ) throws(Problem) -> Eventual<Next> {
    switch self {
    case .now(let value): try next(value)
    case .later(let work): .later { () throws(Problem) in try await next(try await work()).value }
    }
  }
}

extension Eventual<Response> {
  var reply: Reply {
    switch self {
    case .now(let response): .now(response)
    case .later(let work): .later(work)
    }
  }
}
