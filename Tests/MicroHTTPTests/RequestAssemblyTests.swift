import Testing

@testable import MicroHTTP

@Suite struct `A request's assembly` {
  typealias Event = RequestAssembly.Event
  typealias Action = RequestAssembly.Action

  static let tooLarge = HTTPError.contentTooLarge(limit: 10)

  static func head(_ length: Int) -> Event { .head(.success(length)) }

  @Test(arguments: [
    ("no body", [head(0), .end], [Action.proceed(expected: 0), .handle]),
    ("one part", [head(3), .body(bytes: 3), .end], [.proceed(expected: 3), .keep(expected: 3), .handle]),
    (
      "several parts", [head(10), .body(bytes: 4), .body(bytes: 6), .end],
      [.proceed(expected: 10), .keep(expected: 10), .keep(expected: 10), .handle]
    ),
    ("an announced length beyond the limit", [head(11)], [.refuse(tooLarge, closing: true)]),
    (
      "a body that grows beyond the limit", [head(0), .body(bytes: 11), .body(bytes: 1), .end, .end],
      [.proceed(expected: 0), .drop, .drop, .refuse(tooLarge, closing: false), .respond]
    ),
    (
      "a part too many", [head(10), .body(bytes: 10), .body(bytes: 1), .end],
      [.proceed(expected: 10), .keep(expected: 10), .drop, .refuse(tooLarge, closing: false)]
    ),
    ("a refused head", [.head(.failure(.lengthRequired))], [.refuse(.lengthRequired, closing: true)]),
    (
      "a refused head, then more", [.head(.failure(.lengthRequired)), .body(bytes: 1), .end],
      [.refuse(.lengthRequired, closing: true), .drop, .respond]
    ),
    (
      "a response that is waited for", [head(0), .end, .end, .end],
      [.proceed(expected: 0), .handle, .respond, .respond]
    ),
    ("no head", [.end], [.refuse(.internalError, closing: true)]),
    ("two heads", [head(0), head(0)], [.proceed(expected: 0), .refuse(.internalError, closing: true)]),
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

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `keeps its promises whatever comes in whatever order`(seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func random(_ bound: UInt64) -> Int {
      state ^= state >> 12
      state ^= state << 25
      state ^= state >> 27
      return Int((state &* 2_685_821_657_736_338_717) >> 33 % bound)
    }
    var assembly = RequestAssembly(bodyLimit: 100)
    var (kept, handled, refused) = (0, 0, 0)
    for _ in 0..<100 {
      let event: Event =
        if assembly.awaitsHead {
          random(5) == 0 ? .head(.failure(.lengthRequired)) : Self.head(random(150))
        } else {
          random(6) == 0 ? .end : .body(bytes: 1 + random(30))
        }
      switch assembly.receive(event) {
      case .keep:
        guard case .body(let bytes) = event else {
          Issue.record("bytes are kept that did not come")
          return
        }
        kept += bytes
        #expect(handled + refused == 0)
      case .handle: handled += 1
      case .refuse: refused += 1
      case .proceed, .drop, .respond: break
      }
    }
    #expect(kept <= 100)
    #expect(handled + refused == 1)
  }
}
