internal import Logging

extension Logger {
  /// Writes one line a request: what, how it was answered and how long it took.
  func log(_ request: RequestRecord) {
    info(
      "request",
      metadata: [
        "id": "\(request.id)", "client": "\(request.client)", "method": "\(request.method)", "path": "\(request.path)",
        "status": request.status.map { .stringConvertible($0) } ?? "gone", "bytes": .stringConvertible(request.bytes),
        "ms": .stringConvertible(Double(request.microseconds) / 1000),
      ])
  }
}
