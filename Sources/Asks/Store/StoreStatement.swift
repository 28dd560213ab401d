internal import Foundation

/// Every statement that a running server sends, in PostgreSQL's words: prepared once on a connection, or sent whole
/// through a pooler. SQLite takes the same with its own placeholders; `sqlite` has what it says in another way.
///
/// Each write is one statement, whatever it finds: a refused one changes no row and is no error, since an error would
/// end the transaction that others share with it. Columns are named: what is prepared goes on when a newer node adds one.
/// Each of several keys is looked up by itself: what is prepared while a table is small, and not analyzed since, would
/// read the whole table for `= ANY`.
enum StoreStatement: String, CaseIterable, Sendable {
  case create, releaseKey, askByID, askByLink, asksByKey, openAsks, closedAsks, openAsksOfPrompt, closedAsksOfPrompt,
    end, close, due, nextExpiry
  case append, appendOnce, answers, answerByReceipt, answerByKey
  case claim, settleCallback, nextCallback, statistics, tryWrite, purge
  /// Only several servers of one PostgreSQL need these.
  case endings, changes, notify, offer, leave

  var sql: String {
    switch self {
    case .create:
      // Several keys: what was kept by a former one is found, too.
      """
      INSERT INTO asks (id, link_hash, link, idempotency_key, idempotency_body, prompt, definition, initial, metadata,
        callback, holds_passwords, created_at, expires_at)
      SELECT $1::text, $2::bytea, $3::bytea, $4::bytea, $5::bytea, $6::text, $7::bytea, $8::bytea, $9::bytea,
        $10::text, $11::boolean, $12::bigint, $13::bigint
      WHERE NOT EXISTS (
        SELECT FROM unnest($14::bytea[]) AS known (key) CROSS JOIN LATERAL (
          SELECT FROM asks WHERE idempotency_key = known.key LIMIT 1) AS ask)
      ON CONFLICT (idempotency_key) DO NOTHING RETURNING id
      """
    case .releaseKey: "UPDATE asks SET idempotency_key = NULL, idempotency_body = NULL WHERE id = $1::text"
    case .askByID: Self.asks + "WHERE id = $1::text"
    case .askByLink: Self.asks + "WHERE link_hash = $1::bytea"
    case .asksByKey:
      """
      SELECT ask.* FROM unnest($1::bytea[]) AS known (key) CROSS JOIN LATERAL (
        \(Self.asks) WHERE idempotency_key = known.key LIMIT 1) AS ask
      """
    case .openAsks: Self.listed + "WHERE outcome IS NULL AND " + Self.afterCursor
    case .closedAsks: Self.listed + "WHERE outcome IS NOT NULL AND " + Self.afterCursor
    case .openAsksOfPrompt: Self.listed + "WHERE outcome IS NULL AND prompt = $4::text AND " + Self.afterCursor
    case .closedAsksOfPrompt: Self.listed + "WHERE outcome IS NOT NULL AND prompt = $4::text AND " + Self.afterCursor
    case .end: Self.endOfAsks + "WHERE id = $1::text"
    case .endings:
      """
      SELECT ask.* FROM unnest($1::text[]) AS closed (id) CROSS JOIN LATERAL (
        \(Self.endOfAsks) WHERE id = closed.id LIMIT 1) AS ask
      WHERE outcome IS NOT NULL
      """
    case .close:
      // Not “outcome IS NULL”: a plan that was made while few were open would look through all that are.
      """
      WITH ended AS (
        UPDATE asks SET outcome = $2::text, closed_at = $3::bigint, closed = $4::bytea, link = NULL,
          closed_request = $7::bytea, closed_by = pg_current_xact_id()
        WHERE id = $1::text AND coalesce(outcome, '') = '' RETURNING id),
      queued AS (
        INSERT INTO callbacks (ask, url, origin, due_at)
        SELECT id, $5::text, $6::text, $3::bigint FROM ended WHERE $5::text IS NOT NULL)
      SELECT id FROM ended
      """
    case .due:
      Self.endOfAsks + "WHERE outcome IS NULL AND expires_at <= $1::bigint ORDER BY expires_at LIMIT $2::bigint"
    case .nextExpiry: "SELECT expires_at FROM asks WHERE outcome IS NULL ORDER BY expires_at LIMIT 1"
    case .append:
      // The prompt's row is locked until the commit, and only then is the next number taken: so of one prompt the order
      // of commits is the order of positions, and a reader who has seen one has seen all before it. The numbers are
      // those of all prompts together, as in SQLite.
      """
      WITH next AS (
        INSERT INTO positions (prompt, last) VALUES ($1::text, nextval('answer_positions'))
        ON CONFLICT (prompt) DO UPDATE SET last = nextval('answer_positions') RETURNING last)
      INSERT INTO answers (prompt, position, answered_at, context, outcome, receipt)
      SELECT $1::text, last, $2::bigint, $3::text, $4::bytea, $5::text FROM next RETURNING position
      """
    case .appendOnce:
      // The same with a key. Of two at once the second waits for the prompt's row, and then finds the key taken.
      """
      WITH next AS (
        INSERT INTO positions (prompt, last) SELECT $1::text, nextval('answer_positions')
        WHERE NOT EXISTS (
          SELECT FROM unnest($8::bytea[]) AS known (key) CROSS JOIN LATERAL (
            SELECT FROM answers WHERE idempotency_key = known.key LIMIT 1) AS answer)
        ON CONFLICT (prompt) DO UPDATE SET last = nextval('answer_positions') RETURNING last)
      INSERT INTO answers (prompt, position, answered_at, context, outcome, receipt, idempotency_key, idempotency_body)
      SELECT $1::text, last, $2::bigint, $3::text, $4::bytea, $5::text, $6::bytea, $7::bytea FROM next
      ON CONFLICT (idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING RETURNING position
      """
    case .answers:
      """
      SELECT prompt, position, answered_at, context, outcome FROM (
        SELECT *, sum(octet_length(outcome)) OVER (ORDER BY position) - octet_length(outcome) AS before FROM (
          SELECT prompt, position, answered_at, context, outcome FROM answers
          WHERE prompt = $1::text AND position > $2::bigint ORDER BY position LIMIT $3::bigint
        ) AS next
      ) AS summed WHERE before < $4::bigint ORDER BY position
      """
    case .answerByReceipt:
      "SELECT prompt, position, answered_at, context, outcome FROM answers WHERE receipt = $1::text"
    case .answerByKey:
      """
      SELECT answer.* FROM unnest($1::bytea[]) AS known (key) CROSS JOIN LATERAL (
        SELECT prompt, position, answered_at, context, outcome, receipt, idempotency_key, idempotency_body
        FROM answers WHERE idempotency_key = known.key LIMIT 1) AS answer
      """
    case .claim:
      // What another node claims at this moment is passed over; the two may together have more than `perOrigin` of one
      // receiver.
      """
      WITH RECURSIVE \(Self.receivers),
      ready AS (
        SELECT origin, due_at, coalesce(($2::jsonb ->> origin)::bigint, $3::bigint) - (
          SELECT count(*) FROM callbacks
          WHERE state = 'waiting' AND origin = first.origin AND leased_until > $1::bigint) AS room
        FROM first WHERE due_at <= $1::bigint ORDER BY due_at),
      taken AS (
        SELECT one.ask FROM ready CROSS JOIN LATERAL (
          SELECT ask FROM callbacks
          WHERE state = 'waiting' AND origin = ready.origin AND due_at <= $1::bigint
          ORDER BY due_at LIMIT greatest(ready.room, 0) FOR UPDATE SKIP LOCKED
        ) AS one LIMIT $4::bigint),
      claimed AS (
        UPDATE callbacks SET leased_until = $5::bigint, due_at = $5::bigint
        WHERE ask = ANY (ARRAY(SELECT ask FROM taken)) RETURNING ask, url, attempts)
      SELECT id, url, attempts, outcome, closed_at, closed, closed_request FROM claimed CROSS JOIN LATERAL (
        SELECT id, outcome, closed_at, closed, closed_request FROM asks WHERE id = claimed.ask LIMIT 1) AS end_of_ask
      """
    case .settleCallback:
      // The count of attempts tells whether another sender took over after this one's lease; a delivery counts all the
      // same.
      """
      UPDATE callbacks SET state = $2::text, attempts = attempts + $3::bigint, leased_until = 0, due_at = $4::bigint
      WHERE ask = $1::text AND state = 'waiting' AND (attempts = $5::bigint OR $2::text = 'delivered')
      """
    case .nextCallback: "WITH RECURSIVE \(Self.receivers) SELECT min(due_at) AS due_at FROM first"
    case .statistics:
      """
      SELECT (SELECT count(*) FROM asks WHERE outcome IS NULL) AS open,
        (SELECT count(*) FROM callbacks WHERE state = 'waiting') AS waiting
      """
    case .tryWrite: "UPDATE settings SET value = $1::text WHERE name = 'tried'"
    case .purge:
      """
      WITH old AS (
        SELECT id FROM asks
        WHERE outcome IS NOT NULL AND closed_at < $1::bigint
          AND NOT EXISTS (SELECT FROM callbacks WHERE ask = id AND state = 'waiting')
        ORDER BY closed_at LIMIT $2::bigint FOR UPDATE SKIP LOCKED),
      aged AS (
        SELECT position FROM answers WHERE answered_at < $1::bigint ORDER BY answered_at LIMIT $2::bigint
        FOR UPDATE SKIP LOCKED),
      first AS (DELETE FROM asks WHERE id = ANY (ARRAY(SELECT id FROM old)) RETURNING 1),
      second AS (DELETE FROM answers WHERE position = ANY (ARRAY(SELECT position FROM aged)) RETURNING 1)
      SELECT (SELECT count(*) FROM first) + (SELECT count(*) FROM second) AS count
      """
    case .changes:
      // What was closed since the snapshot that the last look took, whenever its transaction began. The upper bound
      // leaves out what another cluster numbered, before a restore.
      """
      SELECT pg_current_snapshot()::text AS snapshot, (
        SELECT string_agg(id, ',') FROM asks
        WHERE closed_by >= pg_snapshot_xmin($1::text::pg_snapshot)
          AND closed_by < pg_snapshot_xmax(pg_current_snapshot())
          AND NOT pg_visible_in_snapshot(closed_by, $1::text::pg_snapshot)) AS ids
      """
    case .notify: "SELECT pg_notify('okcancel', $1::text)"
    case .offer:
      // By the database's clock, which is one for all nodes.
      """
      WITH own AS (
        INSERT INTO nodes (id, seen_at, prompts) VALUES ($1::text, now(), $2::jsonb)
        ON CONFLICT (id) DO UPDATE SET seen_at = now(), prompts = excluded.prompts),
      gone AS (
        DELETE FROM nodes WHERE id = ANY (ARRAY(
          SELECT id FROM nodes WHERE id <> $1::text AND seen_at < now() - interval '35 seconds'
          FOR UPDATE SKIP LOCKED)))
      SELECT prompts::text AS prompts FROM nodes
      WHERE id <> $1::text AND seen_at > now() - interval '35 seconds' AND prompts <> $2::jsonb LIMIT 8
      """
    case .leave: "DELETE FROM nodes WHERE id = $1::text"
    }
  }

  /// Every origin that a callback waits for, and when the first of them is due: steps from origin to origin in the index,
  /// whatever waits for each.
  private static let receivers = """
    receivers (origin) AS (
      (SELECT origin FROM callbacks WHERE state = 'waiting' ORDER BY origin LIMIT 1)
      UNION ALL
      SELECT (
        SELECT origin FROM callbacks WHERE state = 'waiting' AND origin > receivers.origin ORDER BY origin LIMIT 1)
      FROM receivers WHERE origin IS NOT NULL),
    first AS (
      SELECT origin, due_at FROM receivers CROSS JOIN LATERAL (
        SELECT due_at FROM callbacks
        WHERE state = 'waiting' AND origin = receivers.origin ORDER BY origin, due_at LIMIT 1) AS due)
    """

  /// What does not change while an ask is open, and how it ended.
  private static let endOfAsks = """
    SELECT id, metadata, callback, holds_passwords, expires_at, outcome, closed_at, closed, closed_request FROM asks\u{20}
    """

  private static let listed = """
    SELECT id, prompt, created_at, expires_at, metadata, outcome, closed_at, closed, closed_request FROM asks\u{20}
    """

  private static let afterCursor =
    "(created_at, id) > ($1::bigint, $2::text) ORDER BY created_at, id LIMIT $3::bigint"

  private static let asks = """
    SELECT id, link, idempotency_key, idempotency_body, prompt, definition, initial, metadata, callback, created_at,
      expires_at, outcome, closed_at, closed, closed_request FROM asks\u{20}
    """
}

// MARK: SQLite

extension StoreStatement {
  /// What SQLite runs, one after the other; the rows of all are the result. A claim takes more: see `SQLite.claim`.
  var sqlite: [String] { Self.sqlite[self] ?? [] }

  private static let sqlite = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0, $0.ownSQLite ?? [sqlite($0.sql)]) })

  /// With SQLite's placeholders, which have no types.
  static func sqlite(_ sql: String) -> String {
    sql.replacing(#/\$(\d+)(?:::\w+(?:\[\])?)?/#) { "?\($0.1)" }
  }

  private var ownSQLite: [String]? {
    switch self {
    case .create:
      [
        """
        INSERT INTO asks (id, link_hash, link, idempotency_key, idempotency_body, prompt, definition, initial, metadata,
          callback, holds_passwords, created_at, expires_at)
        SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13
        WHERE NOT EXISTS (\(Self.known("?14")) SELECT 1 FROM known JOIN asks ON idempotency_key = known.key)
        ON CONFLICT (idempotency_key) DO NOTHING RETURNING id
        """
      ]
    case .asksByKey:
      ["\(Self.known("?1")) SELECT asks.* FROM known JOIN asks ON idempotency_key = known.key LIMIT 1"]
    case .close:
      // Nobody else has the database: what the first changed, the second knows.
      [
        """
        UPDATE asks SET outcome = ?2, closed_at = ?3, closed = ?4, link = NULL, closed_request = ?7
        WHERE id = ?1 AND outcome IS NULL RETURNING id
        """,
        """
        INSERT INTO callbacks (ask, url, origin, due_at) SELECT ?1, ?5, ?6, ?3
        WHERE changes() > 0 AND ?5 IS NOT NULL
        """,
      ]
    case .append:
      [
        """
        INSERT INTO answers (prompt, answered_at, context, outcome, receipt) VALUES (?1, ?2, ?3, ?4, ?5)
        RETURNING position
        """
      ]
    case .appendOnce:
      [
        """
        INSERT INTO answers (prompt, answered_at, context, outcome, receipt, idempotency_key, idempotency_body)
        SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
        WHERE NOT EXISTS (\(Self.known("?8")) SELECT 1 FROM known JOIN answers ON idempotency_key = known.key)
        ON CONFLICT (idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING RETURNING position
        """
      ]
    case .answers:
      // Only their sizes are summed up: together they may be larger than what is read.
      [
        """
        SELECT prompt, position, answered_at, context, outcome FROM (
          SELECT position, sum(size) OVER (ORDER BY position) - size AS before FROM (
            SELECT position, length(outcome) AS size FROM answers
            WHERE prompt = ?1 AND position > ?2 ORDER BY position LIMIT ?3)
        ) JOIN answers USING (position) WHERE before < ?4 ORDER BY position
        """
      ]
    case .answerByKey:
      ["\(Self.known("?1")) SELECT answers.* FROM known JOIN answers ON idempotency_key = known.key LIMIT 1"]
    case .nextCallback:
      [
        """
        SELECT min(due) AS due_at FROM (
          SELECT min(leased_until) AS due FROM callbacks WHERE state = 'waiting' AND leased_until > 0
          UNION ALL SELECT due FROM (\(Self.receiversOfFree)))
        """
      ]
    case .statistics:
      [
        """
        SELECT (SELECT count(*) FROM asks WHERE outcome IS NULL) AS open,
          (SELECT count(*) FROM callbacks WHERE state = 'waiting' AND leased_until = 0)
          + (SELECT count(*) FROM callbacks WHERE state = 'waiting' AND leased_until > 0) AS waiting
        """
      ]
    // A number in the file's header that SQLite leaves to programs, and this one does not use.
    case .tryWrite: ["PRAGMA user_version = 0"]
    case .purge:
      // The oldest answers are the first. One that stands behind younger ones, since the clock was set back, goes when
      // they go.
      [
        """
        DELETE FROM asks WHERE id IN (
          SELECT id FROM asks
          WHERE outcome IS NOT NULL AND closed_at < ?1
            AND NOT EXISTS (SELECT 1 FROM callbacks WHERE ask = id AND state = 'waiting')
          ORDER BY closed_at LIMIT ?2) RETURNING 1 AS count
        """,
        """
        DELETE FROM answers WHERE answered_at < ?1 AND position IN (
          SELECT position FROM answers ORDER BY position LIMIT ?2) RETURNING 1 AS count
        """,
      ]
    case .claim, .endings, .changes, .notify, .offer, .leave: []
    default: nil
    }
  }

  /// The fingerprints of a parameter, each a row.
  private static func known(_ keys: String) -> String {
    """
    WITH RECURSIVE known (key, rest) AS (
      SELECT substr(\(keys), 1, 32), substr(\(keys), 33)
      UNION ALL SELECT substr(rest, 1, 32), substr(rest, 33) FROM known WHERE length(rest) > 0)
    """
  }

  /// Every origin that a free callback waits for, and when the first of them is due; the longest overdue first. Steps from
  /// origin to origin in the index, whatever waits for each.
  static let receiversOfFree = """
    WITH RECURSIVE receivers (origin) AS (
      SELECT min(origin) FROM callbacks WHERE state = 'waiting' AND leased_until = 0
      UNION ALL
      SELECT (
        SELECT min(origin) FROM callbacks
        WHERE state = 'waiting' AND leased_until = 0 AND origin > receivers.origin)
      FROM receivers WHERE origin IS NOT NULL)
    SELECT origin, (
      SELECT min(due_at) FROM callbacks
      WHERE state = 'waiting' AND leased_until = 0 AND origin = receivers.origin) AS due
    FROM receivers WHERE origin IS NOT NULL ORDER BY due
    """
}
