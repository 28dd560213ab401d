internal import MicroHTTP
internal import Platform
internal import Prompts

/// A request that the gate has let in: what is requested, by which route and by whom, and whose limits it counts towards.
/// Every handler gets one.
struct Visit: Sendable {
  let request: Request
  let route: Route
  let visitor: Visitor
  var payer: Payer { Payer(request) }
  /// The program that visits, for what goes on after the request was read.
  var program: AskingProgram { AskingProgram(name: visitor.asker, payer: payer, origin: request.origin) }
}

/// A program that asks people, in its own process or by requests.
struct AskingProgram: Sendable {
  /// `nil` if it has none. With a name, it only sees its own asks.
  let name: String?
  /// Whose limits its asks count towards.
  let payer: Payer
  /// The start of people's links, unless the server has one of its own.
  let origin: String
}

/// The visitor that the gate finds in a request's head.
///
/// It holds nothing of the request itself, which the connection only uses again if nobody keeps it.
struct Visitor: Sendable {
  /// The API token of a program, or `nil` for any other visitor.
  var token: Token?
  /// The name of the program that visits, or `nil` if it has none. With a name, it only sees its own asks.
  var asker: String? { token?.name }
  /// The person, as far as known, and how.
  var by = Ended.By.link
  /// True for somebody who is signed in, but has no id: to sign in again would change nothing.
  var isNameless = false
  /// A token that says who the person is, and is still to be checked; or `nil`.
  var assertion: String?
  /// The person who visits, or `nil` if nobody says who that is.
  var person: Person? { by.person }
}

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
