internal import Prompts

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
    precondition(values.count == named.pairs.count, "\(statement) takes only \(statement.parameters)")
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

/// Every statement that a running server sends: see `statements.sql`.
enum StoreStatement: Int, CaseIterable, Sendable {
  case create, createApart, releaseKey, asksUnderHook, mixUpCall, endCall, askByID, askByLink, askByKey, place,
    answerable,
    openAsks,
    closedAsks, openAsksOfPrompt, closedAsksOfPrompt, openAsksOfAsker, closedAsksOfAsker, close, closeApart, finish,
    change,
    due
  case append, answers, answerByReceipt, answerByKey
  case receivers, claim, sentNotices, named, settle, nextDelivery, rewind, told, statistics, tryWrite, purgeAsks,
    purgeAnswers
  /// Only several servers of one PostgreSQL need these.
  case lock, endings, changes, notify, offer, leave

  private static let file = SQLFile("statements.sql")
  private static let forms = allCases.map(Form.init)

  private struct Form {
    var (sql, sqlite, parameters): (String, [String], [String]) = ("", [], [])

    init(_ statement: StoreStatement) {
      let section = file["statement: \(statement)"]
      sql = numbered(section, in: .postgreSQL)
      sqlite = statements(in: numbered(file.find("SQLite: \(statement)") ?? section, in: .sqlite))
    }

    /// A statement with `$1` in the place of the first name and of every other that is the same, and in SQLite `?1`,
    /// without its type.
    private mutating func numbered(_ sql: String, in dialect: SQLDialect) -> String {
      // What follows two colons is a type.
      let parts = sql.parts(between: "::").map { part in
        String(part).replacing(each: ":") { rest in
          let name = String(rest.prefix { $0 == "_" || $0.isLowercase })
          guard !name.isEmpty else { return nil }
          let place = parameters.firstIndex(of: name) ?? parameters.count
          if place == parameters.count { parameters.append(name) }
          return dialect.placeholder(place + 1) + rest.dropFirst(name.count)
        }
      }
      if dialect == .postgreSQL { return parts.joined(separator: "::") }
      return parts[0] + parts.dropFirst().map { $0.drop(while: \.isLowercase) }.joined()
    }
  }

  var sql: String { Self.forms[rawValue].sql }

  /// The statements that SQLite runs, one after the other; the rows of all are the result.
  var sqlite: [String] { Self.forms[rawValue].sqlite }

  /// The names of the values that it takes, in the order of their numbers.
  var parameters: [String] { Self.forms[rawValue].parameters }
}

/// A value: a parameter of a statement, or a column of a row.
enum StoreValue: Hashable, Sendable {
  case integer(Int64?)
  case text(String?)
  case bytes([UInt8]?)

  static func integer(_ number: Int) -> Self { .integer(Int64(number)) }
  static func flag(_ flag: Bool) -> Self { .integer(flag ? 1 : 0) }
  static func id(_ id: AskID) -> Self { .text(id.description) }
  /// An array in PostgreSQL's words.
  static func array(_ ids: [String]) -> Self { .text("{\(ids.joined(separator: ","))}") }
  static func moment(_ moment: Timestamp) -> Self { .integer(moment.milliseconds) }

  /// The value as text; bytes as hexadecimal digits.
  var text: String? {
    switch self {
    case .text(let text): text
    case .integer(let number): number.map { String($0) }
    case .bytes(let bytes): bytes?.hexadecimal
    }
  }
}
