internal import MicroHTTP

/// The headers that every response carries.
struct SecurityHeaders: Sendable {
  private let common: CommonHeaders
  var headers: [(name: String, value: String)] { common.pairs }

  /// Scripts are loaded by pages of any origin, and a module only where its server says so. There
  /// is no secret in a file, nor anything to do there in a person's name.
  static let ofFiles = [("Access-Control-Allow-Origin", "*"), ("Cross-Origin-Resource-Policy", "cross-origin")]

  /// - Parameter framing: origins that may frame a dialog, besides this server's own.
  init(framing origins: [Origin]) {
    let ancestors = (["'self'"] + origins.map(\.description)).joined(separator: " ")
    let policy = [
      "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
      "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors \(ancestors)",
    ]
    common = CommonHeaders([
      ("Content-Security-Policy", policy.joined(separator: "; ")),
      ("X-Content-Type-Options", "nosniff"),
      ("Referrer-Policy", "no-referrer"),
      ("Cross-Origin-Opener-Policy", "same-origin"),
    ])
  }
}

extension SecurityHeaders {
  /// The response with these headers; constant responses were made with them.
  func added(to response: Response) -> Response {
    if response.isPrepared { return response }
    var response = response
    response.common = common
    return response
  }
}
