import Glibc
import Testing

@testable import MicroHTTP
@testable import Platform

@Suite struct `The table of connections` {
  let core: Core = {
    var configuration = Server.Configuration()
    configuration.connectionLimitPerClient = 2
    return Core(configuration, RoutedApplication(Router()))
  }()
  var table: ConnectionTable { core.monitor.connections }

  /// A connection that libmicrohttpd never sees.
  func connection(of client: IPAddress?, descriptor: Int32 = -1) throws -> Connection {
    try Connection(
      core: core, pointer: #require(OpaquePointer(bitPattern: 1)), descriptor: descriptor,
      peer: Sender(address: client, addressText: ""))
  }

  @Test func `admits as many of one client as its limit says, and others`() throws {
    let client = try #require(IPAddress("192.0.2.1"))
    let first = try connection(of: client)
    #expect(table.add(first))
    #expect(table.admits(client))
    #expect(try !table.add(connection(of: client)))
    #expect(!table.admits(client))
    #expect(try table.admits(#require(IPAddress("192.0.2.2"))))
    table.remove(first)
    table.remove(first)
    #expect(table.admits(client))
  }

  @Test func `takes a network of IPv6 for one client`() throws {
    #expect(try table.add(connection(of: IPAddress("2001:db8::1"))))
    #expect(try !table.add(connection(of: IPAddress("2001:db8::2"))))
    #expect(try !table.admits(#require(IPAddress("2001:db8::3"))))
    #expect(try table.admits(#require(IPAddress("2001:db8:0:1::3"))))
  }

  @Test func `says when none is open`() throws {
    let connection = try connection(of: IPAddress("127.0.0.1"))
    #expect(!table.sweep(at: .now))
    _ = table.add(connection)
    #expect(table.sweep(at: .now))
    table.remove(connection)
    #expect(!table.sweep(at: .now))
    #expect(table.add(connection))
  }

  @Test func `ends connections that were never used when the server leaves and its patience is over`() throws {
    var pair: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
    defer { for descriptor in pair { close(descriptor) } }
    var byte: UInt8 = 0
    _ = try table.add(connection(of: nil, descriptor: pair[0]))
    table.leave(patience: .seconds(60))
    #expect(recv(pair[0], &byte, 1, Int32(MSG_DONTWAIT)) == -1)
    table.leave(patience: .zero)
    _ = table.sweep(at: .now.advanced(by: .seconds(1)))
    #expect(recv(pair[0], &byte, 1, Int32(MSG_DONTWAIT)) == 0)
  }
}
