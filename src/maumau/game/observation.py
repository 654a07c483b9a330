"""What one seat knows: all that it may know and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from maumau.cards import Card, Suit
from maumau.game.action import Action
from maumau.game.event import Event
from maumau.ruleset import Ruleset

Phase = Literal["playing", "naming", "waiting", "over"]
PHASES: tuple[Phase, ...] = ("playing", "naming", "waiting", "over")


@dataclass(frozen=True, slots=True)
class Observation:
    """A round as one seat sees it (``seat`` None: a spectator). It holds no way to the round itself.

    ``hand`` is sorted; ``counts`` are the cards of every seat; ``players`` the seats in the round; ``turn`` is None when the
    round is over. ``legal`` holds what the seat may do now (empty unless it is on turn), plays without the call;
    ``call_due`` those that may carry it; ``shouts`` its calls and catches. ``owing`` are seats that can be caught, ``called``
    seats that have called and still hold one card. ``events`` is everything the seat has seen since the deal.
    """

    seat: int | None
    rules: Ruleset
    seats: int
    hand: tuple[Card, ...]
    counts: tuple[int, ...]
    players: tuple[int, ...]
    turn: int | None
    direction: int
    phase: Phase
    top: Card
    wish: Suit | None
    free: bool
    penalty: int
    drawn: Card | None
    legal: tuple[Action, ...]
    call_due: tuple[Action, ...]
    shouts: tuple[Action, ...]
    owing: tuple[int, ...]
    called: tuple[int, ...]
    stock_n: int
    discard_n: int
    dealer: int
    over: bool
    winner: int | None
    places: tuple[int, ...]
    events: tuple[Event, ...]
