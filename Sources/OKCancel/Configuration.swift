public import Asks
public import MicroHTTP

/// Addresses that begin alike, `10.0.0.0/8`, or one alone.
public typealias AddressBlock = MicroHTTP.AddressBlock

/// How a server is set up. Every setting has the command line's default.
public struct Configuration: Sendable {
  /// An address or a host name to listen on.
  public var host = "127.0.0.1"
  /// 0: any free port.
  public var port = 8080
  /// The descriptor of a TCP socket that listens already, to take instead of `host` and `port`; nil: one is made.
  package var listeningSocket: Int32?
  /// Threads that serve requests; nil: as many as there are active cores.
  public var threads: Int?
  /// Files of PEM to speak HTTPS with: the certificate, with those that lead to its root, and its key; nil: HTTP.
  public var tls: (certificate: String, key: String)?
  /// Whether browsers are told to use HTTPS only (`Strict-Transport-Security`), in answers that go to them by HTTPS.
  public var hsts = true
  /// Connections at a time; more wait to be accepted.
  public var connections = 16_384
  /// Connections at a time from one address; more are closed at once. This machine is excepted.
  public var connectionsPerClient = 1024
  /// A folder of page templates that replace the built-in ones file by file; nil: those alone.
  public var templates: String?
  /// A folder of static files that replace the built-in ones file by file and are served beside them; nil: those alone.
  public var `public`: String?
  /// Origins, such as `https://tools.example.com`, whose pages may embed dialogs, read rules and post here.
  public var allowedOrigins: [Origin] = []
  /// Names that the server answers to, without ports, besides `localhost`, addresses, the machine's own name, `host`
  /// and the host of `baseURL`. With `trustedProxies`, and neither of `baseURL` and this one, it answers to every name.
  public var allowedHosts: [String] = []

  /// The SQLite file of asks and answers; nil: a temporary one that goes with the server.
  public var database: String?
  /// What seals passwords in the database, as `OKCANCEL_KEY` says it; `nil`: that variable, else a file beside the database.
  public var databaseKey: String?
  /// Tokens that programs must show to make asks and read answers. Their length is what keeps them from being
  /// guessed: `serve` takes none of fewer than 22 characters.
  public var apiTokens: [String] = []
  /// The start of links, such as `https://ask.example.com`, or `nil` for the host of the request that makes the ask.
  public var baseURL: String?
  /// URL prefixes that asks may name as their callback; none: asks take no callback.
  public var allowedCallbacks: [CallbackPrefix] = []
  /// What callbacks are signed with, all of them at once; needed where callbacks are allowed.
  public var webhookSecrets: [WebhookSecret] = []
  /// Days to keep closed asks and answers; nil: for ever.
  public var keepDays: Int?

  /// Peers whose word on their clients is taken, in `X-Forwarded-For`, `-Proto` and `-Host`.
  public var trustedProxies: [AddressBlock] = []
  /// How often one client may do what costs the server something.
  public var rateLimits = RateLimits()

  /// Told of each request that is over, on the server's own threads: it must not wait. nil: the server's logger
  /// writes a line for each, at level info.
  public var requestLog: (@Sendable (RequestRecord) -> Void)?

  public init() {}
}
