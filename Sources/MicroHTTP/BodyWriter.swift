/// Where the work of a streamed body (`Response.Body.stream`) puts its bytes.
///
/// ```swift
/// return .now(Response(.ok, headers: [("Content-Type", "text/event-stream")], body: .stream { writer in
///   while !Task.isCancelled, writer.write(": still here\n\n") { try? await Task.sleep(for: .seconds(15)) }
/// }))
/// ```
///
/// Any thread may write. Bytes go out at once and in order; nothing waits to
/// fill a buffer.
package struct BodyWriter: Sendable {
  /// Bytes that may wait for a peer that does not read. A write that finds as
  /// many ends the stream instead, so no more is ever held than this and one write.
  package static let waitingLimit = 256 * 1024

  /// Bytes that may wait for the peer when `writeWhenReady` adds more.
  package static let paceLimit = 64 * 1024

  let body: StreamedBody

  /// Sends these bytes.
  ///
  /// - Returns: false when the body is over: the peer has gone or does not
  ///   read, or the server stops. Nothing was kept, and the work may as well return.
  @discardableResult
  package func write(_ bytes: some Collection<UInt8>) -> Bool { body.append(bytes) }

  /// Sends this text as UTF-8; returns as the other `write`.
  @discardableResult
  package func write(_ text: String) -> Bool { body.append(text.utf8) }

  /// Sends these bytes at the pace of the connection: waits while `paceLimit` bytes or more have not been
  /// taken. For long bodies, of which little should be in memory at a time.
  ///
  /// Such a body is either sent whole or seen to be cut: when the server stops before the work has returned,
  /// the connection ends without a last chunk.
  ///
  /// - Returns: as `write`.
  @discardableResult
  package func writeWhenReady(_ bytes: some Collection<UInt8>) async -> Bool {
    await body.room()
    return body.append(bytes)
  }

  /// Ends the body after what was written, and the connection with it, so that the peer sees that the body is
  /// not whole. The work should return.
  package func fail() { body.fail() }
}
