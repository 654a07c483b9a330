"""What the store keeps of a table, and the transactions and questions that are put to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

import apsw

from maumau.tables import played
from maumau.tables.errors import ConflictError
from maumau.tables.played import Result
from maumau.tables.store import Transaction

SEAT: Final = "seat:"
"""The kind of a due row of a seat that nobody looks from any more; its number follows."""
CLOCK: Final = "clock"
"""The kind of the due row that ends a turn's clock."""


@dataclass(frozen=True, slots=True)
class Row:
    """One event of a log."""

    seq: int
    kind: str
    seat: int | None
    does: str | None
    by_seat: int | None
    command: str | None
    at: int
    shown: str
    hidden: str | None


@dataclass(frozen=True, slots=True)
class Command:
    """What a command asked, and how it was answered."""

    seat: int
    id: str
    body: bytes
    version: int
    lang: str
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits where: the name, and the SHA-256 of the token that opens the seat."""

    seat: int
    name: str
    token: bytes | None


@dataclass(frozen=True, slots=True)
class Knocker:
    """Who knocks: the number of the knock, the name while it waits, and the SHA-256 of the knocker's secret."""

    knock: int
    name: str
    token: bytes


@dataclass(frozen=True, slots=True)
class Timer:
    """Something that is due."""

    table: str
    kind: str
    expected: int
    due_at: int


@dataclass(frozen=True, slots=True)
class Append:
    """All that one command adds to one table, kept whole or not at all."""

    table: str
    head: int
    """The version it was decided on."""
    rows: tuple[Row, ...]
    state: str
    at: int
    lived: bool = True
    """Whether it counts as something that happened there: from the last such moment on a table is kept for its time."""
    command: Command | None = None
    seats: tuple[Seat, ...] = ()
    seeds: tuple[tuple[int, int, bytes], ...] = ()
    """match, round, seed"""
    secrets: tuple[tuple[int, bytes], ...] = ()
    """deal, secret of its commitment"""
    timers: tuple[tuple[str, Timer | None], ...] = ()
    """What is due by kind; None takes it away."""
    public: bool | None = None
    """Whether it is public from now on; None: as it was."""
    results: tuple[Result, ...] = ()
    """What became of the match, by seat."""
    visitors: tuple[tuple[int, bytes], ...] = ()
    """Whose seat it is from now on."""
    knocks: tuple[Knocker, ...] = ()
    """Knocks that are new, or over."""


@dataclass(frozen=True, slots=True)
class NewTable:
    """What a table is before its first event."""

    rules: str
    public: bool
    key: bytes
    invite: bytes | None = None
    """The SHA-256 of its invite."""
    codes: tuple[str, ...] = ()
    """Words for people in one room: the first that no other table has becomes its own."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A whole table as the store holds it."""

    table: str
    rules: str
    public: bool
    key: bytes
    head: int
    rows: tuple[Row, ...]
    seats: tuple[Seat, ...]
    seeds: dict[tuple[int, int], bytes]
    secrets: dict[int, bytes]
    code: str | None = None
    """The word by which people in one room sit down."""
    clock_due: int | None = None
    """When the turn's clock is at its end, where one runs."""
    knocks: tuple[Knocker, ...] = ()


# --- transactions ---------------------------------------------------------------------------------------------------


def create(new: NewTable, append: Append) -> Transaction[str | None]:
    """A table and its first events; its word for people in one room."""

    def run(db: apsw.Connection) -> str | None:
        db.execute(
            "INSERT INTO tables VALUES (?, ?, 0, ?, ?, ?, ?)",
            (append.table, new.rules, append.state, int(new.public), append.at, append.at),
        )
        db.execute("INSERT INTO table_secrets VALUES (?, ?)", (append.table, new.key))
        if new.invite is not None:
            db.execute("INSERT INTO invites VALUES (?, ?)", (new.invite, append.table))
        _append(db, append)
        return played.give_code(db, append.table, new.codes)

    return run


def with_timer(what: Append, kind: str, timer: Timer) -> Append:
    """The same, with one more thing that is due."""
    return replace(what, timers=(*what.timers, (kind, timer)))


def append(what: Append) -> Transaction[Command | None]:
    """Append to a table; raises ConflictError when its head has moved.

    When its command has been answered before, nothing is appended and that answer is returned.
    """

    def run(db: apsw.Connection) -> Command | None:
        if what.command is not None:
            found = find_command(db, what.table, what.command.seat, what.command.id)
            if found is not None:
                return found
        _append(db, what)
        return None

    return run


def _append(db: apsw.Connection, what: Append) -> None:
    db.execute(
        "UPDATE tables SET head = head + ?, state = ?, last_at = coalesce(?, last_at), public = coalesce(?, public)"
        " WHERE id = ? AND head = ?",
        (len(what.rows), what.state, what.at if what.lived else None, what.public, what.table, what.head),
    )
    if db.changes() != 1:
        raise ConflictError(f"Table {what.table} is no longer at version {what.head}.")
    db.executemany(
        "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        ((what.table, r.seq, r.kind, r.seat, r.does, r.by_seat, r.command, r.at, r.shown, r.hidden) for r in what.rows),
    )
    if what.command is not None:
        _keep_command(db, what.table, what.command)
    for seat in what.seats:
        db.execute("INSERT OR REPLACE INTO seats VALUES (?, ?, ?, ?)", (what.table, seat.seat, seat.name, seat.token))
    for knock in what.knocks:
        row = (what.table, knock.knock, knock.name, knock.token)
        db.execute("INSERT OR REPLACE INTO knocks VALUES (?, ?, ?, ?)", row)
    for match, round_, seed in what.seeds:
        db.execute("INSERT INTO round_secrets VALUES (?, ?, ?, ?)", (what.table, match, round_, seed))
    for deal, secret in what.secrets:
        db.execute("INSERT INTO deal_secrets VALUES (?, ?, ?)", (what.table, deal, secret))
    played.keep_visitors(db, what.table, what.visitors, [seat.seat for seat in what.seats if seat.token is None])
    played.keep_results(db, what.table, what.at, what.results)
    if what.state != "waiting":
        played.drop_code(db, what.table)
    for kind, timer in what.timers:
        _set_timer(db, what.table, kind, timer)


def refuse(table: str, command: Command) -> Transaction[Command]:
    """Keep a refusal, so that its repetition is refused alike; the answer that stands (an earlier one, if there is)."""

    def run(db: apsw.Connection) -> Command:
        found = find_command(db, table, command.seat, command.id)
        if found is None:
            _keep_command(db, table, command)
        return found or command

    return run


def _keep_command(db: apsw.Connection, table: str, c: Command) -> None:
    db.execute(
        "INSERT INTO commands VALUES (?, ?, ?, ?, ?, ?, ?)", (table, c.seat, c.id, c.body, c.version, c.lang, c.refusal)
    )


def _set_timer(db: apsw.Connection, table: str, kind: str, timer: Timer | None) -> None:
    if timer is None:
        db.execute("DELETE FROM timers WHERE table_id = ? AND kind = ?", (table, kind))
    else:
        db.execute("INSERT OR REPLACE INTO timers VALUES (?, ?, ?, ?)", (table, kind, timer.expected, timer.due_at))


def set_timer(timer: Timer) -> Transaction[None]:
    """Put a due row in place of the one of its table and kind."""
    return lambda db: _set_timer(db, timer.table, timer.kind, timer)


def set_timer_where_none(timer: Timer) -> Transaction[None]:
    """Put a due row where its table has none of its kind."""

    def run(db: apsw.Connection) -> None:
        row = (timer.table, timer.kind, timer.expected, timer.due_at)
        db.execute("INSERT OR IGNORE INTO timers VALUES (?, ?, ?, ?)", row)

    return run


def clear_timer(table: str, kind: str) -> Transaction[None]:
    """Take away what is due of a kind."""
    return lambda db: _set_timer(db, table, kind, None)


def put_off(timer: Timer, later: Timer) -> Transaction[None]:
    """Make a due row due later, unless another has taken its place."""

    def run(db: apsw.Connection) -> None:
        db.execute(
            "UPDATE timers SET due_at = ? WHERE table_id = ? AND kind = ? AND expected = ? AND due_at = ?",
            (later.due_at, timer.table, timer.kind, timer.expected, timer.due_at),
        )

    return run


def shift_overdue(kind: str, now: int, until: int) -> Transaction[None]:
    """Make what has fallen due while nobody was there due a little later; ``kind`` may be a pattern with ``*``."""

    def run(db: apsw.Connection) -> None:
        db.execute("UPDATE timers SET due_at = ? WHERE kind GLOB ? AND due_at <= ?", (until, kind, now))

    return run


def give_back(kind: str, by: int) -> Transaction[None]:
    """Make everything of a kind due later by so much."""

    def run(db: apsw.Connection) -> None:
        db.execute("UPDATE timers SET due_at = due_at + ? WHERE kind = ?", (by, kind))

    return run


def beat(now: int) -> Transaction[None]:
    """The server runs at this moment."""

    def run(db: apsw.Connection) -> None:
        db.execute("INSERT OR REPLACE INTO heartbeat VALUES (1, ?)", (now,))

    return run


def last_beat(db: apsw.Connection) -> int | None:
    """When a server last said that it ran."""
    moment: int | None = db.execute("SELECT at FROM heartbeat WHERE id = 1").get
    return moment


def nobody_looks(at: int, kinds: tuple[str, ...]) -> Transaction[None]:
    """At a start nobody is connected: where something of these kinds is due, each person's time away begins."""

    def run(db: apsw.Connection) -> None:
        marks = ", ".join("?" * len(kinds))
        db.execute(
            "INSERT OR IGNORE INTO timers SELECT table_id, ? || seat, seat, ? FROM seats WHERE token IS NOT NULL"
            f" AND table_id IN (SELECT table_id FROM timers WHERE kind IN ({marks}))",
            (SEAT, at, *kinds),
        )

    return run


def any_due(db: apsw.Connection, kind: str) -> bool:
    """Whether anything of a kind is waiting to be due."""
    return db.execute("SELECT 1 FROM timers WHERE kind = ? LIMIT 1", (kind,)).get is not None


def drop_timer(timer: Timer) -> Transaction[None]:
    """Take a due row away, unless another has taken its place."""

    def run(db: apsw.Connection) -> None:
        db.execute(
            "DELETE FROM timers WHERE table_id = ? AND kind = ? AND expected = ? AND due_at = ?",
            (timer.table, timer.kind, timer.expected, timer.due_at),
        )

    return run


def drop_names(table: str) -> Transaction[None]:
    """People at a table are numbers from now on; their seats stay theirs."""

    def run(db: apsw.Connection) -> None:
        db.execute("UPDATE seats SET name = '№ ' || (seat + 1) WHERE table_id = ? AND token IS NOT NULL", (table,))

    return run


def drop_table(table: str, unless_after: int) -> Transaction[bool]:
    """Delete a whole table, unless something has happened there after ``unless_after``; whether it is gone."""

    def run(db: apsw.Connection) -> bool:
        db.execute("DELETE FROM tables WHERE id = ? AND last_at <= ?", (table, unless_after))
        if db.changes() != 1:
            return False
        for name in (
            "events",
            "commands",
            "seats",
            "round_secrets",
            "deal_secrets",
            "table_secrets",
            "timers",
            "invites",
            "codes",
            "visitors",
            "knocks",
        ):
            db.execute(f"DELETE FROM {name} WHERE table_id = ?", (table,))
        return True

    return run


# --- questions ------------------------------------------------------------------------------------------------------


def head_of(db: apsw.Connection, table: str) -> int | None:
    """The version of a table; None when there is none of this name."""
    head: int | None = db.execute("SELECT head FROM tables WHERE id = ?", (table,)).get
    return head


def find_command(db: apsw.Connection, table: str, seat: int, command: str) -> Command | None:
    """The answer that a command has been given."""
    found = db.execute(
        "SELECT seat, id, body, version, lang, refusal FROM commands WHERE table_id = ? AND seat = ? AND id = ?",
        (table, seat, command),
    ).fetchone()
    return None if found is None else Command(*found)


def load(db: apsw.Connection, table: str) -> Stored | None:
    """A whole table, read at one moment."""
    db.execute("BEGIN")  # one read transaction: rows, seats and seeds of the same version
    try:
        return _load(db, table)
    finally:
        db.execute("COMMIT")


def _load(db: apsw.Connection, table: str) -> Stored | None:
    found = db.execute("SELECT rules, public, head FROM tables WHERE id = ?", (table,)).fetchone()
    if found is None:
        return None
    rules, public, head = found
    seats = db.execute("SELECT seat, name, token FROM seats WHERE table_id = ? ORDER BY seat", (table,))
    seeds = db.execute("SELECT match, round, seed FROM round_secrets WHERE table_id = ?", (table,))
    knocks = db.execute("SELECT knock, name, token FROM knocks WHERE table_id = ?", (table,))
    return Stored(
        table=table,
        rules=rules,
        public=bool(public),
        key=db.execute("SELECT key FROM table_secrets WHERE table_id = ?", (table,)).get,
        head=head,
        rows=rows_after(db, table, 0),
        seats=tuple(Seat(*seat) for seat in seats),
        seeds={(match, round_): seed for match, round_, seed in seeds},
        clock_due=db.execute("SELECT due_at FROM timers WHERE table_id = ? AND kind = ?", (table, CLOCK)).get,
        secrets=dict(db.execute("SELECT deal, secret FROM deal_secrets WHERE table_id = ?", (table,))),
        code=played.code_of(db, table),
        knocks=tuple(Knocker(*knock) for knock in knocks),
    )


def rows_after(db: apsw.Connection, table: str, after: int, limit: int = -1) -> tuple[Row, ...]:
    """The events after a version, oldest first."""
    rows = db.execute(
        "SELECT seq, kind, seat, does, by_seat, command, at, shown, hidden FROM events"
        " WHERE table_id = ? AND seq > ? ORDER BY seq LIMIT ?",
        (table, after, limit),
    )
    return tuple(Row(*row) for row in rows)


def due(db: apsw.Connection, now: int, limit: int = 64) -> tuple[Timer, ...]:
    """What is due in play, the longest overdue first."""
    rows = db.execute(
        "SELECT table_id, kind, expected, due_at FROM timers WHERE kind <> 'life' AND due_at <= ?"
        " ORDER BY due_at LIMIT ?",
        (now, limit),
    )
    return tuple(Timer(*row) for row in rows)


def lives_over(db: apsw.Connection, now: int, limit: int) -> tuple[Timer, ...]:
    """The tables whose time may be over, the longest overdue first."""
    rows = db.execute(
        "SELECT table_id, kind, expected, due_at FROM timers INDEXED BY timers_due WHERE kind = 'life' AND due_at <= ?"
        " ORDER BY due_at LIMIT ?",
        (now, limit),
    )
    return tuple(Timer(*row) for row in rows)


def next_after(db: apsw.Connection, now: int) -> int | None:
    """When the next thing is due in play that is not due yet."""
    moment: int | None = db.execute("SELECT min(due_at) FROM timers WHERE kind <> 'life' AND due_at > ?", (now,)).get
    return moment


def states(db: apsw.Connection) -> dict[str, int]:
    """How many tables there are in each state."""
    rows: list[Any] = db.execute("SELECT state, count(*) FROM tables GROUP BY state").fetchall()
    return dict(rows)


def overdue(db: apsw.Connection, now: int) -> tuple[int, int]:
    """How many rows are due, and for how many milliseconds the oldest has been."""
    count: Any = db.execute("SELECT count(*) FROM timers WHERE due_at <= ?", (now,)).get
    first: Any = db.execute("SELECT min(due_at) FROM timers WHERE due_at <= ?", (now,)).get
    return count, 0 if first is None else now - first


def last_activity(db: apsw.Connection, table: str) -> tuple[str, int] | None:
    """The state of a table and when something last happened there."""
    found: tuple[str, int] | None = db.execute("SELECT state, last_at FROM tables WHERE id = ?", (table,)).fetchone()
    return found


def table_of_token(db: apsw.Connection, digest: bytes) -> tuple[str, int] | None:
    """The table and seat that a token opens."""
    found: tuple[str, int] | None = db.execute("SELECT table_id, seat FROM seats WHERE token = ?", (digest,)).fetchone()
    return found


def table_of_invite(db: apsw.Connection, digest: bytes) -> str | None:
    """The table that an invite opens."""
    found: str | None = db.execute("SELECT table_id FROM invites WHERE invite = ?", (digest,)).get
    return found


def public_tables(db: apsw.Connection, limit: int = 50) -> Iterable[str]:
    """Public tables that wait for people, newest first."""
    rows = db.execute(
        "SELECT id FROM tables WHERE public = 1 AND state = 'waiting' ORDER BY created_at DESC LIMIT ?", (limit,)
    )
    return [row[0] for row in rows]
