public import Asks
@_exported public import struct Asks.CallbackPrefix
@_exported public import struct Asks.Channel
@_exported public import struct Asks.WebhookSecret
public import MicroHTTP
@_exported public import struct MicroHTTP.AddressBlock
@_exported public import Prompts

// `import OKCancel` brings the vocabulary of prompts with it: a program that makes a server makes prompts.

/// The configuration of a server. The defaults are those of the command line, except for the database, the API tokens
/// and the request log.
public struct Configuration: Sendable {
  /// The address or host name to listen on.
  public var host = "127.0.0.1"
  /// The port to listen on, or 0 for any free port. `nil` is 8080, or any free port if the server has neither prompts
  /// nor API tokens, so that it can only ask.
  public var port: Int?
  package static let usualPort = 8080
  /// The descriptor of a listening TCP socket to use instead of `host` and `port`, or `nil` to make one.
  package var listeningSocket: Int32?
  /// The number of threads that serve requests, or `nil` for one per active core.
  public var threads: Int?
  /// The PEM files of HTTPS: the certificate, with those that lead to its root, and its key. `nil` for HTTP.
  public var tls: (certificate: String, key: String)?
  /// True if responses over HTTPS tell browsers to use only HTTPS from now on (`Strict-Transport-Security`).
  public var hsts = true
  /// The number of connections that are served at a time; more wait to be accepted.
  public var connections = 16_384
  /// The number of connections that one address may have; more are closed at once. This machine and trusted proxies may
  /// have any number.
  public var connectionsPerClient = 1024
  /// A folder of page templates that replace the built-in ones file by file, or `nil` to use only those.
  public var templates: String?
  /// A folder of static files that replace the built-in ones file by file, or are served beside them; `nil` for none.
  public var `public`: String?
  /// True if open pages are told of changed prompts and files, and of errors in them; for authors, on this machine.
  package var isWatched = false
  /// Origins, such as `https://tools.example.com`, whose pages may embed dialogs, read rules and post here.
  public var allowedOrigins: [Origin] = []
  /// Names that the server responds to, without ports, besides `localhost`, addresses, the machine's own name, `host`
  /// and the host of `baseURL`. With `trustedProxies`, and neither of `baseURL` and this one, it responds to every name.
  public var allowedHosts: [String] = []

  /// Where to report a vulnerability, for `/.well-known/security.txt` (RFC 9116), or `nil` to have no such file.
  public var securityContact: SecurityContact?

  /// The language of prompts that name none, as a tag (BCP 47), and of pages that belong to no prompt.
  public var language = "en"

  /// The time zone of moments (`format: date-time`) for which a JSON Schema names none, or `nil` to refuse them.
  public var timeZone: Field.TimeZone?

  /// The SQLite file of asks and answers, or the `postgresql://` address of a database that several servers share, or
  /// `nil` for a temporary file that is removed with the server.
  public var database: String?
  /// The direct `postgresql://` address if `database` is the address of a connection pooler, through which servers
  /// cannot listen for notifications; otherwise `nil`.
  public var directDatabase: String?
  /// The password for a PostgreSQL database whose address has none, or `nil` to take that of `PGPASSWORD` or `~/.pgpass`.
  public var databasePassword: String?
  /// The key that seals passwords in the database, in the form of `OKCANCEL_KEY`. `nil` for the key in that variable
  /// or, without one, in a file beside the database.
  public var databaseKey: String?
  /// Tokens that programs must show to make asks and read answers. Use at least 22 random characters, so that nobody
  /// can guess them. `release-bot:ask=TOKEN` is a token with a name and scopes: `ask`, `answers`, `metrics`, `vouch`; all of
  /// them if none is given.
  public var apiTokens: [String] = []
  /// The start of links, such as `https://ask.example.com`, or `nil` for the host of the request that makes the ask.
  public var baseURL: String?
  /// URL prefixes that asks may name as their callback. If there are none, asks take no callback.
  public var allowedCallbacks: [CallbackPrefix] = []
  /// The secrets that sign callbacks, all of them at once. Callbacks need at least one.
  public var webhookSecrets: [WebhookSecret] = []
  /// The ways to tell people of asks, by names of their own. Those of plain JSON need a webhook secret.
  public var channels: [Channel] = []
  /// The number of days to keep closed asks and answers, or `nil` to keep them forever.
  public var keepDays: Int?

  /// Proxies whose `X-Forwarded-For`, `-Proto` and `-Host` are believed.
  public var trustedProxies: [AddressBlock] = []
  /// The proxy in front that says who visitors are, or `nil` for none: then whoever has a link can answer.
  public var identity: Identity?
  /// Where people sign in, like `https://auth.example.com/?rd={url}`, with `{url}` for the page to come back to; or `nil`.
  public var signIn: String?
  /// The rates at which one client may do what costs the server something.
  public var rateLimits = RateLimits()

  /// True if people may allow a coding agent more calls like the one that its hook asks about, as the agent suggests.
  public var offersSuggestions = true

  /// Answers that are given instead of people's, by the name or the title of a prompt; for tests. `nil` for people.
  package var answers: [String: [CannedAnswer]]?

  /// Called with each completed request, on the server's own threads, so it must not wait. If it is `nil`, the server's
  /// logger writes a line for each, at level info.
  package var requestLog: (@Sendable (RequestRecord) -> Void)?

  /// The defaults.
  public init() {}
}

/// The path of `baseURL`, under which a proxy offers the server beside other sites.
///
/// Every address in a page or a response begins with it. A request's may, since some proxies leave it out.
extension Configuration {
  /// `/ask`; empty if the server has its host to itself.
  var basePath: String {
    guard let url = baseURL?.urlParts, !url.scheme.isEmpty else { return "" }
    return url.path.split(separator: "/").map { "/\($0)" }.joined()
  }

  /// - Parameter files: the paths of the operator's own.
  /// - Throws: `AskFault` if no browser can send the name in `baseURL`, or if a request could be for the base path as well
  ///   as for one of the server's routes or files.
  package func checkBaseURL(files: [String] = []) throws(AskFault) {
    if let baseURL, !HostNames.canBeSent(HostNames.authority(of: baseURL)) {
      throw AskFault.setup("no browser sends the name in \(baseURL) like this; write letters outside ASCII as xn--…")
    }
    if let path = baseURL?.urlParts.path, path.firstRange(of: "//") != nil {
      throw AskFault.setup("the path of --base-url has two slashes side by side; keep one of them; it is \(path)")
    }
    let segments = basePath.split(separator: "/")
    let characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8
    guard let first = segments.first else { return }
    guard segments.allSatisfy({ $0 != "." && $0 != ".." && $0.utf8.allSatisfy(characters.contains) }) else {
      throw AskFault.setup("the path of --base-url may only have letters, digits, - . _ and ~; it is \(basePath)")
    }
    let taken = Routes.names + Resources.public.keys + files
    guard !taken.contains(where: { $0.split(separator: "/").first == first }) else {
      throw AskFault.setup(
        "the path of --base-url cannot begin with /\(first), an address of the server; choose another")
    }
  }
}
