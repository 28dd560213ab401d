internal import MicroHTTP

/// `/healthz`: the process lives. `/readyz`: send it requests; a server that is stopping says 503.
struct HealthRoutes: Sendable {
  let readiness: Readiness

  func alive(_ request: Request) throws(Problem) -> Route.Reply { .now(Self.ok) }

  func ready(_ request: Request) throws(Problem) -> Route.Reply {
    .later {
      guard let obstacle = await readiness.obstacle() else { return Self.ok }
      return Problem(status: .serviceUnavailable, detail: obstacle, headers: [("Retry-After", "5")]).response
    }
  }

  private static let ok = Response(.ok, type: "application/json", bytes: Array(#"{"status":"ok"}"#.utf8))
}
