internal import Asks

extension OutgoingRequest {
  /// A request to the server that a person or a program has chosen.
  ///
  /// - Parameters:
  ///   - key: the idempotency key, by which the server recognizes a retry, or `nil`.
  ///   - headers: more of them.
  init(
    toServer method: String, _ url: String, body: [UInt8]?, key: String? = nil, accept: String = "application/json",
    _ headers: [(name: String, value: String)], mebibytes limit: Int, trusting authorities: String?
  ) {
    let type = body.map { _ in ("Content-Type", "application/json") }
    let usual = [("Accept", accept), ("User-Agent", "OKCancel"), type, key.map { ("Idempotency-Key", $0) }]
    self.init(
      method, url, headers: headers + usual.compactMap(\.self), body: body, limit: limit << 20, usesProxy: true,
      trusting: authorities)
    authoritySettings = "--cacert or \(authoritySettings)"
  }

  /// Sends it, and returns how that ended.
  ///
  /// - Throws: `AskFault.setup` without libcurl: no server is at fault.
  func result(within timeout: Duration) async throws(AskFault) -> OutgoingResult {
    try AskFault.wrapping { try Curl.open() }
    return await send(within: timeout)
  }

  /// The whole response.
  ///
  /// - Throws: `AskFault` that says why there is none.
  func response(in result: OutgoingResult) throws(AskFault) -> (status: Int, body: [UInt8]) {
    switch result {
    case .noResponse(let reason), .lost(let reason): throw .unreachable(reason)
    case .interrupted: throw .unreachable("cancelled")
    case .response(_, _, isCut: true, _): throw .notUnderstood("it is longer than \(responseLimit >> 20) MiB")
    case .response(let status, let body, _, _): return (status, body)
    }
  }
}
