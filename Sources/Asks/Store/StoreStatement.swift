/// Every statement that a running server sends: see `statements.sql`.
enum StoreStatement: CaseIterable, Sendable {
  case create, createApart, releaseKey, asksOfAgent, endCall, askByID, askByLink, askByKey, place, openAsks, closedAsks,
    openAsksOfPrompt,
    closedAsksOfPrompt, openAsksOfAsker, closedAsksOfAsker, close, closeApart, change, due
  case append, answers, answerByReceipt, answerByKey
  case receivers, claim, claimNotices, sentNotices, settleCallback, settleNotice, nextDelivery, statistics, tryWrite,
    purgeAsks, purgeAnswers
  /// Only several servers of one PostgreSQL need these.
  case lock, endings, changes, notify, offer, leave

  private static let file = SQLFile("statements.sql")
  private static let forms = Dictionary(uniqueKeysWithValues: allCases.map { ($0, Form($0)) })

  private struct Form {
    var (sql, sqlite, parameters): (String, [String], [String]) = ("", [], [])

    init(_ statement: StoreStatement) {
      sql = numbered(file["statement: \(statement)"])
      sqlite = statements(in: inSQLite(file.find("SQLite: \(statement)").map { numbered($0) } ?? sql))
    }

    /// A statement with `$1` in the place of the first name and of every other that is the same. Those of the other
    /// dialect have the same numbers.
    private mutating func numbered(_ sql: String) -> String {
      sql.replacing(#/::\w+|:([a-z_]+)/#) { found in
        guard let name = found.1.map(String.init) else { return String(found.0) }
        let place = parameters.firstIndex(of: name) ?? parameters.count
        if place == parameters.count { parameters.append(name) }
        return "$\(place + 1)"
      }
    }
  }

  var sql: String { Self.forms[self]?.sql ?? "" }

  /// The statements that SQLite runs, one after the other; the rows of all are the result.
  var sqlite: [String] { Self.forms[self]?.sqlite ?? [] }

  /// The names of the values that it takes, in the order of their numbers.
  var parameters: [String] { Self.forms[self]?.parameters ?? [] }
}
