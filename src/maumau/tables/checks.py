"""What is asked before a command changes anything: may this seat, now, having seen that?

The rules are the engine's: whether an action is legal is never judged here.
"""

from __future__ import annotations

from typing import Final

from maumau.game import Action, Match, fair
from maumau.ruleset import words
from maumau.tables import render
from maumau.tables.errors import TableError
from maumau.tables.events import BOT_COMMAND
from maumau.tables.table import LiveTable
from maumau.tables.texts import tell

LONGEST_ID: Final = 64
MOST_BESIDE: Final = 250
"""So many names, settings, reactions, comings and goings by one seat between two deals: ten minutes of nothing but reactions."""
MOST_REFUSED: Final = 500
"""So many refusals of one seat are kept between two deals. More are given, but sent again they are judged anew."""
MOST_EVENTS: Final = 50_000
"""With so long a log no new match begins: some nine hundred rounds of four, which are read again in twenty seconds."""
MOST_EVENTS_IN_MATCH: Final = 60_000
"""With so long a log not even the running match goes on."""


def parsed(command_id: str, text: str, lang: str) -> Action:
    if not 1 <= len(command_id) <= LONGEST_ID or command_id.startswith(BOT_COMMAND):
        raise TableError("bad-id", tell(lang, "error.bad-id"))
    try:
        return Action.parse(text)
    except ValueError as error:
        shown = "".join(letter if letter.isprintable() else "·" for letter in text[:24])
        raise TableError("unreadable-action", tell(lang, "error.bad-action", action=shown)) from error


def contribution(text: str | None, lang: str) -> None:
    """Refuse a share in the shuffle that is not 16 bytes in hexadecimal; none at all is welcome."""
    if text and not fair.is_contribution(text):
        raise TableError("bad-contribution", tell(lang, "error.bad-contribution", n=len(text)))


def check(live: LiveTable, seat: int, action: Action, version: int | None, lang: str) -> None:
    """Whether somebody may act at all, and has decided on what is there now; the engine judges the rest."""
    match(live, lang)
    here(live, seat, lang)
    if live.state == "match-over":
        raise TableError("match-over", tell(lang, "error.match-over"), 409)
    if action.kind in ("call", "catch"):
        if action.seat != seat:
            raise TableError("not-your-seat", tell(lang, "error.not-your-seat"), 403)
        return
    on_turn = live.round is not None and live.round.turn == seat
    if on_turn and version is not None and live.stale(seat, version):
        raise TableError("stale", tell(lang, "error.stale"), 409, position(live, seat))


def held(live: LiveTable, seat: int, action: Action) -> bool:
    """Whether an action of the seat on turn waits: two cards never go down inside a grace."""
    on_turn = live.round is not None and live.round.turn == seat
    return live.grace is not None and on_turn and action.kind not in ("call", "catch")


def grace(live: LiveTable, action: Action, now: int, lang: str) -> None:
    """Refuse a catch inside the grace of the seat it is about; it costs nothing, and it does not count."""
    given = live.grace
    if given is not None and action.kind == "catch" and action.target == given.seat and now < given.until:
        name = words.isolate(live.names[given.seat])
        raise TableError("too-early", tell(lang, "error.too-early", name=name))


def position(live: LiveTable, seat: int) -> str | None:
    seen = live.observation(seat)
    return None if seen is None else render.position_text(seen)


def match(live: LiveTable, lang: str) -> Match:
    if live.match is None:
        raise TableError("not-started", tell(lang, "error.not-started", host=host_name(live)), 409)
    return live.match


def here(live: LiveTable, seat: int, lang: str) -> None:
    if live.chairs[seat].away:
        raise TableError("away", tell(lang, "error.away"), 409)


def room(live: LiveTable, seat: int, lang: str) -> None:
    """Refuse one more entry beside the play to a seat that has made so many since the last deal. 429 too-much."""
    if live.beside[seat] >= MOST_BESIDE:
        raise TableError("too-much", tell(lang, "error.too-much"), 429)


def room_to_deal(live: LiveTable, most: int, lang: str) -> None:
    """Refuse to deal at a table whose log has so many events. 409 log-full."""
    if live.version >= most:
        raise TableError("log-full", tell(lang, "error.log-full"), 409)


def host_only(live: LiveTable, seat: int, lang: str) -> None:
    if seat != live.host:
        raise TableError("not-host", tell(lang, "error.not-host", host=host_name(live)), 403)


def host_name(live: LiveTable) -> str:
    """The host's name as it stands in a sentence."""
    return words.isolate(live.chairs[live.host].name)


def before_start(live: LiveTable, lang: str) -> None:
    if live.state != "waiting":
        raise TableError("started", tell(lang, "error.started"), 409)


def no_table(name: str, lang: str) -> TableError:
    return TableError("no-table", tell(lang, "error.no-table", table=name[:24]), 404)
