internal import GRDB

/// The tables, and how they came to be what they are. A migration that was released never changes.
enum Schema {
  /// `OKCN`: marks the file as OKCancel's in SQLite's own header.
  static let applicationID: Int32 = 0x4F4B_434E

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 asks, answers, callbacks") { db in
      try db.execute(sql: "PRAGMA application_id = \(applicationID)")
      try db.execute(sql: first)
    }
    migrator.registerMigration("2 receipts") { db in
      // Few answers have one: only those take room in the index.
      try db.execute(
        sql: """
          ALTER TABLE answers ADD COLUMN receipt TEXT;
          CREATE UNIQUE INDEX answers_by_receipt ON answers (receipt) WHERE receipt IS NOT NULL;
          """)
    }
    migrator.registerMigration("3 callbacks by receiver") { db in
      // A claim reads what it takes, and not all that waits.
      try db.execute(
        sql: """
          DROP INDEX callbacks_waiting;
          CREATE INDEX callbacks_free ON callbacks (origin, due_at) WHERE state = 'waiting' AND leased_until = 0;
          CREATE INDEX callbacks_claimed ON callbacks (origin, leased_until)
            WHERE state = 'waiting' AND leased_until > 0;
          """)
    }
    return migrator
  }

  /// Moments are milliseconds since 1970. An ask is open while its outcome is NULL. `link` is the
  /// sealed token, kept only while the ask is open and only where a retried request may ask for it.
  private static let first = """
    CREATE TABLE asks (
      id TEXT NOT NULL PRIMARY KEY,
      link_hash BLOB NOT NULL UNIQUE,
      link BLOB,
      idempotency_key BLOB UNIQUE,
      idempotency_body BLOB,
      prompt TEXT,
      definition BLOB NOT NULL,
      initial BLOB NOT NULL,
      metadata BLOB NOT NULL,
      callback TEXT,
      holds_passwords INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      outcome TEXT,
      closed_at INTEGER,
      closed BLOB,
      CHECK ((outcome IS NULL) = (closed IS NULL) AND (outcome IS NULL) = (closed_at IS NULL)),
      CHECK ((idempotency_key IS NULL) = (idempotency_body IS NULL))
    ) STRICT;
    CREATE INDEX asks_open ON asks (expires_at) WHERE outcome IS NULL;
    CREATE INDEX asks_closed ON asks (closed_at) WHERE outcome IS NOT NULL;

    CREATE TABLE answers (
      position INTEGER PRIMARY KEY AUTOINCREMENT,
      prompt TEXT NOT NULL,
      answered_at INTEGER NOT NULL,
      context TEXT NOT NULL,
      outcome BLOB NOT NULL
    ) STRICT;
    CREATE INDEX answers_of_prompt ON answers (prompt, position);
    CREATE INDEX answers_by_age ON answers (answered_at);

    CREATE TABLE callbacks (
      ask TEXT NOT NULL PRIMARY KEY REFERENCES asks (id) ON DELETE CASCADE,
      url TEXT NOT NULL,
      origin TEXT NOT NULL,
      state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'given up')),
      attempts INTEGER NOT NULL DEFAULT 0,
      due_at INTEGER NOT NULL,
      leased_until INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX callbacks_waiting ON callbacks (due_at) WHERE state = 'waiting';

    CREATE TABLE settings (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT;
    """
}
