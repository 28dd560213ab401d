package import Prompts

extension AskStore {
  /// Notices of one claim.
  private static let mostTogether = 20

  /// Takes deliveries that are due, for one sender only, those of the longest overdue receiver first.
  ///
  /// What a sender that ended has left is struck instead: it waits to be sent by itself, after all others, and is set
  /// aside if the next three senders end then too.
  ///
  /// - Parameters:
  ///   - channels: the ways to tell people; what waits for others stays.
  ///   - isAlone: true to take a single delivery that was struck, false to take the others.
  ///   - limit: how many callbacks to take at most.
  ///   - perReceiver: how many callbacks may be on their way to one origin, and messages by one channel, at once, so that
  ///     a receiver that does not respond delays no other.
  ///   - limits: for some origins and channels, the number that replaces `perReceiver`; 0 takes none.
  ///   - lease: how long the sender owns a callback; notices twice as long, since several messages go out one after the
  ///     other. What it has not settled by then is due again.
  package func claim(
    through channels: [Channel] = [], alone isAlone: Bool = false, limit: Int, perReceiver: Int,
    limits: [String: Int] = [:], lease: Duration
  ) async throws -> Claimed {
    let now = clock.now
    var (claimed, limits) = (Claimed(), limits)
    var receivers = try await read(.receivers, ["now": .moment(now)])
    repeat {
      var room = limit - claimed.claims.count { $0.channel == nil }
      var (chosen, left): ([(claim: Claim, strikes: Int64, count: Int)], [StoreRow]) = ([], [])
      for receiver in receivers {
        guard let origin = receiver.text("origin"), let strikes = receiver.integer("strikes") else { continue }
        let name = receiver.text("channel"), channel = name.flatMap { channels[$0] }
        guard name == nil || channel != nil else { continue }
        let claim = Claim(channel: channel, origin: origin, deliveries: [])
        let leased = Int(receiver.integer("leased") ?? 0), free = limits[claim.limited] ?? perReceiver
        guard channel == nil ? free > leased : free > 0 && leased == 0 else { continue }
        if strikes > 0 { claimed.isStruckDue = true }
        guard isAlone == (strikes > 0) else { continue }
        if channel == nil, room <= 0 {
          left.append(receiver)
          continue
        }
        let count = isAlone ? 1 : channel == nil ? min(room, free - leased) : Self.mostTogether
        if channel == nil { room -= count } else { limits[claim.limited] = free - 1 }
        chosen.append((claim, strikes, count))
      }
      if isAlone {
        for (claim, strikes, count) in chosen where !claimed.foundAny {
          claimed.add(try await fill(claim, strikes, count, at: now, lease))
        }
        return claimed
      }
      let parts = await chosen.sideBySide { try await self.fill($0.claim, $0.strikes, $0.count, at: now, lease) }
      for case .success(let part) in parts { claimed.add(part) }
      // What others have claimed is sent.
      if !claimed.foundAny { for part in parts { _ = try part.get() } }
      // The room that a receiver did not need is left to the next ones.
      receivers = chosen.isEmpty ? [] : left
    } while !receivers.isEmpty
    return claimed
  }

  /// Claims up to so many of the deliveries that a receiver waits for.
  private func fill(
    _ claim: Claim, _ strikes: Int64, _ count: Int, at now: Timestamp, _ lease: Duration
  ) async throws -> Claimed {
    let values: NamedValues = [
      "origin": .text(claim.origin), "strikes": .integer(strikes), "limit": .integer(count), "now": .moment(now),
      "leased_until": .moment(now + (claim.channel == nil ? lease : lease * 2)),
      "next_at": .integer(claim.channel.map { (now + $0.every).milliseconds }),
      // Nobody else has an SQLite file: what was left there is marked when it is opened.
      "ended": isShared ? .moment(now) : .integer(1),
    ]
    let rows = try await write(.claim, values, locking: claim.channel == nil ? [] : [.turn(claim.origin)])
    // One that cannot be read is set aside in the end.
    func claims(_ isMeant: (StoreRow) -> Bool) -> [Claim] {
      let found = rows.filter(isMeant).compactMap { try? Delivery($0) }
      let messages = claim.channel == nil ? found.map { [$0] } : found.isEmpty ? [] : [found]
      return messages.map { Claim(channel: claim.channel, origin: claim.origin, deliveries: $0) }
    }
    return Claimed(
      claims: claims { $0.integer("leased_until") ?? 0 > 0 }, setAside: claims { $0.text("state") == "given up" },
      foundAny: !rows.isEmpty)
  }

  /// Records what became of a claimed delivery's attempt.
  ///
  /// - Parameters:
  ///   - error: why it failed, or `nil`.
  ///   - mayHaveArrived: true if the receiver may have it, although it did not say so.
  ///   - shownEnd: the end of its question that a notice has shown, or `nil`. If there is another one by now, the notice
  ///     is due again, as an update.
  package func settle(
    _ delivery: Delivery, as result: Delivery.Result, error: String? = nil, mayHaveArrived: Bool = false,
    shownEnd: Timestamp? = nil
  ) async throws {
    let (state, sent, retryAfter, counts) = result.kept
    let hasArrived = mayHaveArrived || delivery.isUpdate || state == "delivered"
    let now = clock.now
    // The end of its ask changes a notice of another occasion.
    let ask = delivery.message.kind == Message.closed.rawValue ? [] : [StoreLock.ask(delivery.ask.description)]
    _ = try await write(
      .settle,
      [
        "state": .text(state), "counts": .integer(counts), "due_at": .moment(now + retryAfter), "now": .moment(now),
        "sent": .text(sent), "kind": .text(delivery.message.kind), "delivery": .text(delivery.id),
        "attempts": .integer(delivery.attempts), "arrived": .flag(hasArrived), "error": .text(error),
        "shown_end": .integer(shownEnd?.milliseconds),
      ], locking: ask + [.delivery(delivery.id)])
  }

  /// The moment at which the next delivery is due or its lease ends, or `nil` if none waits.
  func nextDelivery() async throws -> Timestamp? {
    try await read(.nextDelivery).first?.timestamp("due_at")
  }

  /// The asks of which one message told, or may have, in one order.
  ///
  /// - Parameter tried: the notice that it was named after, or `nil` if it has its name from the channel.
  func asks(toldBy message: String, tried: String?) async throws -> [AskID] {
    try await read(.sentNotices, ["sent": .text(message), "tried": .text(tried)]).map { try AskID($0) }
  }

  /// True if a message to this receiver can be updated by the name that it was sent under.
  func knowsNames(_ origin: String) async throws -> Bool {
    try await !read(.named, ["origin": .text(origin)]).isEmpty
  }

  /// The notices after which the messages were named in which a receiver was told of an ask.
  func tried(of id: AskID, _ origin: String) async throws -> [String] {
    let rows = try await read(.told, ["id": .id(id)]).filter {
      $0.text("origin") == origin && $0.text("kind") == "asked"
    }
    return rows.compactMap { $0.text("tried") }
  }

  /// Lets nothing wait longer than its own interval although the clock was set back: see `rewind` in statements.sql.
  ///
  /// - Parameter starts: true if notices that failed are due at once.
  func rewind(asItStarts starts: Bool) async throws {
    _ = try await write(.rewind, ["now": .moment(clock.now), "starts": .flag(starts)])
  }

  /// What became of the notices of an ask, first those of the question, then its reminders.
  package func told(of id: AskID) async throws -> [Told] {
    try await read(.told, ["id": .id(id)]).map { row in
      let wasSent = row.text("state") == "delivered" || row.text("sent") != nil, error = row.text("error")
      let hasFailed = error != nil || row.integer("strikes") ?? 0 > 3
      return Told(
        channel: row.text("channel") ?? "",
        state: wasSent ? .sent : row.text("state") == "waiting" ? .waiting : hasFailed ? .failed : .withdrawn,
        attempts: max(wasSent ? 1 : 0, Int(row.integer("attempts") ?? 0)), at: row.timestamp("since"), error: error)
    }
  }

  /// The question as it is now, or `nil` if it is no longer there.
  func entry(of id: AskID) async throws -> NoticeEntry? {
    guard let row = try await read(.askByID, ["id": .id(id)]).first else { return nil }
    let ask = try Ask(row)
    let definition = try JSON(parsing: try secrets.open(ask.definition), limits: .kept)
    let token = try row.bytes("link").map { try secrets.open(Sealable(stored: $0, .link, of: id)) }
    let isOpen = ask.isOpen && ask.expiresAt > clock.now
    var ended: (Outcome.Kind, String?, Timestamp)?, result: AskResult?
    if let closed = ask.closed {
      let end = try secrets.ended(closed)
      ended = (closed.outcome, end.by?.person?.shownName, closed.closedAt)
      result = end.result
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
      ended: ended, result: result)
  }
}
