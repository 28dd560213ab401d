internal import MicroHTTP

/// Keeps other sites' pages from posting in a person's name.
struct CrossSite: Sendable {
  private let allowed: [Origin]

  /// - Parameter baseURL: where people find the server, if that is known.
  init(allowed: [Origin], baseURL: String? = nil) {
    self.allowed = allowed + [baseURL.flatMap(Origin.init(of:))].compactMap(\.self)
  }

  /// - Throws: `Problem` 403 for a request that came from another site's page.
  func check(_ request: Request) throws(Problem) {
    guard !permits(request) else { return }
    throw Problem(
      status: .forbidden,
      detail:
        "This request came from another site's page; only origins named with --allow-origin may send such requests.")
  }

  /// Whether a request that changes something may be answered.
  ///
  /// Browsers say where a request comes from: newer ones in `Sec-Fetch-Site` (W3C Fetch
  /// Metadata), all of them in `Origin`. Programs send neither and are no page.
  private func permits(_ request: Request) -> Bool {
    let origin = request.header("origin")
    if let origin, allowed.contains(where: { $0.description == origin }) { return true }
    if let site = request.header("sec-fetch-site") { return site == "same-origin" || site == "none" }
    guard let origin else { return true }
    return Origin(origin)?.description == "\(request.isSecure ? "https" : "http")://\(request.authority)"
  }
}
