internal import MicroHTTP

/// The headers that every response carries.
struct SecurityHeaders: Sendable {
  private let common: CommonHeaders
  /// The same, and that nobody may keep the response.
  private let commonUnstored: CommonHeaders
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
    let pairs: [(name: String, value: String)] = [
      ("Content-Security-Policy", policy.joined(separator: "; ")),
      ("X-Content-Type-Options", "nosniff"),
      ("Referrer-Policy", "no-referrer"),
      ("Cross-Origin-Opener-Policy", "same-origin"),
    ]
    common = CommonHeaders(pairs)
    commonUnstored = CommonHeaders(pairs + [("Cache-Control", "no-store")])
  }
}

extension SecurityHeaders {
  /// The response with these headers, and kept by nobody unless it says otherwise. What was made with
  /// them, and was only added to, stays as it is: a browser heeds none of a header that comes twice.
  func added(to response: Response) -> Response {
    if response.header("Content-Security-Policy") != nil { return response }
    var response = response
    response.common = response.header("Cache-Control") == nil ? commonUnstored : common
    return response
  }
}
