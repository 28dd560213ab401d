internal import Foundation
internal import GRDB
public import Prompts

extension SQLiteAskStore {
  public func ask(_ id: AskID) async throws -> Ask? {
    try await upToDate { try $0.row("SELECT * FROM asks WHERE id = ?", [id.description]) }
  }

  public func ask(linkedBy token: LinkToken) async throws -> Ask? {
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

  public func close(_ id: AskID, as outcome: Outcome) async throws -> Closing {
    try await connection.write { [self] (result: Closing.Committed) in
      announce([result])
    } _: { [secrets, clock] db in
      try Closing.Committed(id, as: outcome, at: clock.now, sealedWith: secrets, on: db)
    }.closing
  }

  public func expireDue(limit: Int) async throws -> Int {
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
    if results.contains(where: \.hasCallback) { callbackBell.ring() }
  }

  public func nextExpiry() async throws -> Timestamp? {
    try await connection.read { db in
      try db.row("SELECT expires_at FROM asks WHERE outcome IS NULL ORDER BY expires_at LIMIT 1")?
        .timestamp("expires_at")
    }
  }
}
