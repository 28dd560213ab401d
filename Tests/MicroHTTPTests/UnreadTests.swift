import Testing

@testable import MicroHTTP

@Suite(.timeLimit(.minutes(5))) struct `What nobody reads` {
  static let size = 1 << 20

  /// Answers of a megabyte each: of their own, or one that all of them share.
  static func running(
    isShared: Bool = false, _ adjust: (inout Server.Configuration) -> Void = { _ in }
  ) throws -> RunningServer {
    let bytes = [UInt8](repeating: 0x2E, count: size)
    let shared = Response(.ok, body: .bytes(bytes)).preparedOnce
    return try RunningServer(adjust: adjust) { router in
      router.on(.get, "/") { _ in .now(isShared ? shared : Response(.ok, body: .bytes(bytes))) }
      router.on(.get, "/stream") { _ in
        .stream { writer in while await writer.writeWhenReady(bytes[..<4096]) {} }
      }
      router.on(.get, "/rest") { _ in
        .stream { writer in
          writer.write([UInt8](repeating: 0x2E, count: 128 << 10))
          try? await Task.sleep(for: .seconds(3600))
        }
      }
    }
  }

  /// So many clients that ask and do not read.
  static func clients(_ count: Int, of running: RunningServer, _ path: String = "/") throws -> [RawClient] {
    try (0..<count).map { _ in
      let client = try RawClient(port: running.port, room: 4096)
      try client.send(get(path))
      return client
    }
  }

  /// Promise 3.4
  @Test(arguments: [(true, "/"), (false, "/"), (false, "/stream"), (false, "/rest")])
  func `is given up when no byte of it was taken for the time of an answer`(isShared: Bool, path: String) async throws {
    let running = try Self.running(isShared: isShared) {
      $0.deadlines.response = .milliseconds(300)
      // By its length it would have a quarter of an hour.
      $0.deadlines.responseRate = 1024
    }
    let clients = try Self.clients(3, of: running, path)
    _ = await running.log.exchanges(3)
    withExtendedLifetime(clients) {}
  }

  /// Promise 3.4
  @Test func `is less than the limit of one client, whose slowest readers are cut off`() async throws {
    let running = try Self.running { $0.unreadLimitPerClient = 4 * Self.size }
    let clients = try Self.clients(10, of: running)
    // A megabyte and what the kernel has of it: three are within the limit.
    #expect(await running.log.exchanges(7).count >= 7)
    var whole = 0
    for client in clients where (try? client.answer().body.count) == Self.size { whole += 1 }
    #expect(whole == 3)
    #expect(try running.answer(to: get()).body.count == Self.size)
  }

  @Test func `costs nothing of its own where others are sent the same`() async throws {
    let running = try Self.running(isShared: true) { $0.unreadLimitPerClient = 4 * Self.size }
    for client in try Self.clients(10, of: running) { #expect(try client.answer().body.count == Self.size) }
  }

  /// Promise 3.4
  @Test func `has a limit for all together, which is the only one of a trusted proxy`() async throws {
    let running = try Self.running {
      $0.trustedProxies = TrustedProxies([AddressBlock("127.0.0.1")!])
      ($0.unreadLimitPerClient, $0.unreadLimit) = (Self.size, 8 * Self.size)
    }
    let clients = try Self.clients(20, of: running)
    #expect(await running.log.exchanges(13).count >= 13)
    var whole = 0
    for client in clients where (try? client.answer().body.count) == Self.size { whole += 1 }
    #expect(whole > 1)
    #expect(whole < 8)
  }
}
