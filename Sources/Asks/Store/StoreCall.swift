/// One statement of a store, with its values.
struct StoreCall: Sendable {
  let statement: StoreStatement
  /// In the order of the statement's parameters.
  let values: [StoreValue]
  /// The locks of the call, in order: nobody else may change what they name between its reading and its commit. Without
  /// any, it passes over what others have locked.
  let locks: [StoreLock]

  /// - Precondition: `named` has a value for each parameter of the statement, and no other.
  init(_ statement: StoreStatement, _ named: NamedValues, locks: [StoreLock] = []) {
    values = statement.parameters.map { name in
      guard let value = named[name] else { preconditionFailure("\(statement) needs :\(name)") }
      return value
    }
    precondition(values.count == named.count, "\(statement) takes only \(statement.parameters)")
    self.statement = statement
    self.locks = locks.sorted()
  }

  /// The value of a parameter, or `nil` if the statement has none of that name.
  subscript(name: String) -> StoreValue? { statement.parameters.firstIndex(of: name).map { values[$0] } }

  /// True if its locks are taken before the statement, which else locks its one row as it writes it: it sees only what was
  /// committed before it began, and reads more than that row.
  var locksFirst: Bool { locks.count > 1 || statement == .closeApart }

  /// True if a transaction makes this call's locks before the other's: in one order everywhere, so that there is no
  /// deadlock. Calls without locks come last.
  static func precedes(_ one: StoreCall, _ other: StoreCall) -> Bool {
    guard let first = one.locks.first else { return false }
    return other.locks.first.map { first < $0 } ?? true
  }
}
