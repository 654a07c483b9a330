"""What a thumb bot looks at: numbers that its seat may know, taken from an Observation.

The laboratory fills the same fields from the compiled kernel's state; a test proves both fillings equal.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Protocol

from maumau.cards import JOKER, Card
from maumau.game.action import DRAW, PASS
from maumau.game.observation import Observation
from maumau.ruleset import Ruleset
from maumau.ruleset.tables import pack_tables

ALL_SUITS: Final = 15

SIGHT_FIELDS: Final[dict[str, int]] = {
    "hand0": 1,
    "hand1": 1,
    "hand_n": 1,
    "legal": 1,
    "draws": 1,
    "passes": 1,
    "penalty": 1,
    "naming": 1,
    "call_due": 1,
    "suits": 1,
    "supply": 1,
    "others_n": 1,
    "ahead": 8,
}
"""The fields and how many integers each holds.

``hand0`` and ``hand1`` are the cards held, and those held twice, as bits 0…53 (jokers fill bits 52 and 53, then those two of
``hand1``); ``legal`` the cards that may be played; ``draws`` and ``passes`` whether drawing and passing are legal; ``naming``
whether the dealer must name a suit; ``suits`` the suits that a wish may name, as bits; ``supply`` how many cards can still be drawn; ``ahead`` the number of cards of each of the ``others_n`` other seats still in the
round, in the order in which their turns would come.
"""


class Sight:
    """The fields of a sight as plain slots."""

    __slots__ = tuple(SIGHT_FIELDS)

    hand0: int
    hand1: int
    hand_n: int
    legal: int
    draws: int
    passes: int
    penalty: int
    naming: int
    call_due: int
    suits: int
    supply: int
    others_n: int
    ahead: list[int]

    def __init__(self) -> None:
        for name, length in SIGHT_FIELDS.items():
            setattr(self, name, [0] * length if length > 1 else 0)


class CardTables(Protocol):
    """What of a packed ruleset a thumb bot reads: which card follows which, what each does and costs."""

    follow: list[int]
    bit: list[int]
    draw: list[int]
    skip: list[int]
    reverse: list[int]
    others: list[int]
    points: list[int]
    equals: list[int]
    several: int
    wishes: int
    last_allowed: int
    reverse_skips: int
    spoken: int
    count: int


@lru_cache(maxsize=4096)
def tables_of(rules: Ruleset) -> CardTables:
    """The tables of resolved rules."""
    return pack_tables(rules)


def look(observation: Observation) -> Sight:
    """What the seat of an observation sees."""
    v = Sight()
    v.hand0, v.hand1 = _planes(observation.hand)
    v.hand_n = len(observation.hand)
    for action in observation.legal:
        if action.card is not None:
            v.legal |= 1 << action.card
    v.draws = int(DRAW in observation.legal)
    v.passes = int(PASS in observation.legal)
    v.penalty = observation.penalty
    v.naming = int(observation.phase == "naming")
    v.call_due = int(bool(observation.call_due))
    v.suits = suits_of(observation)
    v.supply = observation.stock_n + observation.discard_n - 1
    _look_around(v, observation)
    return v


def _planes(hand: tuple[Card, ...]) -> tuple[int, int]:
    """The cards held, and those held twice; jokers fill bits 52 and 53, then the same two of the second plane."""
    once = twice = 0
    for card in hand:
        if card == JOKER:
            continue
        bit = 1 << card
        twice |= once & bit
        once |= bit
    jokers = hand.count(JOKER)
    once |= min(jokers, 1) << JOKER | (jokers > 1) << JOKER + 1
    return once, twice | (jokers > 2) << JOKER | (jokers > 3) << JOKER + 1


def _look_around(v: Sight, observation: Observation) -> None:
    seat = observation.seat
    assert seat is not None
    for step in range(1, observation.seats):
        other = (seat + step * observation.direction) % observation.seats
        if other in observation.players:
            v.ahead[v.others_n] = observation.counts[other]
            v.others_n += 1


def suits_of(observation: Observation) -> int:
    """The suits that a wish may name now, as bits; all where nothing wishes."""
    suits = 0
    for action in observation.legal:
        if action.wish is not None:
            suits |= 1 << action.wish
    return suits or ALL_SUITS
