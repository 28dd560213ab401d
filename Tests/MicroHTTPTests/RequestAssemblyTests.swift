import Testing

@testable import MicroHTTP

@Suite struct `A request's assembly` {
  typealias Event = RequestAssembly.Event
  typealias Action = RequestAssembly.Action

  static let tooLarge = Refusal.contentTooLarge(limit: 10)

  static func head(_ length: Int) -> Event { .head(.success(length)) }

  @Test(arguments: [
    ("no body", [head(0), .end], [Action.proceed, .handle]),
    ("one part", [head(3), .body(bytes: 3), .end], [.proceed, .keep(expected: 3), .handle]),
    (
      "several parts", [head(10), .body(bytes: 4), .body(bytes: 6), .end],
      [.proceed, .keep(expected: 10), .keep(expected: 10), .handle]
    ),
    ("an announced length beyond the limit", [head(11)], [.refuse(tooLarge, closing: true)]),
    (
      "a body that grows beyond the limit", [head(0), .body(bytes: 11), .body(bytes: 1), .end, .end],
      [.proceed, .drop, .drop, .refuse(tooLarge, closing: false), .answer]
    ),
    (
      "a part too many", [head(10), .body(bytes: 10), .body(bytes: 1), .end],
      [.proceed, .keep(expected: 10), .drop, .refuse(tooLarge, closing: false)]
    ),
    ("a refused head", [.head(.failure(.lengthRequired))], [.refuse(.lengthRequired, closing: true)]),
    (
      "a refused head, then more", [.head(.failure(.lengthRequired)), .body(bytes: 1), .end],
      [.refuse(.lengthRequired, closing: true), .drop, .answer]
    ),
    ("an answer that is waited for", [head(0), .end, .end, .end], [.proceed, .handle, .answer, .answer]),
    ("no head", [.end], [.refuse(.internalError, closing: true)]),
    ("two heads", [head(0), head(0)], [.proceed, .refuse(.internalError, closing: true)]),
  ])
  func `goes from event to action`(about: String, events: [Event], actions: [Action]) {
    var assembly = RequestAssembly(bodyLimit: 10)
    #expect(events.map { assembly.receive($0) } == actions, "\(about)")
  }

  @Test func `awaits a head once`() {
    var assembly = RequestAssembly(bodyLimit: 10)
    #expect(assembly.awaitsHead)
    _ = assembly.receive(Self.head(1))
    #expect(!assembly.awaitsHead)
  }
}
