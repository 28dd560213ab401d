internal import Foundation
internal import GRDB

extension SQLiteAskStore {
  public func create(_ draft: AskDraft, idempotency key: IdempotencyKey?) async throws -> Creation {
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
