internal import MicroHTTP

/// `/healthz`: the process lives. `/readyz`: send it requests; a server that is stopping answers
/// both, like everything else, with 503.
struct HealthRoutes: Sendable {
  func alive(_ request: Request) -> Reply { Self.ok }
  func ready(_ request: Request) -> Reply { Self.ok }

  private static let ok = Reply.now(
    Response(
      .ok, headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
      body: .bytes(Array(#"{"status":"ok"}"#.utf8))))
}
