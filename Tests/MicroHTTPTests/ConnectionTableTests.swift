import Testing

@testable import MicroHTTP

@Suite struct `The table of connections` {
  let table = ConnectionTable(limit: 100, limitPerClient: 2, deadlines: Deadlines())
  let phases = (0..<3).map { _ in ConnectionPhase(.head, within: 10_000) }

  @Test func `admits as many of one client as its limit says, and others`() throws {
    let client = try #require(IPAddress("192.0.2.1"))
    #expect(table.add(phases[0], descriptor: -1, of: client))
    #expect(table.admits(client))
    #expect(!table.add(phases[1], descriptor: -1, of: client))
    #expect(!table.admits(client))
    #expect(try table.admits(#require(IPAddress("192.0.2.2"))))
    table.remove(phases[0])
    table.remove(phases[0])
    #expect(table.admits(client))
  }

  @Test func `takes a network of IPv6 for one client`() throws {
    #expect(table.add(phases[0], descriptor: -1, of: IPAddress("2001:db8::1")))
    #expect(!table.add(phases[1], descriptor: -1, of: IPAddress("2001:db8::2")))
    #expect(try !table.admits(#require(IPAddress("2001:db8::3"))))
    #expect(try table.admits(#require(IPAddress("2001:db8:0:1::3"))))
  }

  @Test func `says when none is open`() throws {
    let client = try #require(IPAddress("127.0.0.1"))
    #expect(!table.sweep(at: .now))
    _ = table.add(phases[0], descriptor: -1, of: client)
    #expect(table.sweep(at: .now))
    table.remove(phases[0])
    #expect(!table.sweep(at: .now))
    #expect(table.add(phases[0], descriptor: -1, of: client))
  }
}
