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
public struct BodyWriter: Sendable {
  /// Bytes that may wait for a peer that does not read. A write that finds as
  /// many ends the stream instead, so no more is ever held than this and one write.
  public static let waitingLimit = 256 * 1024

  let body: StreamedBody

  /// Sends these bytes.
  ///
  /// - Returns: false when the body is over: the peer has gone or does not
  ///   read, or the server stops. Nothing was kept, and the work may as well return.
  @discardableResult
  public func write(_ bytes: some Collection<UInt8>) -> Bool { body.append(bytes) }

  /// Sends this text as UTF-8; returns as the other `write`.
  @discardableResult
  public func write(_ text: String) -> Bool { body.append(text.utf8) }
}
