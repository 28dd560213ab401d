internal import Logging
internal import MicroHTTP

/// Writes one line a request: what, how it was answered and how long it took. Never what was submitted.
struct RequestLog: Sendable {
  private let logger: Logger
  private let isOn: Bool

  init(logger: Logger) {
    self.logger = logger
    isOn = logger.logLevel <= .info
  }

  func observe(_ exchange: Exchange) {
    guard isOn else { return }
    logger.info(
      "request",
      metadata: [
        "id": "\(exchange.id)", "client": "\(exchange.clientAddress)",
        "method": "\(exchange.method)", "path": "\(LoggedPath(exchange.path))",
        "status": exchange.status.map { .stringConvertible($0.rawValue) } ?? "gone",
        "bytes": .stringConvertible(exchange.responseBytes),
        "ms": .stringConvertible(Self.milliseconds(exchange.duration)),
      ])
  }

  /// To the microsecond.
  private static func milliseconds(_ duration: Duration) -> Double {
    Double(duration.attoseconds / 1_000_000_000_000) / 1000
  }
}
