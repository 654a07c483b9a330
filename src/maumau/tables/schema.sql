-- One row for each table; head is the number of its last event and what compare-and-swap compares.
CREATE TABLE IF NOT EXISTS tables (
    id TEXT PRIMARY KEY,
    rules TEXT NOT NULL,                -- the code that people read
    head INTEGER NOT NULL,
    state TEXT NOT NULL,                -- waiting, playing, round-over, match-over
    public INTEGER NOT NULL,
    created_at INTEGER NOT NULL,        -- milliseconds since the epoch, here and everywhere below
    last_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The facts. shown: what everybody may know; hidden: what only the event's own seat may know besides.
-- does: the action whose command this event is the first of; replaying these is all that a restart needs.
CREATE TABLE IF NOT EXISTS events (
    table_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    seat INTEGER,
    does TEXT,
    by_seat INTEGER,
    command TEXT,
    at INTEGER NOT NULL,
    shown TEXT NOT NULL,
    hidden TEXT,
    PRIMARY KEY (table_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER IF NOT EXISTS events_never_change BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;

CREATE TRIGGER IF NOT EXISTS events_never_vanish BEFORE DELETE ON events
WHEN EXISTS (SELECT 1 FROM tables WHERE id = OLD.table_id)
BEGIN SELECT RAISE(ABORT, 'events go only with their whole table'); END;

-- What a command was answered, accepted or refused, so that its repetition gets the same.
CREATE TABLE IF NOT EXISTS commands (
    table_id TEXT NOT NULL,
    seat INTEGER NOT NULL,
    id TEXT NOT NULL,
    body BLOB NOT NULL,                 -- SHA-256 of what was asked
    version INTEGER NOT NULL,           -- the version of the view in the answer
    lang TEXT NOT NULL,
    refusal TEXT,                       -- the error as JSON; NULL: accepted
    PRIMARY KEY (table_id, seat, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS seats (
    table_id TEXT NOT NULL,
    seat INTEGER NOT NULL,
    name TEXT NOT NULL,
    token BLOB UNIQUE,                  -- SHA-256; NULL: nobody's
    PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;

-- Who waits in front of a table until its host answers: the name goes when the knock is over.
CREATE TABLE IF NOT EXISTS knocks (
    table_id TEXT NOT NULL,
    knock INTEGER NOT NULL,
    name TEXT NOT NULL,
    token BLOB NOT NULL,                -- SHA-256
    PRIMARY KEY (table_id, knock)
) STRICT, WITHOUT ROWID;

-- Never joined to anything that is shown.
CREATE TABLE IF NOT EXISTS round_secrets (
    table_id TEXT NOT NULL,
    match INTEGER NOT NULL,
    round INTEGER NOT NULL,
    seed BLOB NOT NULL,
    PRIMARY KEY (table_id, match, round)
) STRICT, WITHOUT ROWID;

-- What the commitments were made from, by the number of the deal at the table. Shown after the round, by its event.
CREATE TABLE IF NOT EXISTS deal_secrets (
    table_id TEXT NOT NULL,
    deal INTEGER NOT NULL,
    secret BLOB NOT NULL,
    PRIMARY KEY (table_id, deal)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS table_secrets (
    table_id TEXT PRIMARY KEY,
    key BLOB NOT NULL                   -- invite and watch link are derived from it
) STRICT, WITHOUT ROWID;

-- Which table an invite opens: looked up by its SHA-256, the invite itself is stored nowhere.
CREATE TABLE IF NOT EXISTS invites (
    invite BLOB PRIMARY KEY,
    table_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS invites_of ON invites (table_id);

-- The word by which people in one room sit down: while the table waits.
CREATE TABLE IF NOT EXISTS codes (
    code TEXT PRIMARY KEY,
    table_id TEXT NOT NULL UNIQUE
) STRICT, WITHOUT ROWID;

-- Whose seat it is: the SHA-256 of what a browser's cookie carries, so that a person finds its own games.
CREATE TABLE IF NOT EXISTS visitors (
    table_id TEXT NOT NULL,
    seat INTEGER NOT NULL,
    visitor BLOB NOT NULL,
    PRIMARY KEY (table_id, seat, visitor)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS visitors_own ON visitors (visitor);

-- What a person has played, a row for each match; written with the events that it follows from, and kept when the table
-- itself is gone. No name of anybody is in it.
CREATE TABLE IF NOT EXISTS results (
    visitor BLOB NOT NULL,
    table_id TEXT NOT NULL,
    seat INTEGER NOT NULL,
    match INTEGER NOT NULL,
    book TEXT NOT NULL,
    at INTEGER NOT NULL,
    seats INTEGER NOT NULL,
    rounds INTEGER NOT NULL,
    rounds_won INTEGER NOT NULL,
    points INTEGER,                     -- NULL where the rules count none
    over INTEGER NOT NULL,
    won INTEGER NOT NULL,
    PRIMARY KEY (visitor, table_id, seat, match)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS results_old ON results (at);

-- What is due: a bot's turn or shout, the end of a turn's clock, a table's end of life. expected: the version it was decided on.
CREATE TABLE IF NOT EXISTS timers (
    table_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    expected INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    PRIMARY KEY (table_id, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS timers_due ON timers (due_at);
CREATE INDEX IF NOT EXISTS timers_in_play ON timers (due_at) WHERE kind <> 'life';

-- When a server last ran: what it was down for is given back to every clock.
CREATE TABLE IF NOT EXISTS heartbeat (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS server (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    schema INTEGER NOT NULL,
    booted_at INTEGER NOT NULL
) STRICT;
