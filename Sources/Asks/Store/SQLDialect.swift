/// The SQL of one of the databases.
enum SQLDialect {
  case postgreSQL, sqlite

  /// What locks the rows of a `SELECT` until the commit. SQLite has one connection, which locks the file.
  var locking: String { self == .postgreSQL ? " FOR UPDATE" : "" }

  func placeholder(_ number: Int) -> String { (self == .postgreSQL ? "$" : "?") + "\(number)" }

  /// `($1, $2)`.
  func placeholders(_ count: Int, from first: Int) -> String {
    "(\((first..<first + count).map(placeholder).joined(separator: ", ")))"
  }

  /// What makes a table if it is not there.
  func creation(of table: StoreTable) -> String {
    let lines = table.columns.map(definition) + table.constraints
    return "CREATE TABLE IF NOT EXISTS \(table.name) (\n  \(lines.joined(separator: ",\n  "))\n)"
      + (self == .sqlite ? " STRICT" : "")
  }

  func definition(of column: StoreTable.Column) -> String {
    let type =
      switch (column.type, self) {
      case (.text, .postgreSQL): #"text COLLATE "C""#
      case (.text, .sqlite): "TEXT"
      case (.bytes, .sqlite): "BLOB"
      case (.number, .sqlite), (.flag, .sqlite): "INTEGER"
      case (.counter, .postgreSQL): "bigint PRIMARY KEY"
      case (.counter, .sqlite): "INTEGER PRIMARY KEY AUTOINCREMENT"
      case (_, .postgreSQL): column.type.ofValues
      }
    return "\(column.name) \(type)\(column.constraints)"
  }
}

/// The type of a column, as `schema.sql` calls it.
enum ColumnType: String {
  case text, bytes, number, flag, counter

  /// What PostgreSQL calls the type of a value for it.
  var ofValues: String {
    switch self {
    case .text: "text"
    case .bytes: "bytea"
    case .number, .counter: "bigint"
    case .flag: "boolean"
    }
  }
}
