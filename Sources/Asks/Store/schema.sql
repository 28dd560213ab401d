-- What a store is made of. SQLite has the same tables and indexes as PostgreSQL; what each calls the type of a column
-- (`text`, `bytes`, `number`, `flag`, or `counter`, a key that counts up) is in SQLDialect.swift. SQLFile.swift reads this
-- file, and Tests/AsksTests run every store made from it. From the tables follow what makes them, what adds a column
-- that an earlier version did not have, and what is copied from one database to another: a column, key or check a line.
-- A key of several columns is `PRIMARY KEY (one, other)`. A column that is added later must allow NULL or have a default.
--
-- Moments are milliseconds since 1970.

-- table: asks
-- An ask is open while its outcome is NULL. Asks were committed in the order of their positions. `link` is the sealed
-- token, kept only while the ask is open and only if a retried request may ask for it or people are told of the ask.
-- `people` is JSON: who may answer, if not everybody, and who is told. `revision` counts changes of that, of `expires_at`
-- and of what the ask is kept apart from. `answered_by` is the key of the person who answered, or empty if nobody said who
-- it was. `hook` is the call of a coding agent that it is about: digests of the session, of the agent in it and of the
-- call, `SESSION/AGENT/CALL`, until an event of the agent says that the call is over. `result` is what the program did after
-- the answer, and `result_within` the seconds that it has to say so. As it comes, the ask moves to the end of the lists:
-- `moved_from` is the position that it had.
id text NOT NULL PRIMARY KEY,
link_hash bytes NOT NULL UNIQUE,
link bytes,
idempotency_key bytes UNIQUE,
idempotency_body bytes,
prompt text,
definition bytes NOT NULL,
initial bytes NOT NULL,
metadata bytes NOT NULL,
callback text,
asked_by text,
holds_passwords flag NOT NULL,
created_at number NOT NULL,
expires_at number NOT NULL,
outcome text,
closed_at number,
closed bytes,
closed_request bytes,
position number,
people bytes,
revision number,
answered_by text,
hook text,
result bytes,
result_at number,
result_within number,
moved_from number,
CHECK ((outcome IS NULL) = (closed IS NULL) AND (outcome IS NULL) = (closed_at IS NULL)),
CHECK ((idempotency_key IS NULL) = (idempotency_body IS NULL))

-- table: answers
-- A position counts up and is never given twice.
position counter,
prompt text NOT NULL,
answered_at number NOT NULL,
context text NOT NULL,
outcome bytes NOT NULL,
receipt text,
idempotency_key bytes,
idempotency_body bytes

-- table: deliveries
-- What is to leave the server: a callback, which has a `url`, or a notice of a question to a `channel`. A claimed delivery
-- is due when its lease ends. `origin` is who receives it: the origin of the URL, or the channel and, by mail, the address.
-- `strikes` counts the senders that ended while it was under way: the first may have ended because of another that was
-- under way, so it is sent by itself from then on. With four it is `given up`, because the program ended while it was sent.
-- `sent` names the message at the channel by which it can be updated; notices that went out together share it. `tried` is
-- the notice after which a message was named that may have arrived, and `error` the receiver's last refusal. `since` is when
-- `due_at` and `leased_until` were set, or NULL if `due_at` is a moment of its own, as that of a reminder.
id text NOT NULL PRIMARY KEY,
ask text NOT NULL REFERENCES asks (id) ON DELETE CASCADE,
kind text NOT NULL DEFAULT 'closed' CHECK (kind IN ('asked', 'reminder', 'closed')),
channel text,
url text,
origin text NOT NULL,
sent text,
tried text,
error text,
since number,
state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'given up')),
attempts number NOT NULL DEFAULT 0,
due_at number NOT NULL,
leased_until number NOT NULL DEFAULT 0,
strikes number NOT NULL DEFAULT 0,
CHECK ((channel IS NULL) = (url IS NOT NULL))

-- table: turns
-- When the next notice may go to an origin: no more than one in a while.
origin text NOT NULL PRIMARY KEY,
next_at number NOT NULL

-- table: pairs
-- Whoever answered `other` may not answer `ask`. A pair of asks has two rows, one for each side, until that side has ended.
-- `answered_by` is as in `asks`.
ask text NOT NULL,
other text NOT NULL,
answered_by text,
PRIMARY KEY (ask, other)

-- section: indexes
-- Of each ask two of the lists hold an entry, and of the answers only those that have a receipt or a key take room in its
-- index.
CREATE INDEX IF NOT EXISTS asks_open ON asks (expires_at) WHERE outcome IS NULL;
CREATE INDEX IF NOT EXISTS asks_closed ON asks (closed_at) WHERE outcome IS NOT NULL;
CREATE INDEX IF NOT EXISTS asks_open_in_order ON asks (position, created_at) WHERE outcome IS NULL;
CREATE INDEX IF NOT EXISTS asks_closed_in_order ON asks (position, created_at) WHERE outcome IS NOT NULL;
CREATE INDEX IF NOT EXISTS asks_open_of_prompt_in_order ON asks (prompt, position)
  WHERE outcome IS NULL AND prompt IS NOT NULL;
CREATE INDEX IF NOT EXISTS asks_closed_of_prompt_in_order ON asks (prompt, position)
  WHERE outcome IS NOT NULL AND prompt IS NOT NULL;
CREATE INDEX IF NOT EXISTS asks_open_of_asker_in_order ON asks (asked_by, position)
  WHERE outcome IS NULL AND asked_by IS NOT NULL;
CREATE INDEX IF NOT EXISTS asks_closed_of_asker_in_order ON asks (asked_by, position)
  WHERE outcome IS NOT NULL AND asked_by IS NOT NULL;
CREATE INDEX IF NOT EXISTS asks_of_hook ON asks (hook) WHERE hook IS NOT NULL;
CREATE INDEX IF NOT EXISTS answers_of_prompt ON answers (prompt, position);
CREATE UNIQUE INDEX IF NOT EXISTS answers_by_receipt ON answers (receipt) WHERE receipt IS NOT NULL;
CREATE UNIQUE INDEX IF NOT EXISTS answers_by_key ON answers (idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX IF NOT EXISTS deliveries_of_ask ON deliveries (ask);
CREATE INDEX IF NOT EXISTS deliveries_waiting ON deliveries (strikes, origin, due_at) WHERE state = 'waiting';
CREATE INDEX IF NOT EXISTS deliveries_set_aside ON deliveries (strikes) WHERE state = 'given up' AND strikes > 3;
CREATE INDEX IF NOT EXISTS deliveries_leased ON deliveries (origin, leased_until) WHERE state = 'waiting';
CREATE INDEX IF NOT EXISTS deliveries_sent ON deliveries (sent) WHERE sent IS NOT NULL;
CREATE INDEX IF NOT EXISTS deliveries_tried ON deliveries (tried) WHERE tried IS NOT NULL;
CREATE INDEX IF NOT EXISTS pairs_by_other ON pairs (other)

-- section: SQLite
CREATE TABLE IF NOT EXISTS settings (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS positions (prompt TEXT NOT NULL PRIMARY KEY, last INTEGER NOT NULL) STRICT

-- section: numbering
-- The last position of an ask stands under the name that no prompt has. Asks of an earlier version come in the order of
-- their age.
UPDATE asks SET position = numbered.place
FROM (SELECT id AS ask, row_number() OVER (ORDER BY created_at, id) AS place FROM asks) AS numbered
WHERE asks.id = numbered.ask AND asks.position IS NULL;
INSERT INTO positions (prompt, last) SELECT '', coalesce(max(position), 0) FROM asks WHERE true
ON CONFLICT (prompt) DO NOTHING

-- section: callbacks
-- Callbacks of an earlier version, which had a table of their own.
INSERT INTO deliveries (id, ask, url, origin, state, attempts, due_at, leased_until)
SELECT ask || ' closed', ask, url, origin, state, attempts, due_at, leased_until FROM callbacks;
DROP TABLE callbacks

-- section: view
-- For nodes of the version before, which still read and write that table.
ALTER TABLE deliveries ALTER COLUMN id SET DEFAULT gen_random_uuid()::text;
CREATE VIEW callbacks AS SELECT ask, url, origin, state, attempts, due_at, leased_until FROM deliveries
WHERE channel IS NULL

-- section: nodes
-- What only several servers need. `closed_by` is the transaction that closed an ask: by that a node finds what others
-- closed since it last looked. Of one prompt the order of commits is that of positions: see `append` in statements.sql.
-- `nodes` are the servers that run, and the version of each prompt that they offer, by its name.
ALTER TABLE asks ADD COLUMN IF NOT EXISTS closed_by xid8;
CREATE INDEX IF NOT EXISTS asks_changed ON asks (closed_by) WHERE closed_by IS NOT NULL;
CREATE SEQUENCE IF NOT EXISTS answer_positions;
CREATE TABLE IF NOT EXISTS positions (prompt text COLLATE "C" PRIMARY KEY, last bigint NOT NULL)
  WITH (fillfactor = 10);
CREATE TABLE IF NOT EXISTS settings (name text PRIMARY KEY, value text NOT NULL) WITH (fillfactor = 10);
CREATE TABLE IF NOT EXISTS nodes (
  id text COLLATE "C" PRIMARY KEY, seen_at timestamptz NOT NULL, prompts jsonb NOT NULL) WITH (fillfactor = 10);
-- For nodes of the version before, which number no asks: see `create` in statements.sql.
CREATE OR REPLACE FUNCTION okcancel_position() RETURNS bigint LANGUAGE sql BEGIN ATOMIC
  INSERT INTO positions (prompt, last) VALUES ('', 1)
  ON CONFLICT (prompt) DO UPDATE SET last = positions.last + 1 RETURNING last; END;
ALTER TABLE asks ALTER COLUMN position SET DEFAULT okcancel_position();
DROP INDEX IF EXISTS asks_open_by_age, asks_closed_by_age, asks_open_of_prompt, asks_closed_of_prompt,
  deliveries_of_origin;

-- section: foreign
-- Relations where ours would be, though there is no `okcancel`: in one statement, since another node may be making all of
-- them.
SELECT string_agg(relname, ', ' ORDER BY relname) FROM pg_class
WHERE relnamespace = current_schema()::regnamespace
  AND relname IN (
    'asks', 'answers', 'callbacks', 'deliveries', 'turns', 'pairs', 'positions', 'answer_positions', 'settings', 'nodes')
  AND NOT EXISTS (
    SELECT FROM pg_class WHERE relname = 'okcancel' AND relnamespace = current_schema()::regnamespace)
