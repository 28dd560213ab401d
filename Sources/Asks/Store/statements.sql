-- Every statement that a running server sends, in PostgreSQL's words: prepared once on a connection, or sent whole
-- through a pooler. SQLite takes the same (see `sqlite` in StoreSQL.swift), but for those that have a variant of its own
-- here. `{asks}` stands for the part of that name.
--
-- Each write is one statement, whatever it finds: a refused one changes no row and is no error, since an error would end
-- the transaction that others share with it. Columns are named: what is prepared goes on when a newer node adds one.
-- `= ANY (ARRAY(...))` looks up each row by itself: what is prepared while a table is small, and not analyzed since, would
-- read the whole table for `IN (...)`.

-- In SQLite, frequent writes use `changes()` to tell what they did. For `RETURNING`, SQLite makes a temporary table and a
-- statement journal each time, and an ask cost half as much again.

-- part: insertAsk
INSERT INTO asks (id, link_hash, link, idempotency_key, idempotency_body, prompt, definition, initial, metadata,
  callback, holds_passwords, created_at, expires_at, position)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,

-- statement: create
-- The row of the last position is locked until the commit: so the order of commits is the order of positions, and a
-- reader who has seen one has seen all before it. It is the first lock of a transaction (see `StoreCall.lock`).
WITH next AS (
  INSERT INTO positions (prompt, last) VALUES ('', 1)
  ON CONFLICT (prompt) DO UPDATE SET last = positions.last + 1 RETURNING last)
{insertAsk} (SELECT last FROM next))
ON CONFLICT (idempotency_key) DO NOTHING RETURNING id

-- SQLite: create
{insertAsk} (SELECT last + 1 FROM positions WHERE prompt = ''))
ON CONFLICT (idempotency_key) DO NOTHING;
UPDATE positions SET last = last + 1 WHERE prompt = '' AND changes() > 0;
SELECT $1 AS id WHERE changes() > 0

-- statement: releaseKey
UPDATE asks SET idempotency_key = NULL, idempotency_body = NULL WHERE id = $1

-- part: asks
SELECT id, link, idempotency_key, idempotency_body, prompt, definition, initial, metadata, callback, created_at,
  expires_at, outcome, closed_at, closed, closed_request FROM asks

-- statement: askByID
{asks} WHERE id = $1

-- statement: askByLink
{asks} WHERE link_hash = $1

-- statement: askByKey
{asks} WHERE idempotency_key = $1

-- part: listed
SELECT id, position, prompt, created_at, expires_at, metadata, callback, outcome, closed_at, closed, closed_request FROM asks

-- part: afterCursor
position > $1 ORDER BY position LIMIT $2

-- statement: openAsks
{listed} WHERE outcome IS NULL AND {afterCursor}

-- statement: closedAsks
{listed} WHERE outcome IS NOT NULL AND {afterCursor}

-- statement: openAsksOfPrompt
{listed} WHERE outcome IS NULL AND prompt = $3 AND {afterCursor}

-- statement: closedAsksOfPrompt
{listed} WHERE outcome IS NOT NULL AND prompt = $3 AND {afterCursor}

-- statement: place
-- Where a list goes on after this ask, and where it ends: what is committed later has a later position. If the ask is no
-- longer there, or not since a backup was restored, it goes on before all that were made since a minute before it.
SELECT coalesce(
  (SELECT position FROM asks WHERE id = $2),
  (SELECT min(position) - 1 FROM (
    SELECT * FROM (
      SELECT position FROM asks WHERE outcome IS NULL AND created_at > $1::bigint - 60000 ORDER BY position LIMIT 1) AS open
    UNION ALL SELECT * FROM (
      SELECT position FROM asks WHERE outcome IS NOT NULL AND created_at > $1::bigint - 60000 ORDER BY position LIMIT 1
    ) AS closed) AS since),
  last) AS start, last
FROM positions WHERE prompt = ''

-- statement: close
-- Not `outcome IS NULL`: a plan that was made while few were open would look through all that are.
WITH ended AS (
  UPDATE asks SET outcome = $2, closed_at = $3, closed = $4, link = NULL, closed_request = $7,
    closed_by = pg_current_xact_id()
  WHERE id = $1 AND coalesce(outcome, '') = '' RETURNING id),
queued AS (
  INSERT INTO callbacks (ask, url, origin, due_at)
  SELECT id, $5::text, $6::text, $3::bigint FROM ended WHERE $5::text IS NOT NULL)
SELECT id FROM ended

-- SQLite: close
-- Nobody else has the database: what the first statement changed, the others know.
UPDATE asks SET outcome = $2, closed_at = $3, closed = $4, link = NULL, closed_request = $7
WHERE id = $1 AND outcome IS NULL;
SELECT $1 AS id WHERE changes() > 0;
INSERT INTO callbacks (ask, url, origin, due_at) SELECT $1, $5, $6, $3
WHERE changes() > 0 AND $5 IS NOT NULL

-- statement: due
{asks} WHERE outcome IS NULL AND expires_at <= $1 ORDER BY expires_at LIMIT $2

-- statement: append
-- The prompt's row is locked until the commit, and only then is the next number taken: so of one prompt the order of
-- commits is the order of positions, and a reader who has seen one has seen all before it. The numbers are those of all
-- prompts together, as in SQLite. Of two with one key the second waits for the prompt's row, and then finds the key
-- taken.
WITH next AS (
  INSERT INTO positions (prompt, last) SELECT $1::text, nextval('answer_positions')
  WHERE NOT EXISTS (SELECT FROM answers WHERE idempotency_key = $6)
  ON CONFLICT (prompt) DO UPDATE SET last = nextval('answer_positions') RETURNING last)
INSERT INTO answers (prompt, position, answered_at, context, outcome, receipt, idempotency_key, idempotency_body)
SELECT $1::text, last, $2::bigint, $3::text, $4::bytea, $5::text, $6::bytea, $7::bytea FROM next
ON CONFLICT (idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING RETURNING position

-- SQLite: append
-- Numbers count up by themselves.
INSERT INTO answers (prompt, answered_at, context, outcome, receipt, idempotency_key, idempotency_body)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING;
SELECT last_insert_rowid() AS position WHERE changes() > 0

-- part: keptAnswers
SELECT prompt, position, answered_at, context, outcome, receipt, idempotency_key, idempotency_body FROM answers

-- statement: answers
{keptAnswers} WHERE prompt = $1 AND position > $2 ORDER BY position LIMIT $3

-- statement: answerByReceipt
{keptAnswers} WHERE receipt = $1

-- statement: answerByKey
{keptAnswers} WHERE idempotency_key = $1

-- part: receiversByAge
-- Every origin that a callback waits for, and when the first of them is due: steps from origin to origin in the index,
-- whatever waits for each.
receivers (origin) AS (
  SELECT (SELECT origin FROM callbacks WHERE state = 'waiting' ORDER BY origin LIMIT 1)
  UNION ALL
  SELECT (SELECT origin FROM callbacks WHERE state = 'waiting' AND origin > receivers.origin ORDER BY origin LIMIT 1)
  FROM receivers WHERE origin IS NOT NULL),
first AS (
  SELECT origin, (
    SELECT due_at FROM callbacks
    WHERE state = 'waiting' AND origin = receivers.origin ORDER BY due_at LIMIT 1) AS due_at
  FROM receivers WHERE origin IS NOT NULL)

-- statement: receivers
WITH RECURSIVE {receiversByAge}
SELECT origin, (
  SELECT count(*) FROM callbacks
  WHERE state = 'waiting' AND origin = first.origin AND leased_until > $1) AS leased
FROM first WHERE due_at <= $1 ORDER BY due_at

-- statement: claim
-- What another node claims at this moment is passed over; the two may together have more of one receiver than they
-- should.
WITH due AS (
  SELECT ask FROM callbacks WHERE state = 'waiting' AND origin = $1 AND due_at <= $2
  ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
UPDATE callbacks SET leased_until = $4, due_at = $4
WHERE ask = ANY (ARRAY(SELECT ask FROM due)) RETURNING ask AS id, url, attempts

-- statement: settleCallback
-- The count of attempts tells whether another sender took over after this one's lease; a delivery counts all the same.
UPDATE callbacks SET state = $2::text, attempts = attempts + $3, leased_until = 0, due_at = $4
WHERE ask = $1 AND state = 'waiting' AND (attempts = $5 OR $2::text = 'delivered')

-- statement: nextCallback
WITH RECURSIVE {receiversByAge} SELECT min(due_at) AS due_at FROM first

-- statement: statistics
SELECT (SELECT count(*) FROM asks WHERE outcome IS NULL) AS open,
  (SELECT count(*) FROM callbacks WHERE state = 'waiting') AS waiting

-- statement: tryWrite
INSERT INTO settings (name, value) VALUES ('tried', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value

-- statement: purgeAsks
WITH old AS (
  SELECT id FROM asks
  WHERE outcome IS NOT NULL AND closed_at < $1
    AND NOT EXISTS (SELECT 1 FROM callbacks WHERE ask = id AND state = 'waiting')
  ORDER BY closed_at LIMIT $2 FOR UPDATE SKIP LOCKED)
DELETE FROM asks WHERE id = ANY (ARRAY(SELECT id FROM old)) RETURNING id

-- statement: purgeAnswers
-- The oldest answers are the first. One that stands behind younger ones, since the clock was set back, goes when they go.
WITH old AS (SELECT position FROM answers ORDER BY position LIMIT $2 FOR UPDATE SKIP LOCKED)
DELETE FROM answers WHERE answered_at < $1 AND position = ANY (ARRAY(SELECT position FROM old))
RETURNING position

-- Only several servers of one PostgreSQL need these.

-- statement: endings
SELECT ask.* FROM unnest($1::text[]) AS closed (id) CROSS JOIN LATERAL (
  SELECT id, prompt, created_at, outcome, closed_at, closed, closed_request FROM asks
  WHERE id = closed.id LIMIT 1) AS ask
WHERE outcome IS NOT NULL

-- statement: changes
-- What was closed since the snapshot that the last look took, whenever its transaction began. The upper bound leaves out
-- what another cluster numbered, before a restore.
SELECT pg_current_snapshot()::text AS snapshot, (
  SELECT string_agg(id, ',') FROM asks
  WHERE closed_by >= pg_snapshot_xmin($1::text::pg_snapshot)
    AND closed_by < pg_snapshot_xmax(pg_current_snapshot())
    AND NOT pg_visible_in_snapshot(closed_by, $1::text::pg_snapshot)) AS ids

-- statement: notify
SELECT pg_notify('okcancel', $1)

-- statement: offer
-- The prompts that this node has in another version than another node, or that only one of the two has. By the
-- database's clock, which is one for all nodes.
WITH own AS (
  INSERT INTO nodes (id, seen_at, prompts) VALUES ($1::text, now(), $2::jsonb)
  ON CONFLICT (id) DO UPDATE SET seen_at = now(), prompts = excluded.prompts),
gone AS (
  DELETE FROM nodes WHERE id = ANY (ARRAY(
    SELECT id FROM nodes WHERE id <> $1::text AND seen_at < now() - interval '35 seconds' FOR UPDATE SKIP LOCKED))),
others AS (
  SELECT prompts FROM nodes
  WHERE id <> $1::text AND seen_at > now() - interval '35 seconds' AND prompts <> $2::jsonb LIMIT 8)
SELECT DISTINCT name COLLATE "C" AS name FROM others CROSS JOIN LATERAL (
  SELECT coalesce(theirs.key, ours.key) AS name FROM jsonb_each(others.prompts) AS theirs
  FULL JOIN jsonb_each($2::jsonb) AS ours ON theirs.key = ours.key
  WHERE theirs.value IS DISTINCT FROM ours.value) AS differing
ORDER BY name

-- statement: leave
DELETE FROM nodes WHERE id = $1
