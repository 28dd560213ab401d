internal import Base
internal import MicroHTTP

/// Whose limits a piece of work counts towards, and whose turn it takes.
struct Payer: Sendable {
  /// Its address; a client without one is on this machine.
  let client: IPAddress
  private let connection: UInt64

  init(_ request: Request) { (client, connection) = (request.client ?? .loopback, request.connection) }

  private init() { (client, connection) = (.loopback, 0) }

  /// A program that runs the server in its own process.
  static let ownProcess = Payer()

  /// On this machine each connection takes turns, since all have one address.
  var turn: ConcurrencyLimiter.Client { client.isLoopback ? .connection(connection) : .address(client.subscriber) }
}
