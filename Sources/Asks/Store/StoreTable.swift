/// A table of a store and its columns: the same in SQLite and in PostgreSQL. From it follow what makes the table, what
/// adds a column that an earlier version did not have, and what is copied from one database to another.
struct StoreTable: Sendable {
  enum Kind: Sendable {
    case text, bytes, integer, flag
    /// A key that counts up and is never given twice.
    case position
  }

  struct Column: Sendable {
    let name: String
    let kind: Kind
    /// In SQL. A column that is added later must allow NULL or have a default.
    let constraint: String
    /// Whether it is copied: a lease ends with the server that holds it.
    let isCopied: Bool

    init(_ name: String, _ kind: Kind, _ constraint: String = "", isCopied: Bool = true) {
      (self.name, self.kind, self.constraint, self.isCopied) = (name, kind, constraint, isCopied)
    }
  }

  let name: String
  /// The first is the key.
  let columns: [Column]
  /// What holds for all columns together.
  var checks: [String] = []

  var key: Column { columns[0] }
  var copiedColumns: [Column] { columns.filter(\.isCopied) }
}

extension StoreTable {
  /// In an order in which each row's ask is there before it.
  static let all = [asks, answers, callbacks]

  /// Moments are milliseconds since 1970. An ask is open while its outcome is NULL. `link` is the sealed token, kept
  /// only while the ask is open and only if a retried request may ask for it.
  static let asks = StoreTable(
    name: "asks",
    columns: [
      Column("id", .text, "NOT NULL PRIMARY KEY"),
      Column("link_hash", .bytes, "NOT NULL UNIQUE"),
      Column("link", .bytes),
      Column("idempotency_key", .bytes, "UNIQUE"),
      Column("idempotency_body", .bytes),
      Column("prompt", .text),
      Column("definition", .bytes, "NOT NULL"),
      Column("initial", .bytes, "NOT NULL"),
      Column("metadata", .bytes, "NOT NULL"),
      Column("callback", .text),
      Column("holds_passwords", .flag, "NOT NULL"),
      Column("created_at", .integer, "NOT NULL"),
      Column("expires_at", .integer, "NOT NULL"),
      Column("outcome", .text),
      Column("closed_at", .integer),
      Column("closed", .bytes),
      Column("closed_request", .bytes),
    ],
    checks: [
      "(outcome IS NULL) = (closed IS NULL) AND (outcome IS NULL) = (closed_at IS NULL)",
      "(idempotency_key IS NULL) = (idempotency_body IS NULL)",
    ])

  static let answers = StoreTable(
    name: "answers",
    columns: [
      Column("position", .position),
      Column("prompt", .text, "NOT NULL"),
      Column("answered_at", .integer, "NOT NULL"),
      Column("context", .text, "NOT NULL"),
      Column("outcome", .bytes, "NOT NULL"),
      Column("receipt", .text),
      Column("idempotency_key", .bytes),
      Column("idempotency_body", .bytes),
    ])

  static let callbacks = StoreTable(
    name: "callbacks",
    columns: [
      Column("ask", .text, "NOT NULL PRIMARY KEY REFERENCES asks (id) ON DELETE CASCADE"),
      Column("url", .text, "NOT NULL"),
      Column("origin", .text, "NOT NULL"),
      Column(
        "state", .text, "NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'given up'))"),
      Column("attempts", .integer, "NOT NULL DEFAULT 0"),
      Column("due_at", .integer, "NOT NULL"),
      Column("leased_until", .integer, "NOT NULL DEFAULT 0", isCopied: false),
    ])

  /// Of each ask two of the lists hold an entry, and of the answers only those that have a receipt or a key take room in
  /// its index. A claimed callback is due when its lease ends.
  private static let indexes = [
    ("asks_open", "asks (expires_at) WHERE outcome IS NULL"),
    ("asks_closed", "asks (closed_at) WHERE outcome IS NOT NULL"),
    ("asks_open_by_age", "asks (created_at, id) WHERE outcome IS NULL"),
    ("asks_closed_by_age", "asks (created_at, id) WHERE outcome IS NOT NULL"),
    ("asks_open_of_prompt", "asks (prompt, created_at, id) WHERE outcome IS NULL AND prompt IS NOT NULL"),
    ("asks_closed_of_prompt", "asks (prompt, created_at, id) WHERE outcome IS NOT NULL AND prompt IS NOT NULL"),
    ("answers_of_prompt", "answers (prompt, position)"),
    ("answers_by_receipt", "answers (receipt) WHERE receipt IS NOT NULL"),
    ("answers_by_key", "answers (idempotency_key) WHERE idempotency_key IS NOT NULL"),
    ("callbacks_of_origin", "callbacks (origin, due_at) WHERE state = 'waiting'"),
    ("callbacks_leased", "callbacks (origin, leased_until) WHERE state = 'waiting'"),
  ]

  /// Those of them that say that something is there only once.
  private static let uniqueIndexes: Set = ["answers_by_receipt", "answers_by_key"]

  static let createIndexes: [(name: String, sql: String)] = indexes.map { name, on in
    (name, "CREATE \(uniqueIndexes.contains(name) ? "UNIQUE" : "") INDEX IF NOT EXISTS \(name) ON \(on)")
  }
}

// MARK: SQL

/// How a database spells what a table is made of.
enum SchemaDialect: Sendable {
  case sqlite, postgreSQL

  func create(_ table: StoreTable) -> String {
    let parts = table.columns.map(definition) + table.checks.map { "CHECK (\($0))" }
    let create = "CREATE TABLE IF NOT EXISTS \(table.name) (\(parts.joined(separator: ", ")))"
    return self == .sqlite ? create + " STRICT" : create
  }

  func definition(_ column: StoreTable.Column) -> String { "\(column.name) \(type(column.kind)) \(column.constraint)" }

  private func type(_ kind: StoreTable.Kind) -> String {
    switch (kind, self) {
    case (.text, .sqlite): "TEXT"
    case (.text, .postgreSQL): #"text COLLATE "C""#
    case (.bytes, .sqlite): "BLOB"
    case (.bytes, .postgreSQL): "bytea"
    case (.integer, .sqlite), (.flag, .sqlite): "INTEGER"
    case (.integer, .postgreSQL): "bigint"
    case (.flag, .postgreSQL): "boolean"
    case (.position, .sqlite): "INTEGER PRIMARY KEY AUTOINCREMENT"
    case (.position, .postgreSQL): "bigint PRIMARY KEY"
    }
  }
}
