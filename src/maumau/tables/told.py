"""What has happened at a table, in sentences for one viewer: only what is new is put into words, and once for all whom it
does not concern in particular.
"""

from __future__ import annotations

import json
from itertools import takewhile
from typing import Any, Final

from maumau.ruleset import words
from maumau.tables.events import event_of
from maumau.tables.folding import OWN_KINDS
from maumau.tables.ledger import Row
from maumau.tables.table import LiveTable
from maumau.tables.texts import tell
from maumau.tables.view import LogLine

EVENTS_TOLD: Final = 80
"""So many of the last events are told; more than the log shows, for what happened since the viewer's last action."""
SILENT_KINDS: Final = frozenset(
    {
        "created",
        "match",
        "deal",
        "overdue",
        "committed",
        "contributed",
        "revealed",
        "uncovered",
        "clock-paused",
        "grace-over",
        "knocked",
        "knock-over",
        "asks",
        "rekeyed",
    }
)
"""Events that make no line: a neighbour says it, or it is nobody else's business."""
_NAMES_OTHERS: Final = frozenset({"round", "match-over"})
"""Events that speak of a seat (the dealer, the winners) other than as their own or their target."""


def told(table: LiveTable, seat: int | None, lang: str) -> tuple[LogLine, ...]:
    """The lines of the last events, oldest first, as a seat or a spectator hears them."""
    since, known = table.said.get((seat, lang), (0, ()))
    if since == table.version:
        return known
    first = table.version - EVENTS_TOLD
    since = max(since, first)
    common = {} if seat is None else {line.seq: line for line in told(table, None, lang)}
    lines = [line for line in known if line.seq > first]
    fresh = list(takewhile(lambda row: row.seq > since, reversed(table.tail)))
    for row in reversed(fresh):
        own = seat is None or _concerns(row, seat)
        line = _line(table, row, seat, lang) if own else common.get(row.seq)
        if line is not None:
            lines.append(line)
    table.said[seat, lang] = (table.version, tuple(lines))
    return tuple(lines)


def laid(row: Row) -> str | None:
    """The card that an event put on the discard pile."""
    if row.kind not in ("play", "starter"):
        return None
    card: str = json.loads(row.shown)["cards"][0]
    return card


def _concerns(row: Row, seat: int) -> bool:
    """Whether an event may be said to this seat in other words than to a spectator."""
    return row.seat == seat or row.kind in _NAMES_OTHERS or '"target":' in row.shown


def _line(table: LiveTable, row: Row, seat: int | None, lang: str) -> LogLine | None:
    text = "" if row.kind in SILENT_KINDS else _Voice(table, seat, lang).line(row)
    return LogLine(row.seq, text, row.kind, row.seat, laid(row)) if text else None


class _Voice:
    """Says events to one viewer."""

    def __init__(self, table: LiveTable, seat: int | None, lang: str) -> None:
        self.table, self.seat, self.lang = table, seat, lang

    def say(self, key: str, seat: int | None, **slots: object) -> str:
        """A sentence about a seat; to the viewer about its own seat, ``key-you``."""
        if seat is not None and seat == self.seat:
            return tell(self.lang, f"{key}-you", **slots)
        return tell(self.lang, key, name="" if seat is None else self.name(seat), **slots)

    def name(self, seat: int) -> str:
        return words.isolate(self.table.chairs[seat].name)

    def line(self, row: Row) -> str:
        t, shown = self.table, json.loads(row.shown)
        if row.kind in OWN_KINDS:
            return self.own_line(row, shown)
        if t.rules is None or (row.kind == "round-over" and "target" in shown):
            return ""  # conceded: the line before says so
        left = shown.get("left")
        return words.event_sentence(self.lang, event_of(row, self.seat), t.names, t.rules, you=self.seat, left=left)

    def own_line(self, row: Row, shown: dict[str, Any]) -> str:
        if row.kind == "started":
            return tell(self.lang, "log.started")
        if row.kind == "ended":
            return tell(self.lang, "log.ended")
        if row.kind in ("removed", "renamed", "forgotten"):
            name = "" if row.seat is None else self.name(row.seat)
            return tell(self.lang, f"log.{row.kind}", n=(row.seat or 0) + 1, name=name)
        if row.kind == "pace":
            return tell(self.lang, "log.pace", pace=tell(self.lang, f"pace.{shown['pace']}"))
        if row.kind == "match-over":
            return words.match_over_sentence(self.lang, shown["winners"], self.table.names, self.seat)
        if row.kind == "round":
            return self.say("log.round", shown["dealer"], n=shown["round"])
        if row.kind in ("away", "here") and row.seat == self.seat:
            return ""  # whoever was away knows it
        if row.kind in ("clock", "stand-in"):
            return self.agreed_line(shown)
        if row.kind == "public":
            return tell(self.lang, "log.public" if shown["public"] else "log.private")
        if row.kind == "react":
            return self.say("log.react", row.seat, said=tell(self.lang, f"reaction.{shown['reaction']}"))
        return self.say(f"log.{_manner(row.kind, shown)}", row.seat)

    def agreed_line(self, shown: dict[str, Any]) -> str:
        """How long a turn may take, or after how long away a bot sits in."""
        if "turn_seconds" in shown:
            seconds = shown["turn_seconds"]
            return tell(self.lang, "log.no-clock" if seconds is None else "log.clock", n=seconds)
        seconds = shown["stand_in_seconds"]
        if seconds is None:
            return tell(self.lang, "log.stand-in-asked")
        if seconds % 60:
            return tell(self.lang, "log.stand-in-seconds", n=seconds)
        return tell(self.lang, "log.stand-in-minutes", n=seconds // 60)


def _manner(kind: str, shown: dict[str, Any]) -> str:
    """An event's sentence by how it came about: a seat is left on purpose, on request, or at the table's limit."""
    if kind == "left":
        return "stood-in" if "asked_by" in shown else "stood-in-at-limit" if "after" in shown else kind
    return kind
