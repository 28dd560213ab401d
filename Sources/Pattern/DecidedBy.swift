/// The judge of a rule: the browser too, or only the server.
package enum DecidedBy: String, Hashable, Sendable {
  /// Both browser and server, with the same verdict on every text.
  case everywhere
  /// Only the server; a browser asks it.
  case server
}
