internal import MicroHTTP
internal import Prompts

/// Decides what pages of other sites may do. Those of the allowed origins may read rules, request verdicts and post
/// here; no other page may post in a person's name.
///
/// Only the origin that asks is named, never `*`, and never with credentials: there are none (Fetch standard, section
/// 3.3). What is refused stays readable for programs; it is the browser that keeps it from the page.
struct CrossOrigin: Sendable {
  private let allowed: [Origin]
  /// The server's own, as its base URL has it, or `nil` if that is not known.
  private let ownOrigin: Origin?

  /// The number of seconds for which a browser may cache the response to a preflight request.
  private static let maxAge = "600"

  init(_ configuration: Configuration) {
    (allowed, ownOrigin) = (configuration.allowedOrigins, configuration.baseURL.flatMap(Origin.init(of:)))
  }

  func allows(_ origin: Origin) -> Bool { allowed.contains(origin) }

  /// Browsers say where a request comes from: newer ones in `Sec-Fetch-Site` (W3C Fetch Metadata), all of them in
  /// `Origin`. Programs send neither.
  ///
  /// - Parameter isAction: whether the pages of other sites may not request it.
  /// - Throws: `Problem` 403 for an action that came from such a page, 400 if the request says twice where it comes from,
  ///   since programs differ on which one counts.
  func check(_ request: Request, isAction: Bool) throws(Problem) {
    let (origin, site) = (try request.field("origin"), try request.field("sec-fetch-site"))
    guard isAction, origin != nil || site != nil else { return }
    if let origin, origin == ownOrigin?.description || allowedOrigin(of: request) != nil { return }
    let isOwn = site.map { $0 == "same-origin" || $0 == "none" }
    guard isOwn ?? (origin.flatMap { Origin($0)?.description } == request.origin) else { throw Problem("cross-site") }
  }

  /// The origin of the page that sends this, if it is allowed.
  private func allowedOrigin(of request: Request) -> String? {
    guard !allowed.isEmpty, let origin = request.header("origin") else { return nil }
    return allowed.contains { $0.description == origin } ? origin : nil
  }

  /// The headers of cacheable responses: they differ between origins.
  var varying: [(name: String, value: String)] { allowed.isEmpty ? [] : [("Vary", "Origin")] }

  /// Makes a response, also to what is refused, readable for a page of an allowed origin.
  func share(_ response: inout Response, with request: Request) {
    if let origin = allowedOrigin(of: request) { response.headers.append(("Access-Control-Allow-Origin", origin)) }
  }

  /// Responds to a preflight request, which a browser sends before a page's request with JSON (section 3.3.4).
  func preflight(_ request: Request, methods: [Method]) -> Response {
    var headers = [("Allow", (methods + [.options]).map(\.token).joined(separator: ", "))] + varying
    if let origin = allowedOrigin(of: request), request.header("access-control-request-method") != nil {
      headers += [
        ("Access-Control-Allow-Origin", origin),
        ("Access-Control-Allow-Methods", methods.map(\.token).joined(separator: ", ")),
        ("Access-Control-Allow-Headers", "Content-Type"),
        ("Access-Control-Max-Age", Self.maxAge),
      ]
    }
    return Response(.noContent, headers: headers)
  }
}

/// A web origin: scheme, host and port (RFC 6454), as browsers send it in `Origin`.
public struct Origin: Sendable, Hashable, CustomStringConvertible {
  /// `https://tools.example.com`, without the scheme's own port.
  public let description: String

  /// Reads `http://HOST[:PORT]` or `https://HOST[:PORT]` in lower case; `nil` for anything else.
  ///
  /// A scheme's own port is left out, as browsers do: `https://a.example:443` is `https://a.example`.
  public init?(_ text: String) {
    var reader = TextReader(text)
    guard let (scheme, usual) = [("https://", "443"), ("http://", "80")].first(where: { reader.take($0.0) }),
      let host = reader.takeHost("0-9a-z._-", address: "0-9a-f:."), !host.isEmpty
    else { return nil }
    let port = reader.take(":") ? reader.take(some: "0-9") : Substring(usual)
    guard let port, reader.isAtEnd, port.first != "0", (1...65_535).contains(Int(port) ?? 0) else { return nil }
    description = scheme + host + (port == usual ? "" : ":\(port)")
  }

  /// The origin of a URL.
  init?(of url: String) {
    let (scheme, authority, _) = url.urlParts
    self.init((scheme + authority).lowercased())
  }
}
