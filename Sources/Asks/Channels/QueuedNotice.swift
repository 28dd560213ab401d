internal import Crypto

/// A notice in the queue, as a sender has claimed it.
struct QueuedNotice: Sendable {
  let id: String
  let ask: AskID
  /// The occasion; `closed` updates the message that was sent.
  let message: Message
  /// Names the message at the channel, or `nil` if none was sent that can be updated.
  let sent: String?
  let attempts: Int

  init(_ row: StoreRow) throws {
    id = try row.kept(row.text("delivery"))
    ask = try AskID(row)
    message = try row.kept(row.text("kind").flatMap { Message(rawValue: $0) })
    sent = row.text("sent")
    attempts = Int(row.integer("attempts") ?? 0)
  }

  /// Identifies a message at a channel: the same at every attempt, and says nothing.
  static func name(of notices: [QueuedNotice]) -> String {
    SHA256.hash(data: Array((notices.map(\.id).min() ?? "").utf8)).prefix(16).hexadecimal
  }
}
