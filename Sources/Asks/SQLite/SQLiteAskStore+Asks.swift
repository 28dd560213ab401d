internal import Foundation
internal import GRDB
package import Prompts

extension SQLiteAskStore {
  package func create(_ draft: AskDraft, idempotency key: IdempotencyKey?) async throws -> Creation {
    try await connection.write { [secrets, clock] db in
      let fingerprints = key.map { Self.fingerprints(of: $0, by: secrets) } ?? []
      for (key, body) in fingerprints {
        guard let row = try db.row("SELECT * FROM asks WHERE idempotency_key = ?", [key]) else { continue }
        guard row["idempotency_body"] as Data == body else { return .conflict }
        let ask = try Ask(row)
        return .existing(ask, try Self.token(of: ask, row, openedWith: secrets))
      }
      let token = LinkToken()
      let ask = Self.ask(of: draft, at: clock.now, sealedWith: secrets)
      let link = key.map { _ in
        secrets.seal(Array(token.text.utf8), context: SecretBox.context(.link, of: ask.id)).data
      }
      try db.run(
        """
        INSERT INTO asks (id, link_hash, link, idempotency_key, idempotency_body, prompt, definition,
          initial, metadata, callback, holds_passwords, created_at, expires_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          ask.id.description, Data(token.hash.bytes), link, fingerprints.first?.key, fingerprints.first?.body,
          ask.prompt, ask.definition.data, ask.values.data, Data(ask.metadata), ask.callback,
          draft.holdsPasswords, ask.createdAt.milliseconds, ask.expiresAt.milliseconds,
        ])
      return .created(ask, token)
    }
  }

  /// What a request may have been kept by, once for each key; the first is for a new one.
  private static func fingerprints(of key: IdempotencyKey, by secrets: SecretBox) -> [(key: Data, body: Data)] {
    zip(
      secrets.fingerprints(Array("key ".utf8) + key.text.utf8), secrets.fingerprints(Array("body ".utf8) + key.body)
    ).map { (Data($0), Data($1)) }
  }

  private static func ask(of draft: AskDraft, at now: Timestamp, sealedWith secrets: SecretBox) -> Ask {
    let id = AskID()
    func keep(_ bytes: [UInt8], _ part: SecretBox.Part) -> Sealable {
      secrets.keep(bytes, sealed: draft.holdsPasswords, context: SecretBox.context(part, of: id))
    }
    return Ask(
      id: id, prompt: draft.prompt, definition: keep(draft.definition, .definition),
      values: keep(draft.values, .values), metadata: draft.metadata, callback: draft.callback,
      createdAt: now, expiresAt: now + draft.expiresIn, closed: nil)
  }

  private static func token(of ask: Ask, _ row: Row, openedWith secrets: SecretBox) throws -> LinkToken? {
    guard let link = row["link"] as Data? else { return nil }
    let text = try secrets.open(
      Sealable(stored: Array(link)), context: SecretBox.context(.link, of: ask.id))
    return LinkToken(String(decoding: text, as: UTF8.self))
  }
}

extension SQLiteAskStore {
  package func ask(_ id: AskID) async throws -> Ask? {
    try await upToDate { try $0.row("SELECT * FROM asks WHERE id = ?", [id.description]) }
  }

  package func ask(linkedBy token: LinkToken) async throws -> Ask? {
    let hash = token.hash
    return try await upToDate { db in
      let row = try db.row("SELECT * FROM asks WHERE link_hash = ?", [Data(hash.bytes)])
      return row.flatMap { LinkToken.Hash(bytes: $0.bytes("link_hash")) == hash ? $0 : nil }
    }
  }

  /// The row's ask; closed first where its time is over.
  private func upToDate(_ find: @escaping @Sendable (Database) throws -> Row?) async throws -> Ask? {
    guard let ask = try await connection.read({ try find($0).map(Ask.init) }) else { return nil }
    guard ask.isOpen, ask.expiresAt <= clock.now else { return ask }
    _ = try await close(ask.id, as: .expired)
    return try await connection.read { try find($0).map(Ask.init) }
  }

  package func close(_ id: AskID, as outcome: Outcome) async throws -> Closing {
    try await connection.write { [self] (result: Closing.Committed) in
      announce([result])
    } _: { [secrets, clock] db in
      try Closing.Committed(id, as: outcome, at: clock.now, sealedWith: secrets, on: db)
    }.closing
  }

  package func expireDue(limit: Int) async throws -> Int {
    // Mostly there is nothing to write, and a transaction would say that the disk is well.
    guard let next = try await nextExpiry(), next <= clock.now else { return 0 }
    return try await connection.write { [self] (results: [Closing.Committed]) in
      announce(results)
    } _: { [secrets, clock] db in
      let now = clock.now
      let due = try db.rows(
        "SELECT id FROM asks WHERE outcome IS NULL AND expires_at <= ? ORDER BY expires_at LIMIT ?",
        [now.milliseconds, limit])
      return try due.map {
        try Closing.Committed(AskID($0, column: "id"), as: .expired, at: now, sealedWith: secrets, on: db)
      }
    }.count
  }

  /// Tells those who wait for these; after the commit.
  private func announce(_ results: [Closing.Committed]) {
    for new in results.compactMap(\.new) { waiters.wake(new) }
    if results.contains(where: \.hasCallback) { callbackSignal.ring() }
  }

  package func nextExpiry() async throws -> Timestamp? {
    try await connection.read { db in
      try db.row("SELECT expires_at FROM asks WHERE outcome IS NULL ORDER BY expires_at LIMIT 1")?
        .timestamp("expires_at")
    }
  }
}

extension Closing {
  /// What one closing did in its transaction.
  struct Committed: Sendable {
    let closing: Closing
    /// Set where this very closing ended the ask; whoever waits for it is to be woken.
    let new: ClosedAsk?
    /// Whether a callback was queued for it.
    let hasCallback: Bool
  }
}

extension Closing.Committed {
  /// Ends the ask in one conditional update, and queues its callback.
  init(
    _ id: AskID, as outcome: Outcome, at now: Timestamp, sealedWith secrets: SecretBox, on db: Database
  ) throws {
    let sql = """
      SELECT metadata, callback, holds_passwords, expires_at, outcome, closed_at, closed
      FROM asks WHERE id = ?
      """
    guard let row = try db.row(sql, [id.description]) else {
      self.init(closing: .unknown, new: nil, hasCallback: false)
      return
    }
    if let closed = try ClosedAsk(row, id: id) {
      self.init(closing: .alreadyClosed(closed), new: nil, hasCallback: false)
      return
    }
    let isDue = row.timestamp("expires_at") <= now
    if outcome.kind == .expired, !isDue {
      self.init(closing: .stillOpen, new: nil, hasCallback: false)
      return
    }
    let end = isDue ? Outcome.expired : outcome
    let json = ClosedAsk.json(id: id, outcome: end, closedAt: now, metadata: row.bytes("metadata"))
    let closed = ClosedAsk(
      id: id, outcome: end.kind, closedAt: now,
      json: secrets.keep(
        json, sealed: row["holds_passwords"], context: SecretBox.context(.closed, of: id)))
    let changes = try db.run(
      """
      UPDATE asks SET outcome = ?, closed_at = ?, closed = ?, link = NULL
      WHERE id = ? AND outcome IS NULL AND (expires_at <= ?) = ?
      """,
      [end.word, now.milliseconds, closed.json.data, id.description, now.milliseconds, isDue])
    guard changes == 1 else { throw StoreFault.writeFailed(detail: "an ask changed while it was closed") }
    let url = row["callback"] as String?
    if let url {
      try db.run(
        "INSERT INTO callbacks (ask, url, origin, due_at) VALUES (?, ?, ?, ?)",
        [id.description, url, Callback.origin(of: url), now.milliseconds])
    }
    self.init(
      closing: end.kind == outcome.kind ? .closed(closed) : .alreadyClosed(closed), new: closed, hasCallback: url != nil
    )
  }
}

extension Ask {
  /// A row of `asks`.
  init(_ row: Row) throws {
    let id = try AskID(row, column: "id")
    self.init(
      id: id, prompt: row["prompt"], definition: Sealable(stored: row.bytes("definition")),
      values: Sealable(stored: row.bytes("initial")), metadata: row.bytes("metadata"),
      callback: row["callback"], createdAt: row.timestamp("created_at"),
      expiresAt: row.timestamp("expires_at"), closed: try ClosedAsk(row, id: id))
  }
}

extension ClosedAsk {
  /// nil where the row's ask is open.
  init?(_ row: Row, id: AskID) throws {
    guard let word = row["outcome"] as String?, let outcome = Outcome.Kind(rawValue: word) else { return nil }
    self.init(
      id: id, outcome: outcome, closedAt: row.timestamp("closed_at"),
      json: Sealable(stored: row.bytes("closed")))
  }
}

extension AskID {
  init(_ row: Row, column: String) throws {
    guard let id = AskID(row[column] as String) else {
      throw StoreFault.readFailed(detail: "an ask’s id is none")
    }
    self = id
  }
}
