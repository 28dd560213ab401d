-- Every statement that a running server sends, prepared once on a connection, or sent whole through a pooler.
-- SQLFile.swift reads this file, and Tests/AsksTests run each in both databases. SQLite takes the same as PostgreSQL, but
-- for those that have a variant of its own here. `{asks}` stands for the part of that name, `:id` for the value that a
-- call gives to that name, `:id::text` for the same with its type, which only PostgreSQL is told. `{columns of asks}` are
-- all columns that schema.sql gives the table, except its `position`, and `{values of asks}` what a call gives them;
-- `new asks` lack those that their end fills, and `{columns of terms}` are those of an ask that are only kept (see AskTerms.swift).
--
-- Each write is one statement, whatever it finds: a refused one changes no row and is no error, since an error would end
-- the transaction that others share with it. Columns are named: what is prepared goes on when a newer node adds one.
-- `= ANY (ARRAY(...))` looks up each row by itself: what is prepared while a table is small, and not analyzed since, would
-- read the whole table for `IN (...)`.

-- In SQLite, frequent writes use `changes()` to tell what they did. For `RETURNING`, SQLite makes a temporary table and a
-- statement journal each time, and an ask cost half as much again.

-- part: insertAsk
INSERT INTO asks ({columns of new asks}, position) VALUES ({values of new asks},

-- statement: create
-- The row of the last position is locked until the commit: so the order of commits is the order of positions, and a
-- reader who has seen one has seen all before it. It is the first lock of a transaction (see `StoreLock`).
WITH next AS (
  INSERT INTO positions (prompt, last) VALUES ('', 1)
  ON CONFLICT (prompt) DO UPDATE SET last = positions.last + 1 RETURNING last)
{insertAsk} (SELECT last FROM next))
ON CONFLICT (idempotency_key) DO NOTHING RETURNING id

-- SQLite: create
{insertAsk} (SELECT last + 1 FROM positions WHERE prompt = ''))
ON CONFLICT (idempotency_key) DO NOTHING;
UPDATE positions SET last = last + 1 WHERE prompt = '' AND changes() > 0;
SELECT :id AS id WHERE changes() > 0

-- statement: createApart
-- Makes an ask that is kept apart from others, unless one of those is not there, or of which people are told. The others
-- are locked before this statement, and the revisions of the open ones change: nobody closes one of them as it was read
-- before.
WITH others AS (
  SELECT id, outcome, answered_by FROM asks
  WHERE id = ANY (ARRAY(SELECT json_array_elements_text(:others::json)))),
next AS (
  INSERT INTO positions (prompt, last) SELECT '', 1
  WHERE (SELECT count(*) FROM others) = json_array_length(:others::json)
  ON CONFLICT (prompt) DO UPDATE SET last = positions.last + 1 RETURNING last),
made AS (
  INSERT INTO asks ({columns of new asks}, position) SELECT {values of new asks}, last FROM next
  ON CONFLICT (idempotency_key) DO NOTHING RETURNING id),
own AS (
  INSERT INTO pairs (ask, other, answered_by)
  SELECT made.id, others.id, {whoAnswered} FROM made CROSS JOIN others),
theirs AS (
  INSERT INTO pairs (ask, other) SELECT others.id, made.id FROM made CROSS JOIN others WHERE outcome IS NULL),
counted AS (
  UPDATE asks SET revision = coalesce(asks.revision, 0) + 1 FROM made CROSS JOIN others
  WHERE asks.id = others.id AND others.outcome IS NULL),
told AS (INSERT INTO deliveries {notices} FROM made CROSS JOIN json_array_elements(:notices::json) AS notice (value))
SELECT id FROM made

-- SQLite: createApart
INSERT INTO asks ({columns of new asks}, position) SELECT {values of new asks}, last + 1 FROM positions
WHERE prompt = '' AND json_array_length(:others) = (
  SELECT count(*) FROM asks WHERE id IN (SELECT value FROM json_each(:others)))
ON CONFLICT (idempotency_key) DO NOTHING;
UPDATE positions SET last = last + 1 WHERE prompt = '' AND changes() > 0;
INSERT INTO pairs (ask, other, answered_by) SELECT :id, id, {whoAnswered} FROM asks
WHERE id IN (SELECT value FROM json_each(:others)) AND EXISTS (SELECT 1 FROM asks WHERE id = :id);
INSERT INTO pairs (ask, other) SELECT other, ask FROM pairs
WHERE ask = :id AND EXISTS (SELECT 1 FROM asks WHERE id = other AND outcome IS NULL);
UPDATE asks SET revision = coalesce(revision, 0) + 1
WHERE outcome IS NULL AND id IN (SELECT other FROM pairs WHERE ask = :id);
INSERT INTO deliveries {notices} FROM asks AS made CROSS JOIN json_each(:notices) WHERE made.id = :id;
SELECT id FROM asks WHERE id = :id

-- part: notices
(id, ask, kind, channel, origin, due_at, since)
SELECT value ->> 'id', made.id, value ->> 'kind', value ->> 'channel', value ->> 'origin',
  CAST(value ->> 'due' AS bigint), CAST(value ->> 'since' AS bigint)

-- part: whoAnswered
-- Empty for one that was answered without a name, or closed by an earlier version.
CASE WHEN outcome NOT IN ('expired', 'withdrawn') THEN coalesce(answered_by, '') END

-- statement: releaseKey
UPDATE asks SET idempotency_key = NULL, idempotency_body = NULL WHERE id = :id

-- statement: asksUnderHook
-- `0` is the next character after `/`.
SELECT id, outcome, hook FROM asks
WHERE hook = :key::text OR hook >= :key::text || '/' AND hook < :key::text || '0' ORDER BY position

-- statement: mixUpCall
UPDATE asks SET hook = hook || '/several' WHERE id = :id AND hook = :key RETURNING id

-- statement: endCall
UPDATE asks SET hook = NULL WHERE id = :id AND hook IS NOT NULL RETURNING id

-- part: asks
SELECT {columns of asks} FROM asks

-- statement: askByID
{asks} WHERE id = :id

-- statement: askByLink
{asks} WHERE link_hash = :link_hash

-- statement: askByKey
{asks} WHERE idempotency_key = :idempotency_key

-- part: listed
SELECT id, position, prompt, created_at, expires_at, {columns of terms}, outcome, closed_at, closed, closed_request,
  result, result_at
FROM asks

-- part: afterCursor
position > :after ORDER BY position LIMIT :limit

-- statement: openAsks
{listed} WHERE outcome IS NULL AND {afterCursor}

-- statement: closedAsks
{listed} WHERE outcome IS NOT NULL AND {afterCursor}

-- statement: openAsksOfPrompt
{listed} WHERE outcome IS NULL AND prompt = :prompt AND {afterCursor}

-- statement: closedAsksOfPrompt
{listed} WHERE outcome IS NOT NULL AND prompt = :prompt AND {afterCursor}

-- part: ofAsker
asked_by = :asked_by AND (:prompt::text IS NULL OR prompt = :prompt)

-- statement: openAsksOfAsker
{listed} WHERE outcome IS NULL AND {ofAsker} AND {afterCursor}

-- statement: closedAsksOfAsker
{listed} WHERE outcome IS NOT NULL AND {ofAsker} AND {afterCursor}

-- statement: place
-- Where a list goes on after this ask, and where it ends: what is committed later has a later position. If the ask is no
-- longer there, or not since a backup was restored, it goes on before all that were made, or had a result, since a minute
-- before it. A cursor has the moment of the ask, or that of its result once it has moved.
SELECT coalesce(
  (SELECT CASE WHEN created_at = :created_at::bigint THEN coalesce(moved_from, position) ELSE position END
    FROM asks WHERE id = :id),
  (SELECT min(position) - 1 FROM (
    SELECT * FROM (
      SELECT position FROM asks WHERE outcome IS NULL AND created_at > :created_at::bigint - 60000 ORDER BY position LIMIT 1) AS open
    UNION ALL SELECT * FROM (
      SELECT position FROM asks WHERE outcome IS NOT NULL AND (created_at > :created_at::bigint - 60000 OR result_at > :created_at::bigint - 60000)
      ORDER BY position LIMIT 1
    ) AS closed) AS since),
  last) AS start, last
FROM positions WHERE prompt = ''

-- part: ended
UPDATE asks SET outcome = :outcome, closed_at = :closed_at, closed = :closed, link = NULL, closed_request = :closed_request,
  answered_by = :answered_by

-- part: asJudged
-- Not `outcome IS NULL`: a plan that was made while few were open would look through all that are.
WHERE id = :id AND coalesce(outcome, '') = '' AND revision IS NOT DISTINCT FROM :revision

-- part: queued
INSERT INTO deliveries (id, ask, url, origin, due_at, since)
SELECT id || ' closed', id, :url::text, :origin::text, :closed_at::bigint, :closed_at::bigint FROM ended WHERE :url::text IS NOT NULL

-- part: queuedInSQLite
SELECT :id AS id WHERE changes() > 0;
INSERT INTO deliveries (id, ask, url, origin, due_at, since)
SELECT :id || ' closed', :id, :url, :origin, :closed_at, :closed_at
WHERE changes() > 0 AND :url IS NOT NULL

-- part: takenBack
-- What was not sent is not sent any more, and what can be updated is, or may have arrived. What is on its way is decided by
-- `settle`.
kind = 'closed', error = NULL, since = :closed_at::bigint,
state = CASE WHEN sent IS NULL AND tried IS NULL AND leased_until <= :closed_at::bigint THEN 'given up' ELSE 'waiting' END,
attempts = CASE WHEN leased_until > :closed_at::bigint THEN attempts ELSE 0 END,
due_at = CASE WHEN leased_until > :closed_at::bigint THEN due_at ELSE :closed_at::bigint END

-- part: canBeTakenBack
channel IS NOT NULL AND kind <> 'closed' AND (state = 'waiting' OR sent IS NOT NULL)

-- part: isApart
-- Somebody without a name may be anybody.
NOT EXISTS (
  SELECT 1 FROM pairs
  WHERE ask = :id AND :answered_by::text IS NOT NULL
    AND (answered_by IN (:answered_by::text, '') OR answered_by IS NOT NULL AND :answered_by::text = ''))

-- statement: answerable
-- Finds the ask unless this person answered one that it is kept apart from.
SELECT id FROM asks WHERE id = :id AND {isApart}

-- statement: close
-- Changes nothing if the ask is not as it was read.
WITH ended AS ({ended}, closed_by = pg_current_xact_id() {asJudged} RETURNING id),
queued AS ({queued})
SELECT id FROM ended

-- SQLite: close
-- Nobody else has the database: what the first statement changed, the others know.
{ended} {asJudged};
{queuedInSQLite}

-- statement: closeApart
-- The same for an ask that is kept apart from others, was changed, or has notices. It is not answered by somebody who answered one of
-- the others, and who answers it is noted for those. The older ask of two is locked before this statement, whichever of them
-- is closed: so the statement sees who answered the other.
WITH ended AS ({ended}, closed_by = pg_current_xact_id() {asJudged} AND {isApart} RETURNING id),
queued AS ({queued}),
told AS (UPDATE pairs SET answered_by = :answered_by::text FROM ended WHERE other = ended.id),
withdrawn AS (UPDATE deliveries SET {takenBack} FROM ended WHERE ask = ended.id AND {canBeTakenBack}),
done AS (DELETE FROM pairs USING ended WHERE ask = ended.id)
SELECT id FROM ended

-- SQLite: closeApart
UPDATE pairs SET answered_by = :answered_by
WHERE other = :id AND EXISTS (SELECT 1 FROM asks {asJudged} AND {isApart});
{ended} {asJudged} AND {isApart};
{queuedInSQLite};
DELETE FROM pairs WHERE ask = :id AND EXISTS (SELECT 1 FROM asks WHERE id = :id AND outcome IS NOT NULL);
UPDATE deliveries SET {takenBack}
WHERE ask = :id AND {canBeTakenBack} AND EXISTS (SELECT 1 FROM asks WHERE id = :id AND outcome IS NOT NULL)

-- part: result
UPDATE asks SET result = :result, result_at = :at, moved_from = coalesce(moved_from, position), position = (
  SELECT last FROM positions WHERE prompt = '')

-- part: awaitsResult
id = :id AND outcome IN ('ok', 'action') AND result IS NULL

-- part: resultCallback
INSERT INTO deliveries (id, ask, url, origin, due_at, since)
SELECT id || ' result', id, :url::text, :origin::text, :at::bigint, :at::bigint

-- part: resultNotices
-- What was sent, or may have arrived, is updated once more. A row of its own, since the one of the end may be on its way.
INSERT INTO deliveries (id, ask, channel, origin, sent, tried, due_at, since)
SELECT deliveries.id || ' result', ask, channel, origin, sent, tried, :at::bigint, :at::bigint

-- part: canShowResult
channel IS NOT NULL AND (sent IS NOT NULL OR tried IS NOT NULL)

-- statement: finish
-- Keeps the first result of an ask that was answered, and moves the ask to the end of the lists: see `create`.
WITH next AS (
  INSERT INTO positions (prompt, last) SELECT '', 1 WHERE EXISTS (SELECT FROM asks WHERE {awaitsResult})
  ON CONFLICT (prompt) DO UPDATE SET last = positions.last + 1 RETURNING last),
finished AS (
  UPDATE asks SET result = :result, result_at = :at, moved_from = coalesce(moved_from, position), position = next.last
  FROM next WHERE {awaitsResult} RETURNING id),
queued AS ({resultCallback} FROM finished WHERE :url::text IS NOT NULL),
told AS ({resultNotices} FROM deliveries JOIN finished ON ask = finished.id WHERE {canShowResult})
SELECT id FROM finished

-- SQLite: finish
UPDATE positions SET last = last + 1 WHERE prompt = '' AND EXISTS (SELECT 1 FROM asks WHERE {awaitsResult});
{result} WHERE {awaitsResult};
SELECT :id AS id WHERE changes() > 0;
{resultCallback} FROM asks WHERE id = :id AND changes() > 0 AND :url IS NOT NULL;
{resultNotices} FROM deliveries WHERE ask = :id AND {canShowResult}
  AND EXISTS (SELECT 1 FROM asks WHERE id = :id AND result = :result AND result_at = :at)
ON CONFLICT (id) DO NOTHING

-- part: changed
UPDATE asks SET people = :people, expires_at = :expires_at, revision = coalesce(revision, 0) + 1

-- part: toldAgain
ON CONFLICT (id) DO UPDATE SET
  state = 'waiting', attempts = 0, due_at = excluded.due_at, since = excluded.since, error = NULL
WHERE deliveries.state = 'given up' AND deliveries.sent IS NULL AND deliveries.strikes <= 3 OR {isMoved}

-- statement: change
-- Who was added is told, who is no longer meant is not, and reminders move: all notices that the ask has now are given.
-- What was sent is updated if its end has `moved`.
WITH changed AS ({changed} {asJudged} RETURNING {columns of asks}),
told AS (
  INSERT INTO deliveries {notices} FROM changed AS made CROSS JOIN json_array_elements(:notices::json) AS notice (value)
  {toldAgain}),
untold AS (
  UPDATE deliveries SET {movedOrLeft} FROM changed
  WHERE ask = changed.id AND {isMovedOrLeft}
    AND NOT EXISTS (SELECT FROM json_array_elements(:notices::json) AS notice (value) WHERE value ->> 'id' = deliveries.id))
SELECT * FROM changed

-- SQLite: change
{changed} {asJudged} RETURNING {columns of asks};
INSERT INTO deliveries {notices} FROM asks AS made CROSS JOIN json_each(:notices) WHERE made.id = :id AND {isChanged}
{toldAgain};
UPDATE deliveries SET {movedOrLeft}
WHERE ask = :id AND {isMovedOrLeft}
  AND EXISTS (SELECT 1 FROM asks AS made WHERE made.id = :id AND {isChanged})
  AND id NOT IN (SELECT value ->> 'id' FROM json_each(:notices))

-- part: isMoved
:moved::bigint = 1 AND deliveries.sent IS NOT NULL AND deliveries.state = 'delivered'

-- part: movedOrLeft
state = CASE WHEN sent IS NULL THEN 'given up' ELSE 'waiting' END, attempts = 0, error = NULL,
due_at = :now::bigint, since = :now::bigint

-- part: isMovedOrLeft
channel IS NOT NULL AND (state = 'waiting' AND sent IS NULL OR {isMoved})

-- part: isChanged
made.outcome IS NULL AND made.people IS :people AND made.expires_at = :expires_at

-- statement: due
{asks} WHERE outcome IS NULL AND expires_at <= :now ORDER BY expires_at LIMIT :limit

-- statement: append
-- The prompt's row is locked until the commit, and only then is the next number taken: so of one prompt the order of
-- commits is the order of positions, and a reader who has seen one has seen all before it. The numbers are those of all
-- prompts together, as in SQLite. Of two with one key the second waits for the prompt's row, and then finds the key
-- taken.
WITH next AS (
  INSERT INTO positions (prompt, last) SELECT :prompt::text, nextval('answer_positions')
  WHERE NOT EXISTS (SELECT FROM answers WHERE idempotency_key = :idempotency_key)
  ON CONFLICT (prompt) DO UPDATE SET last = nextval('answer_positions') RETURNING last)
INSERT INTO answers (position, {columns of answers}) SELECT last, {values of answers} FROM next
ON CONFLICT (idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING RETURNING position

-- SQLite: append
-- Numbers count up by themselves.
INSERT INTO answers ({columns of answers}) VALUES ({values of answers})
ON CONFLICT (idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING;
SELECT last_insert_rowid() AS position WHERE changes() > 0

-- part: keptAnswers
SELECT position, {columns of answers} FROM answers

-- statement: answers
{keptAnswers} WHERE prompt = :prompt AND {afterCursor}

-- statement: answerByReceipt
{keptAnswers} WHERE receipt = :receipt

-- statement: answerByKey
{keptAnswers} WHERE idempotency_key = :idempotency_key

-- part: receiversByAge
-- Every origin that something waits for, and when the first of them is due: steps from origin to origin in the index,
-- whatever waits for each. What was struck waits apart.
receivers (origin) AS (
  SELECT (SELECT origin FROM deliveries WHERE state = 'waiting' AND strikes = 0 ORDER BY origin LIMIT 1)
  UNION ALL
  SELECT (
    SELECT origin FROM deliveries
    WHERE state = 'waiting' AND strikes = 0 AND origin > receivers.origin ORDER BY origin LIMIT 1)
  FROM receivers WHERE origin IS NOT NULL),
first (origin, strikes, due_at) AS (
  SELECT origin, 0, (
    SELECT due_at FROM deliveries
    WHERE state = 'waiting' AND strikes = 0 AND origin = receivers.origin ORDER BY due_at LIMIT 1)
  FROM receivers WHERE origin IS NOT NULL
  UNION ALL
  SELECT origin, strikes, min(due_at) FROM deliveries WHERE state = 'waiting' AND strikes > 0 GROUP BY strikes, origin)

-- statement: receivers
WITH RECURSIVE {receiversByAge}
SELECT origin, strikes, (
  SELECT channel FROM deliveries
  WHERE state = 'waiting' AND strikes = first.strikes AND origin = first.origin ORDER BY due_at LIMIT 1) AS channel, (
  SELECT count(*) FROM deliveries
  WHERE state = 'waiting' AND origin = first.origin AND leased_until > :now) AS leased
FROM first WHERE due_at <= :now ORDER BY strikes, due_at

-- part: awaited
deliveries
WHERE state = 'waiting' AND strikes = :strikes AND origin = :origin AND due_at <= :now

-- part: wasLeft
-- Its sender ended while it was under way. The settlement of an attempt takes the lease back, also when a server stops.
leased_until BETWEEN 1 AND :ended

-- part: needsTurn
kind <> 'closed' AND sent IS NULL AND NOT ({wasLeft})

-- part: claimed
-- What was left is not claimed but gets a strike. With the first it waits to be sent by itself, and only then do more
-- count.
UPDATE deliveries SET
  strikes = strikes + CASE WHEN {wasLeft} THEN 1 ELSE 0 END,
  state = CASE WHEN {wasLeft} AND strikes >= 3 THEN 'given up' ELSE state END,
  since = :now,
  tried = CASE WHEN {wasLeft} OR kind = 'closed' THEN tried ELSE coalesce(tried, (
    SELECT min(id) FROM due WHERE leased_until = 0 AND kind <> 'closed' AND tried IS NULL)) END,
  due_at = CASE WHEN {wasLeft} THEN :now ELSE :leased_until END,
  leased_until = CASE WHEN {wasLeft} THEN 0 ELSE :leased_until END

-- part: claimedColumns
id AS delivery, ask AS id, kind, url, sent, tried, attempts, strikes, state, leased_until

-- statement: claim
-- A notice needs the origin's turn, which no two take at once; a callback, and what updates a notice, does not. A turn that
-- is further away than the next one was given by a clock that has been set back since. What
-- another node claims at this moment is passed over; the two may together have more of one receiver than they should.
WITH turn AS (
  INSERT INTO turns (origin, next_at) SELECT :origin::text, :next_at::bigint
  WHERE :next_at::bigint IS NOT NULL AND EXISTS (SELECT FROM {awaited} AND {needsTurn})
  ON CONFLICT (origin) DO UPDATE SET next_at = excluded.next_at WHERE {isTurn} RETURNING origin),
due AS (
  SELECT id, kind, tried, leased_until FROM {awaited} AND (NOT ({needsTurn}) OR EXISTS (SELECT FROM turn))
  ORDER BY due_at LIMIT :limit FOR UPDATE SKIP LOCKED)
{claimed} WHERE id = ANY (ARRAY(SELECT id FROM due)) RETURNING {claimedColumns}

-- SQLite: claim
INSERT INTO turns (origin, next_at) SELECT :origin, :next_at
WHERE :next_at IS NOT NULL AND EXISTS (SELECT 1 FROM {awaited} AND {needsTurn})
ON CONFLICT (origin) DO UPDATE SET next_at = excluded.next_at WHERE {isTurn};
WITH due AS (
  SELECT id, kind, tried, leased_until FROM {awaited} AND (NOT ({needsTurn}) OR changes() > 0)
  ORDER BY due_at LIMIT :limit)
{claimed} WHERE id IN (SELECT id FROM due) RETURNING {claimedColumns}

-- part: isTurn
turns.next_at <= :now OR turns.next_at > excluded.next_at

-- statement: sentNotices
-- All that went out in one message, or may have.
SELECT ask AS id FROM deliveries WHERE (sent = :sent OR tried = :tried) AND channel IS NOT NULL ORDER BY deliveries.id

-- statement: named
-- A notice of this channel, or of this one of its addresses, that can be updated.
SELECT id FROM deliveries WHERE origin = :origin AND sent IS NOT NULL LIMIT 1

-- statement: told
-- Without reminders that are still to come.
SELECT channel, origin, kind, sent, tried, state, attempts, strikes, since, error FROM deliveries
WHERE ask = :id AND channel IS NOT NULL AND id NOT LIKE '% result' AND (attempts > 0 OR state = 'delivered' OR id < :id::text || ' b')
ORDER BY id

-- part: isOutdated
-- It has arrived, and says another end of its question than there is now.
:state::text = 'delivered' AND kind = :kind::text AND kind <> 'closed' AND coalesce(:sent::text, sent) IS NOT NULL
AND (SELECT expires_at FROM asks WHERE asks.id = deliveries.ask) <> :shown_end::bigint

-- statement: settle
-- The count of attempts tells whether another sender took over after this one's lease; a delivery counts all the same.
-- If the ask was closed while a notice was on its way, it is taken back next; if its end moved, the notice is updated. Who
-- lived through an attempt was not ended by it.
UPDATE deliveries SET
  state = CASE WHEN {isOutdated} THEN 'waiting' WHEN kind = :kind::text THEN :state::text WHEN :sent::text IS NOT NULL THEN 'waiting'
    WHEN :state::text = 'delivered' THEN 'delivered' WHEN :arrived::bigint = 1 THEN 'waiting' ELSE 'given up' END,
  tried = CASE WHEN :arrived::bigint = 1 THEN tried END, error = :error::text, since = :now::bigint,
  attempts = CASE WHEN {isOutdated} THEN 0 WHEN kind = :kind::text THEN attempts + :counts::bigint ELSE 0 END,
  due_at = CASE WHEN kind = :kind::text THEN :due_at::bigint ELSE :now::bigint END,
  sent = coalesce(:sent::text, sent), leased_until = 0,
  strikes = CASE WHEN :counts::bigint > 0 THEN 0 ELSE strikes END
WHERE id = :delivery AND state = 'waiting' AND (attempts = :attempts OR :state::text = 'delivered')

-- statement: nextDelivery
WITH RECURSIVE {receiversByAge} SELECT min(due_at) AS due_at FROM first

-- statement: rewind
-- What waits for an interval never waits longer, though the clock was set back: it moves back as far. As a server starts,
-- notices that failed are due: somebody may have set right what was wrong.
{rewound} WHERE id = ANY (ARRAY({ahead} FOR UPDATE SKIP LOCKED))

-- SQLite: rewind
{rewound} WHERE id IN ({ahead})

-- part: rewound
UPDATE deliveries SET
  due_at = CASE WHEN since > :now::bigint THEN due_at - since + :now::bigint ELSE :now::bigint END,
  leased_until = CASE WHEN leased_until > 1 AND since > :now::bigint THEN leased_until - since + :now::bigint
    ELSE leased_until END,
  since = :now::bigint

-- part: ahead
SELECT id FROM deliveries
WHERE state = 'waiting' AND since > :now::bigint
  OR :starts::bigint = 1 AND state = 'waiting' AND channel IS NOT NULL AND attempts > 0 AND leased_until = 0
    AND due_at > :now::bigint

-- statement: statistics
SELECT (SELECT count(*) FROM asks WHERE outcome IS NULL) AS open,
  (SELECT count(*) FROM deliveries WHERE state = 'waiting' AND channel IS NULL) AS callbacks,
  (SELECT count(*) FROM deliveries WHERE state = 'waiting' AND channel IS NOT NULL) AS notices,
  (SELECT count(*) FROM deliveries WHERE state = 'waiting' AND channel IS NOT NULL AND attempts > 0) AS failing,
  (SELECT count(*) FROM deliveries WHERE state = 'given up' AND strikes > 3) AS set_aside

-- statement: tryWrite
INSERT INTO settings (name, value) VALUES ('tried', :value) ON CONFLICT (name) DO UPDATE SET value = excluded.value

-- statement: purgeAsks
WITH old AS ({oldAsks} FOR UPDATE SKIP LOCKED)
DELETE FROM asks WHERE id = ANY (ARRAY(SELECT id FROM old)) RETURNING id

-- SQLite: purgeAsks
DELETE FROM asks WHERE id IN ({oldAsks}) RETURNING id

-- part: oldAsks
SELECT id FROM asks
WHERE outcome IS NOT NULL AND closed_at < :before
  AND NOT EXISTS (SELECT 1 FROM deliveries WHERE ask = asks.id AND state = 'waiting' AND channel IS NULL)
ORDER BY closed_at LIMIT :limit

-- statement: purgeAnswers
-- The oldest answers are the first. One that stands behind younger ones, since the clock was set back, goes when they go.
WITH old AS ({oldestAnswers} FOR UPDATE SKIP LOCKED)
DELETE FROM answers WHERE answered_at < :before AND position = ANY (ARRAY(SELECT position FROM old)) RETURNING position

-- SQLite: purgeAnswers
DELETE FROM answers WHERE answered_at < :before AND position IN ({oldestAnswers}) RETURNING position

-- part: oldestAnswers
SELECT position FROM answers ORDER BY position LIMIT :limit

-- Only several servers of one PostgreSQL need these.

-- statement: lock
SELECT FROM asks WHERE id = ANY (:ids::text[]) ORDER BY id FOR UPDATE

-- statement: endings
SELECT ask.* FROM unnest(:ids::text[]) AS closed (id) CROSS JOIN LATERAL (
  SELECT id, prompt, created_at, outcome, closed_at, closed, closed_request, result, result_within FROM asks
  WHERE id = closed.id LIMIT 1) AS ask
WHERE outcome IS NOT NULL

-- statement: changes
-- What was closed since the snapshot that the last look took, whenever its transaction began. The upper bound leaves out
-- what another cluster numbered, before a restore.
SELECT pg_current_snapshot()::text AS snapshot, (
  SELECT string_agg(id, ',') FROM asks
  WHERE closed_by >= pg_snapshot_xmin(:snapshot::text::pg_snapshot)
    AND closed_by < pg_snapshot_xmax(pg_current_snapshot())
    AND NOT pg_visible_in_snapshot(closed_by, :snapshot::text::pg_snapshot)) AS ids

-- statement: notify
SELECT pg_notify('okcancel', :ids)

-- statement: offer
-- The prompts that this node has in another version than another node, or that only one of the two has. By the
-- database's clock, which is one for all nodes.
WITH own AS (
  INSERT INTO nodes (id, seen_at, prompts) VALUES (:id::text, now(), :prompts::jsonb)
  ON CONFLICT (id) DO UPDATE SET seen_at = now(), prompts = excluded.prompts),
gone AS (
  DELETE FROM nodes WHERE id = ANY (ARRAY(
    SELECT id FROM nodes WHERE id <> :id::text AND seen_at < now() - interval '35 seconds' FOR UPDATE SKIP LOCKED))),
others AS (
  SELECT prompts FROM nodes
  WHERE id <> :id::text AND seen_at > now() - interval '35 seconds' AND prompts <> :prompts::jsonb LIMIT 8)
SELECT DISTINCT name COLLATE "C" AS name FROM others CROSS JOIN LATERAL (
  SELECT coalesce(theirs.key, ours.key) AS name FROM jsonb_each(others.prompts) AS theirs
  FULL JOIN jsonb_each(:prompts::jsonb) AS ours ON theirs.key = ours.key
  WHERE theirs.value IS DISTINCT FROM ours.value) AS differing
ORDER BY name

-- statement: leave
DELETE FROM nodes WHERE id = :id
