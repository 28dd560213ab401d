import Glibc
import Testing

@testable import MicroHTTP

@Suite struct `The table of connections` {
  let table: ConnectionTable = {
    var configuration = Server.Configuration()
    configuration.connectionLimitPerClient = 2
    return ConnectionTable(configuration)
  }()
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

  @Test func `ends connections that were never used when the server leaves and its patience is over`() throws {
    var pair: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
    defer { for descriptor in pair { close(descriptor) } }
    var byte: UInt8 = 0
    _ = table.add(phases[0], descriptor: pair[0], of: nil)
    table.leave(patience: .seconds(60))
    #expect(recv(pair[0], &byte, 1, Int32(MSG_DONTWAIT)) == -1)
    table.leave(patience: .zero)
    _ = table.sweep(at: .now.advanced(by: .seconds(1)))
    #expect(recv(pair[0], &byte, 1, Int32(MSG_DONTWAIT)) == 0)
  }
}
