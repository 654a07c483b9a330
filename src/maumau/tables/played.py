"""What the store keeps beside the logs: the words of waiting tables, whose seats they are, and what each person has played.

A result is written in the transaction of the events that it follows from. It names nobody and outlives its table, until
its owner forgets it or a year has passed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import apsw

YEAR_MS: Final = 365 * 24 * 3_600_000
MOST_RESULTS: Final = 2_000
"""So many of a person's matches are counted, the last ones."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a match has come to for one seat so far."""

    seat: int
    match: int
    book: str
    seats: int
    rounds: int
    rounds_won: int
    points: int | None
    """The total; None where the rules count none."""
    over: bool
    won: bool


@dataclass(frozen=True, slots=True)
class Played:
    """One match of a person."""

    table: str
    at: int
    """Milliseconds since the epoch, of the last round."""
    result: Result


# --- the words of waiting tables --------------------------------------------------------------------------------------


def give_code(db: apsw.Connection, table: str, codes: Iterable[str]) -> str | None:
    """The first of these words that is free becomes the table's; None where all are taken."""
    for code in codes:
        db.execute("INSERT OR IGNORE INTO codes VALUES (?, ?)", (code, table))
        if db.changes():
            return code
    return None


def drop_code(db: apsw.Connection, table: str) -> None:
    """The table waits no longer."""
    db.execute("DELETE FROM codes WHERE table_id = ?", (table,))


def code_of(db: apsw.Connection, table: str) -> str | None:
    """The word of a waiting table."""
    code: str | None = db.execute("SELECT code FROM codes WHERE table_id = ?", (table,)).get
    return code


def table_of_code(db: apsw.Connection, code: str) -> str | None:
    """The waiting table that a word names."""
    table: str | None = db.execute("SELECT table_id FROM codes WHERE code = ?", (code,)).get
    return table


# --- whose seats ------------------------------------------------------------------------------------------------------


def keep_visitors(
    db: apsw.Connection, table: str, visitors: Iterable[tuple[int, bytes]], nobodys: Iterable[int]
) -> None:
    """Whose seats these are from now on; ``nobodys`` belong to no person any more."""
    for seat in nobodys:
        db.execute("DELETE FROM visitors WHERE table_id = ? AND seat = ?", (table, seat))
    for seat, visitor in visitors:
        db.execute("INSERT OR IGNORE INTO visitors VALUES (?, ?, ?)", (table, seat, visitor))


def seats_of(db: apsw.Connection, visitor: bytes) -> list[tuple[str, int]]:
    """The tables and seats of a person."""
    rows: list[Any] = db.execute("SELECT table_id, seat FROM visitors WHERE visitor = ?", (visitor,)).fetchall()
    return sorted(rows)


# --- what was played --------------------------------------------------------------------------------------------------


def keep_results(db: apsw.Connection, table: str, at: int, results: Iterable[Result]) -> None:
    """Write what a match has come to, for everybody whose seat it is."""
    for r in results:
        db.execute(
            "INSERT OR REPLACE INTO results SELECT visitor, table_id, seat, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM visitors"
            " WHERE table_id = ? AND seat = ?",
            (r.match, r.book, at, r.seats, r.rounds, r.rounds_won, r.points, r.over, r.won, table, r.seat),
        )


def results_of(db: apsw.Connection, visitor: bytes, now: int) -> list[Played]:
    """The matches of a person in the last year, the last first."""
    rows: Iterable[Any] = db.execute(
        "SELECT table_id, at, seat, match, book, seats, rounds, rounds_won, points, over, won FROM results"
        " WHERE visitor = ? AND at >= ? ORDER BY at DESC, match DESC LIMIT ?",
        (visitor, now - YEAR_MS, MOST_RESULTS),
    )
    return [_played(row) for row in rows]


def _played(row: Any) -> Played:
    table, at, seat, match, book, seats, rounds, rounds_won, points, over, won = row
    return Played(table, at, Result(seat, match, book, seats, rounds, rounds_won, points, bool(over), bool(won)))


def forget_results(db: apsw.Connection, visitor: bytes) -> None:
    """No result is this person's any more."""
    db.execute("DELETE FROM results WHERE visitor = ?", (visitor,))


def forget_visitor(db: apsw.Connection, visitor: bytes) -> None:
    """No seat and no result is this person's any more."""
    db.execute("DELETE FROM visitors WHERE visitor = ?", (visitor,))
    db.execute("DELETE FROM results WHERE visitor = ?", (visitor,))


def forget_old(db: apsw.Connection, now: int) -> None:
    """Results older than a year go."""
    db.execute("DELETE FROM results WHERE at < ?", (now - YEAR_MS,))
