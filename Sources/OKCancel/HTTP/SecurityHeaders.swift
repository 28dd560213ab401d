internal import MicroHTTP

/// The headers that every response carries.
struct SecurityHeaders: Sendable {
  let headers: [(name: String, value: String)]
  /// True if a proxy may handle TLS: then only responses that leave over HTTPS get `Strict-Transport-Security`.
  private let saysSoByProxy: Bool

  /// A year, for this name only: what else is under it is not ours to decide (RFC 6797, section 6.1).
  private static let hsts = ("Strict-Transport-Security", "max-age=31536000")

  /// The headers of a static file. Pages of any origin may load it: browsers load a module from another origin only with
  /// the last header. The files hold no secrets, and nothing can be done with them in a person's name. A script or a
  /// style sheet is no document, so it does without what only documents obey.
  func ofFile(at path: String) -> [(name: String, value: String)] {
    let isPart = [".js", ".mjs", ".css"].contains(where: path.hasSuffix)
    let ofDocuments = [
      "Content-Security-Policy", "Referrer-Policy", "Cross-Origin-Opener-Policy", "Cross-Origin-Embedder-Policy",
    ]
    return headers.filter { !isPart || !ofDocuments.contains($0.name) } + [("Access-Control-Allow-Origin", "*")]
  }

  init(_ configuration: Configuration) {
    let hasTLS = configuration.tls != nil, hsts = configuration.hsts
    headers =
      [
        ("Content-Security-Policy", Self.policy(framing: configuration.allowedOrigins)),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        // A page that is isolated itself (`require-corp`) frames only pages that are, and that let it.
        ("Cross-Origin-Embedder-Policy", "require-corp"),
        ("Cross-Origin-Resource-Policy", "cross-origin"),
      ] + (hasTLS && hsts ? [Self.hsts] : [])
    saysSoByProxy = hsts && !hasTLS
  }

  private static func policy(framing origins: [Origin]) -> String {
    let ancestors = (["'self'"] + origins.map(\.description)).joined(separator: " ")
    return [
      "default-src 'none'", "script-src 'self' \(Resources.inlinedScripts)",
      "style-src 'self' \(Resources.inlinedStyles)", "img-src 'self' data:", "font-src 'self'",
      "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors \(ancestors)",
    ].joined(separator: "; ")
  }

  /// The headers of a page that only this other origin may frame, and that nobody keeps.
  func framed(by origin: Origin) -> [(name: String, value: String)] {
    headers.map { $0.name == "Content-Security-Policy" ? ($0.name, Self.policy(framing: [origin])) : $0 }
      + [("Cache-Control", "no-store")]
  }

  /// The response with these headers, and not cacheable unless it says otherwise. A response that was made with them
  /// stays as it is: browsers ignore a header that comes twice.
  func added(to response: Response, for request: Request?) -> Response {
    var response = response
    if response.header("X-Content-Type-Options") == nil {
      if response.header("Cache-Control") == nil { response.headers.append(("Cache-Control", "no-store")) }
      response.headers += headers
    }
    if let request, lack(hstsIn: request) { response.headers.append(Self.hsts) }
    return response
  }

  /// True if the response to this request has a header that most responses lack.
  func lack(hstsIn request: Request) -> Bool { saysSoByProxy && request.isSecure }
}
