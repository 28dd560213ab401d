internal import Crypto
internal import Prompts
internal import StrictJSON

/// Notices for one receiver of one channel, claimed together.
struct ClaimedNotices: Sendable {
  let channel: Channel
  let origin: String
  let notices: [QueuedNotice]
}

extension AskStore {
  /// Takes notices that are due, for one sender only: for each receiver those that go out together.
  ///
  /// - Parameters:
  ///   - rooms: how many messages may go out by each channel now, by its name.
  ///   - lease: how long the sender owns them.
  func claimNotices(
    through channels: [Channel], rooms: [String: Int], lease: Duration
  ) async throws -> [ClaimedNotices] {
    let now = clock.now
    var (claimed, rooms) = ([ClaimedNotices](), rooms)
    for receiver in try await read(.receivers, ["now": .moment(now)]) {
      guard let origin = receiver.text("origin"), receiver.integer("leased") == 0,
        let channel = channels[String(origin.prefix { $0 != " " })], case let room = rooms[channel.name] ?? 0, room > 0
      else { continue }
      let values: NamedValues = [
        "origin": .text(origin), "now": .moment(now), "limit": .integer(Self.mostTogether),
        "leased_until": .moment(now + lease), "next_at": .moment(now + channel.every),
      ]
      let notices = try await write(.claimNotices, values, locking: [.turn(origin)]).map { try QueuedNotice($0) }
      guard !notices.isEmpty else { continue }
      rooms[channel.name] = room - 1
      claimed.append(ClaimedNotices(channel: channel, origin: origin, notices: notices))
    }
    return claimed
  }

  /// Questions of one message.
  private static let mostTogether = 20

  /// Those that went out in one message, in one order.
  func notices(sentAs name: String) async throws -> [QueuedNotice] {
    try await read(.sentNotices, ["sent": .text(name)]).map { try QueuedNotice($0) }
  }

  /// The question as it is now, or `nil` if it is no longer there.
  func entry(of id: AskID) async throws -> NoticeEntry? {
    guard let row = try await read(.askByID, ["id": .id(id)]).first else { return nil }
    let ask = try Ask(row)
    let definition = try JSON(parsing: try secrets.open(ask.definition), limits: .kept)
    let token = try row.bytes("link").map { try secrets.open(Sealable(stored: $0, .link, of: id)) }
    let isOpen = ask.isOpen && ask.expiresAt > clock.now
    var ended: (Outcome.Kind, String?, Timestamp)?
    if let closed = ask.closed {
      ended = (closed.outcome, try secrets.ended(closed).by?.person?.shownName, closed.closedAt)
    } else if !isOpen {
      ended = (.expired, nil, ask.expiresAt)
    }
    let language = definition.text("askedIn") ?? definition.text("language")
    let translated = language.flatMap { definition["translations"]?[$0]?.text("title") }
    return NoticeEntry(
      ask: id, title: translated ?? definition.text("title") ?? "",
      language: language.flatMap(Language.init) ?? .english,
      askedBy: ask.terms.askedBy, requestedBy: ask.terms.requestedBy, expiresAt: ask.expiresAt,
      link: isOpen
        ? token.map { "\(ask.terms.notices?.linkedFrom ?? "")/a/\(String(decoding: $0, as: UTF8.self))" } : nil,
      ended: ended)
  }

  /// Records what became of a claimed notice's attempt.
  ///
  /// - Parameter sent: names the message at the channel, or `nil` if it cannot be updated.
  func settle(_ notice: QueuedNotice, as result: Callback.Result, sent: String?) async throws {
    let (state, retryAt, counts) = result.kept
    let now = clock.now
    _ = try await write(
      .settleNotice,
      [
        "state": .text(state), "counts": .integer(counts), "due_at": .moment(retryAt ?? now), "now": .moment(now),
        "sent": .text(sent), "kind": .text(notice.message.rawValue), "delivery": .text(notice.id),
        "attempts": .integer(notice.attempts),
      ], locking: [.ask(notice.ask.description), .delivery(notice.id)])
  }
}

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
