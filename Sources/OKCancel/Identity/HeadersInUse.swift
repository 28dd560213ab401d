/// The request headers that clients, proxies and this server use for something else than who visits.
package enum HeadersInUse {
  /// True if a header has a meaning of its own, so that it cannot say who a visitor is.
  package static func include(_ name: String) -> Bool {
    let name = name.lowercased()
    return names.contains(name) || prefixes.contains(where: name.hasPrefix)
  }

  private static let prefixes = ["accept-", "access-control-", "content-", "if-", "mcp-", "sec-"]
  private static let names: Set = [
    "accept", "authorization", "cache-control", "connection", "cookie", "date", "expect", "forwarded", "from", "host",
    "idempotency-key", "keep-alive", "last-event-id", "max-forwards", "origin", "pragma", "prefer",
    "proxy-authorization", "proxy-connection", "range", "referer", "te", "trailer", "transfer-encoding", "upgrade",
    "upgrade-insecure-requests", "user-agent", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-port",
    "x-forwarded-prefix", "x-forwarded-proto", "x-forwarded-server", "x-real-ip", "x-request-id",
  ]
}
