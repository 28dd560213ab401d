extension StoreSession {
  func count(_ table: StoreTable) throws -> Int {
    Int(try run("SELECT count(*) AS count FROM \(table.name)", []).first?.integer("count") ?? 0)
  }

  /// Copies all rows of a table.
  ///
  /// - Parameter progress: told how many are copied.
  /// - Returns: how many there are.
  func copy(_ table: StoreTable, to destination: some StoreSession, progress: (Int) -> Void) throws -> Int {
    var (count, last): (Int, StoreRow?) = (0, nil)
    let names = table.key + table.columns.map(\.name).filter { !table.key.contains($0) }
    while case let rows = try rows(of: table, names, after: last, limit: 500), !rows.isEmpty {
      try destination.insert(rows, of: names, into: table)
      count += rows.count
      last = rows.last
      progress(count)
    }
    let (before, after) = (try self.count(table), try destination.count(table))
    guard count == before, before == after else {
      throw StoreFault("write-failed", ["detail": "\(before) rows of \(table.name) became \(after)"])
    }
    return count
  }

  /// The next rows of a table in the order of their keys.
  ///
  /// - Parameters:
  ///   - columns: which to select; those of the key come first.
  ///   - last: the row to go on after, or `nil` to begin.
  ///   - condition: which rows to select and lock until the commit; `nil` selects all rows and locks none.
  func rows(
    of table: StoreTable, _ columns: [String], after last: StoreRow?, limit: Int, locked condition: String? = nil
  ) throws -> [StoreRow] {
    try run(
      """
      SELECT \(columns.joined(separator: ", ")) FROM \(table.name)
      WHERE \(condition ?? "true") \(last == nil ? "" : "AND (\(table.keys)) > \(dialect.placeholders(table.key.count, from: 1))")
      ORDER BY \(table.keys) LIMIT \(limit)\(condition == nil ? "" : dialect.locking)
      """, last.map { Array($0.values.prefix(table.key.count)) } ?? [])
  }

  func insert(_ rows: [StoreRow], of names: [String], into table: StoreTable) throws {
    let places = rows.indices.map { dialect.placeholders(names.count, from: $0 * names.count + 1) }
    try run(
      "INSERT INTO \(table.name) (\(names.joined(separator: ", "))) VALUES \(places.joined(separator: ", "))",
      rows.flatMap(\.values))
  }
}
