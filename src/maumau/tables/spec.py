"""What a table is made from: its rules, its seats, its pace; read and refused before anything is kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from maumau import bots
from maumau.ruleset import RuleError, Ruleset, words
from maumau.tables.chairs import BOT, HUMAN, OPEN, Chair
from maumau.tables.errors import TableError
from maumau.tables.names import bot_name, clean_name
from maumau.tables.texts import tell

MOST_SEATS: Final = 8
PUBLIC_SECONDS: Final = 60
"""What a turn takes at a public table where nothing else was agreed: strangers do not wait for ever."""
CLOCKS: Final = (30, 60, 120)
"""What a page offers."""
STAND_IN_SECONDS: Final = 300
"""After so long away a bot sits in where nothing else was agreed; time for a tunnel and for a new battery."""
STAND_INS: Final = (None, 120, 300)
"""What a page offers; None: only when somebody asks for a bot."""
LEAST_AWAY: Final = 30
MOST_AWAY: Final = 86_400
"""Between these a table's limit for time away lies, in seconds."""
LEAST_SECONDS: Final = 5
MOST_SECONDS: Final = 3_600
"""Between these lies what a turn may take, in seconds."""


class Pace(StrEnum):
    """How long bots let people look at what happened."""

    INSTANT = "instant"
    FAST = "fast"
    NORMAL = "normal"
    SLOW = "slow"


@dataclass(frozen=True, slots=True)
class SeatSpec:
    """One seat of a table to be made: a person's ``name``, a ``bot`` by level, or ``open`` for whoever is invited."""

    name: str | None = None
    bot: str | None = None
    open: bool = False
    beside: bool = False
    """The person of this ``name`` plays on the caller's device."""


@dataclass(frozen=True, slots=True)
class TableSpec:
    """A table to be made. The first seat is the caller's."""

    rules: str = "family"
    seats: tuple[SeatSpec, ...] = (SeatSpec(name="Guest"), SeatSpec(bot="normal"))
    turn_seconds: int | None = None
    """How long a person may think about a turn; None: as long as it takes, at a public table ``PUBLIC_SECONDS``."""
    public: bool = False
    pace: str = Pace.NORMAL
    stand_in_seconds: int | None = STAND_IN_SECONDS
    """After so long away a bot sits in by itself; None: only when somebody asks for one."""


@dataclass(frozen=True, slots=True)
class Seated:
    """A seat taken: the token is shown this once and stored nowhere in the clear."""

    table: str
    seat: int
    token: str = field(repr=False)
    invite: str | None = field(repr=False)
    version: int
    beside: tuple[str, ...] = field(default=(), repr=False)
    """The tokens of the people on the same device, in the order of their seats."""


def agreed(spec: TableSpec, lang: str) -> tuple[Ruleset, list[Chair]]:
    """The resolved rules and the chairs of a table to be made; raises TableError (422) where it cannot be."""
    known_pace(spec.pace, lang)
    known_clock(spec.turn_seconds, lang)
    known_stand_in(spec.stand_in_seconds, lang)
    chairs = _chairs(spec.seats, lang)
    try:
        return Ruleset.parse(spec.rules).at(len(chairs)), chairs
    except RuleError as error:
        raise TableError(error.code, words.rule_error_sentence(lang, error)) from error


def known_clock(seconds: int | None, lang: str) -> None:
    """Refuse a turn's time that is too short or too long."""
    if seconds is not None and not LEAST_SECONDS <= seconds <= MOST_SECONDS:
        raise TableError("bad-clock", tell(lang, "error.bad-clock", least=LEAST_SECONDS, most=MOST_SECONDS, n=seconds))


def known_stand_in(seconds: int | None, lang: str) -> None:
    """Refuse a limit for somebody away that is too short or too long."""
    if seconds is not None and not LEAST_AWAY <= seconds <= MOST_AWAY:
        raise TableError("bad-stand-in", tell(lang, "error.bad-stand-in", least=LEAST_AWAY, most=MOST_AWAY, n=seconds))


def known_pace(pace: str, lang: str) -> None:
    """Refuse a pace that there is not."""
    if pace not in set(Pace):
        raise TableError("bad-pace", tell(lang, "error.bad-pace", pace=str(pace)[:24], paces=", ".join(Pace)))


def _chairs(specs: Iterable[SeatSpec], lang: str) -> list[Chair]:
    seats = list(specs)
    bad = not 1 <= len(seats) <= MOST_SEATS or not seats[0].name or any(_unclear(seat) for seat in seats[1:])
    if bad or seats[0].bot is not None or seats[0].open:
        told = ", ".join(_told(seat, lang) for seat in seats[:MOST_SEATS]) + ("…" if len(seats) > MOST_SEATS else "")
        raise TableError("bad-seats", tell(lang, "error.bad-seats", seats=told or "–"))
    known = bots.names()
    chairs = [Chair(HUMAN, None, clean_name(seats[0].name or "", lang))]
    for seat in seats[1:]:
        taken = [chair.name for chair in chairs]
        if seat.open:
            chairs.append(Chair(OPEN, None))
            continue
        if seat.beside:
            chairs.append(Chair(HUMAN, None, clean_name(seat.name or "", lang, taken)))
            continue
        if seat.bot not in known:
            raise TableError(
                "unknown-bot", tell(lang, "error.unknown-bot", bot=str(seat.bot)[:24], bots=", ".join(known))
            )
        chairs.append(Chair(BOT, seat.bot, clean_name(seat.name, lang, taken) if seat.name else bot_name(taken)))
    return chairs


def _unclear(seat: SeatSpec) -> bool:
    """Neither a bot nor open, or both; by name only whoever shares the device can be seated."""
    if seat.beside:
        return seat.bot is not None or seat.open
    return (seat.bot is not None) == seat.open or (seat.open and seat.name is not None)


def _told(seat: SeatSpec, lang: str) -> str:
    if seat.open:
        return tell(lang, "error.seat-open")
    if seat.bot is not None:
        return tell(lang, "error.seat-bot", bot=seat.bot[:24])
    return tell(lang, "error.seat-named" if seat.name else "error.seat-unnamed", name=(seat.name or "")[:24])
