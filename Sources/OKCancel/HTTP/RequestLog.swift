internal import Logging
internal import MicroHTTP

/// Writes one line a request: what, how it was answered and how long it took. Never what was submitted.
struct RequestLog: Sendable {
  let logger: Logger

  func observe(_ exchange: Exchange) {
    guard logger.logLevel <= .info else { return }
    let status = exchange.status.map(\.description) ?? "gone"
    logger.info(
      "\(exchange.method) \(LoggedPath(exchange.path)) \(status)",
      metadata: [
        "bytes": "\(exchange.responseBytes)", "client": "\(exchange.clientAddress)",
        "ms": "\(milliseconds(exchange.duration))",
      ])
  }

  private func milliseconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    let fraction = String(microseconds % 1000)
    return "\(microseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
}
