"""Positions as plain data: their keys, and how one is written from a round's state. ``set_up`` reads them.

The keys are those of the position text: ``top`` or ``starter`` or ``deal``, ``hands``, ``wish``, ``penalty``, ``turn``,
``direction``, ``stock``, ``discard``, ``dealer``, ``drawn``, ``free``, ``passes``, ``owing``, ``totals``; and some that are
written only where they cannot be told from the rest: ``reshuffles`` (how often the stock was renewed), ``answers`` (how many
cards have answered the penalty), ``late`` (the seat that may still call late, or null), ``places`` (seats that are out, in order, where play goes on for the places),
``skips`` (turns pending that may be passed on), ``due_skips`` (skips that the running turn will make pending), ``extra`` (why
the turn goes on after a card: may, must or equal), ``drew`` (how many cards were drawn, if not one), ``paid`` (the penalty is
paid and a card may follow), ``rest`` (turns that each seat must still sit out), ``called`` (seats that have called and hold
one card), ``closed_with`` (the winner's last card, where play goes on), ``hanging`` (the seat whose last card may come back
to it), ``fined`` (seats that paid for a false shout this turn).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from maumau.game.errors import PositionError
from maumau.game.hands import face, hand_of
from maumau.game.judge import wish_of
from maumau.kernel import layout
from maumau.kernel.layout import ANYTHING, NAMING, NOBODY, State, Tables

Position = Mapping[str, Any]

EXTRAS: Final = ("none", "may", "must", "equal")

KEYS: Final = frozenset(
    [
        "top",
        "starter",
        "deal",
        "hands",
        "wish",
        "penalty",
        "turn",
        "direction",
        "stock",
        "discard",
        "dealer",
        "drawn",
        "free",
        "passes",
        "reshuffles",
        "owing",
        "totals",
        "answers",
        "late",
        "places",
        "skips",
        "due_skips",
        "extra",
        "drew",
        "paid",
        "rest",
        "called",
        "hanging",
        "fined",
        "closed_with",
    ]
)


def seats_of(position: Position) -> int:
    """How many seats a position has; raises PositionError where it does not say."""
    if not isinstance(position, Mapping):
        raise PositionError("not-a-position", value=shown(position))
    unknown = sorted(str(key) for key in position.keys() - KEYS)
    if unknown:
        raise PositionError("unknown-key", key=unknown[0], keys=sorted(KEYS))
    if "deal" in position:
        seats = whole_at(position, "deal", 2, layout.SEATS)
        beside = sorted(position.keys() - {"deal", "dealer", "totals"})
        if beside:
            raise PositionError("not-with-deal", key=beside[0])
        return seats
    hands = position.get("hands")
    if not isinstance(hands, list) or not 2 <= len(hands) <= layout.SEATS:
        raise PositionError("no-hands")
    return len(hands)


def dealer_of(position: Position, seats: int) -> int:
    """Who deals in a position: the last seat, unless it says otherwise."""
    return whole_at(position, "dealer", 0, seats - 1, seats - 1)


def shown(value: object) -> str:
    """A value as a position text would write it, cut short."""
    try:
        return json.dumps(value, ensure_ascii=False)[:40]
    except (TypeError, ValueError, RecursionError):
        return f"({type(value).__name__})"


def whole_at(position: Position, key: str, least: int, most: int, default: int | None = None) -> int:
    """The whole number under a key; raises PositionError where it is none, or not between the two."""
    value = position.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise PositionError("bad-number", key=key, value=shown(value), least=least, most=most)
    return value


def default_answers(penalty: int, each: int) -> int:
    """How many answers a penalty of cards that draw so many each tells of."""
    return max(0, penalty // each - 1) if each else 0


def default_late(s: State) -> int:
    """Who may still call late where a position does not say: the owing seat nearest before the turn.

    If the seat on turn has drawn, it has acted, so that nobody else can.
    """
    if not s.drew:
        for back in range(1, s.seats):
            seat = (s.turn - s.direction * back) % s.seats
            if s.owing >> seat & 1:
                return seat
    return s.turn if s.owing >> s.turn & 1 else NOBODY


def write_position(s: State, t: Tables, totals: Iterable[int] | None = None) -> dict[str, Any]:
    """The position of a state as plain data that ``read_position`` reads back; stock cards are listed first drawn first."""
    hands = [[str(card) for card in hand_of(s, seat)] if _sits(s, seat) else None for seat in range(s.seats)]
    stock = [str(face(number)) for number in reversed(s.stock[: s.stock_n])]
    data: dict[str, Any]
    if s.phase == NAMING:
        data = {"starter": str(face(s.top)), "hands": hands, "stock": stock, "dealer": s.dealer}
    else:
        data = {"top": str(face(s.top)), "hands": hands, "turn": s.turn, "direction": s.direction, "stock": stock}
        data["discard"] = [str(face(number)) for number in s.discard[: s.discard_n - 1]]
        data["dealer"] = s.dealer
        data |= _write_rest(s, t)
    if totals is not None:
        data["totals"] = list(totals)
    return data


def _sits(s: State, seat: int) -> bool:
    return bool(s.active[seat] or s.hand_n[seat] or seat in s.places[: s.places_n])


def _write_rest(s: State, t: Tables) -> dict[str, Any]:
    wish = wish_of(s)
    data: dict[str, Any] = {"wish": wish.letter if wish is not None else None, "penalty": s.penalty or s.due}
    data["free"] = s.demand == ANYTHING
    data["passes"] = s.passes
    data["drawn"] = str(face(s.drawn)) if s.drawn != NOBODY else None
    data["owing"] = [seat for seat in range(s.seats) if s.owing >> seat & 1]
    pending = s.penalty or s.due
    if pending and s.chain != default_answers(pending, t.draw[s.top]):
        data["answers"] = s.chain
    if s.owing and s.late != default_late(s):
        data["late"] = None if s.late == NOBODY else s.late
    if s.places_n and s.phase != layout.OVER:
        data["places"] = s.places[: s.places_n]
        data["closed_with"] = str(face(s.closed_with)) if s.closed_with != NOBODY else None
    return data | _write_rare(s, t)


def _write_rare(s: State, t: Tables) -> dict[str, Any]:
    """The keys that few tables need, where they say something."""
    data: dict[str, Any] = {}
    if s.reshuffled:
        data["reshuffles"] = s.reshuffled
    if s.skips:
        data["skips"] = s.skips
    if s.due_skips:
        data["due_skips"] = s.due_skips
    if s.extra:
        data["extra"] = EXTRAS[s.extra]
    if s.drawn != NOBODY and s.drew != 1:
        data["drew"] = s.drew
    if s.drawn == NOBODY and s.drew:
        data["paid"] = True
    if any(s.rest[: s.seats]):
        data["rest"] = s.rest[: s.seats]
    called = [seat for seat in range(s.seats) if s.called >> seat & 1 and s.hand_n[seat] == 1]
    if called and t.call_to_finish:
        data["called"] = called
    if s.hanging != NOBODY:
        data["hanging"] = s.hanging
    if s.fined:
        data["fined"] = [seat for seat in range(s.seats) if s.fined >> seat & 1]
    return data
