"""What the kernel works on: the tables of a ruleset and the state of a round.

Both are plain slots here, for the interpreted kernel; ``record_type`` gives the same fields as a NumPy record for the
compiled one. Card numbers run from 0 to 53: ``rank * 4 + suit``, and two bits for jokers (52 and 53, which are the same
card to everybody outside). A hand is two planes of card bits: the first says which cards are held, the second which of
them are held twice.
"""

from __future__ import annotations

from typing import Any, Final

SEATS: Final = 8
CARDS: Final = 54
FIRST_JOKER: Final = 52
PACK: Final = 108
"""The largest pack: two packs of 52 with two jokers each."""
DEMANDS: Final = 6
SUITS: Final = 4

# What must be followed: the printed card, a wished suit (1 + suit), or nothing at all.
PRINTED: Final = 0
ANYTHING: Final = 5

# Phases of a round.
PLAYING: Final = 0
NAMING: Final = 1
"""The dealer names the suit of a starter that wishes."""
WAITING: Final = 2
"""A last card was laid silently where Mau-Mau is needed: caught or let stand by the next to act."""
OVER: Final = 3

# Until when a missed call can be caught.
NEXT_BEGINS: Final = 0
NEXT_ENDS: Final = 1
OWN_BEGINS: Final = 2

# What a starter that wishes means.
FREE: Final = 0
FREE_PLAIN: Final = 1
DEALER_NAMES: Final = 2

# After drawing: any legal card, only the drawn one, or none.
THEN_ANY: Final = 0
THEN_DRAWN: Final = 1
THEN_NONE: Final = 2

# After taking a penalty: the turn ends, a card may be played, or an ordinary turn follows.
TURN_ENDS: Final = 0
MAY_PLAY: Final = 1
TURN_FOLLOWS: Final = 2

# Why a turn goes on after a card: another may follow, must cover it, or must be its equal.
NO_EXTRA: Final = 0
MAY_FOLLOW: Final = 1
MUST_COVER: Final = 2
EQUAL_ONLY: Final = 3

NO_LIMIT: Final = 1000

COUNT_CARDS: Final = 0
COUNT_ROUNDS: Final = 1
COUNT_NOTHING: Final = 2

SKIP_ALL: Final = 100
"""Skips everyone else once round."""

NOBODY: Final = -1

TABLE_FIELDS: Final[dict[str, int]] = {
    # masks of cards, by the card on top (and the demand)
    "follow": CARDS * DEMANDS,
    "answers": CARDS,
    "bit": CARDS,
    # powers by card
    "powers": CARDS,
    "draw": CARDS,
    "skip": CARDS,
    "reverse": CARDS,
    "others": CARDS,
    "back": CARDS,
    "again": CARDS,
    "cancel": CARDS,
    "skip_answers": CARDS,
    "equals": CARDS,
    "points": CARDS,
    "closing": CARDS,
    "fine": CARDS,
    # masks
    "wishes": 1,
    "last_allowed": 1,
    "apart": 1,
    # scalars
    "hand_size": 1,
    "start_cards": 1,
    "start_acts": 1,
    "start_pays": 1,
    "start_wish": 1,
    "free_one_turn": 1,
    "redraw": 1,
    "voluntary": 1,
    "draw_most": 1,
    "draw_then": 1,
    "forced": 1,
    "free_pass": 1,
    "reshuffles": 1,
    "answerable": 1,
    "doubling": 1,
    "passes_on": 1,
    "cap": 1,
    "after_penalty": 1,
    "skip_answerable": 1,
    "skip_adds": 1,
    "reverse_skips": 1,
    "wish_other": 1,
    "wish_one_turn": 1,
    "several": 1,
    "throw_in": 1,
    "spoken": 1,
    "window": 1,
    "mau": 1,
    "needed": 1,
    "maumau": 1,
    "false_call": 1,
    "false_catch": 1,
    "call_to_finish": 1,
    "final_draw": 1,
    "final_back": 1,
    "play_on": 1,
    "blocked_free": 1,
    "blocked_fewest": 1,
    "count": 1,
    "winner_takes": 1,
    "closing_each": 1,
    "pack": PACK,
    "pack_n": 1,
    "jokers": 1,
}
"""The fields of the tables and how many integers each holds."""

STATE_FIELDS: Final[dict[str, int]] = {
    "hand0": SEATS,
    "hand1": SEATS,
    "hand_n": SEATS,
    "active": SEATS,
    "rest": SEATS,
    "places": SEATS,
    "stock": PACK,
    "discard": PACK,
    "seats": 1,
    "active_n": 1,
    "places_n": 1,
    "stock_n": 1,
    "reshuffled": 1,
    "discard_n": 1,
    "phase": 1,
    "turn": 1,
    "direction": 1,
    "dealer": 1,
    "top": 1,
    "demand": 1,
    "penalty": 1,
    "due": 1,
    "chain": 1,
    "skips": 1,
    "due_skips": 1,
    "extra": 1,
    "drew": 1,
    "drawn": 1,
    "passes": 1,
    "owing": 1,
    "fresh": 1,
    "late": 1,
    "called": 1,
    "fined": 1,
    "laid": 1,
    "hanging": 1,
    "winner": 1,
    "closed_with": 1,
    "blocked": 1,
    "rng_a": 1,
    "rng_b": 1,
    "rng_c": 1,
    "rng_d": 1,
}
"""The fields of a round's state.

``stock`` is drawn from its end, and was renewed from the discards ``reshuffled`` times; ``discard`` grows at its end and holds the top card. ``rest`` are turns a seat must still sit
out. ``chain`` counts the answers to the penalty pending, ``skips`` turns pending that may be passed on; ``due`` and
``due_skips`` are what the turn that still runs will make pending when it ends. ``extra`` says why the seat on turn goes on
after a card. ``drew`` counts the cards the seat on turn has drawn, ``drawn`` is the last of them. ``owing`` has a bit for
each seat that can be caught, ``fresh`` says that the seat on turn has come to owe in this very turn, ``late`` is the one seat
that may still call late, ``called`` has a bit for each seat that has called and holds one card, ``fined`` for each that has
paid for a false shout in this turn. ``laid`` is the seat whose silent last card waits, ``hanging`` the one whose last card may
still come back to it. ``winner`` is the seat that was out first, ``closed_with`` its last card; ``blocked`` says that the round
ended because nobody could move (a table may let the fewest cards win it then). ``rng_*`` is the generator (sfc32), secret
until the round is over.
"""


class Tables:
    """A ruleset at a number of seats, packed by card (interpreted)."""

    __slots__ = tuple(TABLE_FIELDS)

    follow: list[int]
    answers: list[int]
    bit: list[int]
    powers: list[int]
    draw: list[int]
    skip: list[int]
    reverse: list[int]
    others: list[int]
    back: list[int]
    again: list[int]
    cancel: list[int]
    skip_answers: list[int]
    equals: list[int]
    points: list[int]
    closing: list[int]
    fine: list[int]
    wishes: int
    last_allowed: int
    apart: int
    hand_size: int
    start_cards: int
    start_acts: int
    start_pays: int
    start_wish: int
    free_one_turn: int
    redraw: int
    voluntary: int
    draw_most: int
    draw_then: int
    forced: int
    free_pass: int
    reshuffles: int
    answerable: int
    doubling: int
    passes_on: int
    cap: int
    after_penalty: int
    skip_answerable: int
    skip_adds: int
    reverse_skips: int
    wish_other: int
    wish_one_turn: int
    several: int
    throw_in: int
    spoken: int
    window: int
    mau: int
    needed: int
    maumau: int
    false_call: int
    false_catch: int
    call_to_finish: int
    final_draw: int
    final_back: int
    play_on: int
    blocked_free: int
    blocked_fewest: int
    count: int
    winner_takes: int
    closing_each: int
    pack: list[int]
    pack_n: int
    jokers: int

    def __init__(self) -> None:
        for name, length in TABLE_FIELDS.items():
            setattr(self, name, [0] * length if length > 1 else 0)


class State:
    """A round in play (interpreted).

    ``notes`` collects what happened since it was last emptied, ``orders`` every order the stock was shuffled into, and
    ``script`` the orders that the next shuffles must give when a record is replayed.
    """

    __slots__ = (*STATE_FIELDS, "notes", "orders", "script")

    hand0: list[int]
    hand1: list[int]
    hand_n: list[int]
    active: list[int]
    rest: list[int]
    places: list[int]
    stock: list[int]
    discard: list[int]
    seats: int
    active_n: int
    places_n: int
    stock_n: int
    reshuffled: int
    discard_n: int
    phase: int
    turn: int
    direction: int
    dealer: int
    top: int
    demand: int
    penalty: int
    due: int
    chain: int
    skips: int
    due_skips: int
    extra: int
    drew: int
    drawn: int
    passes: int
    owing: int
    fresh: int
    late: int
    called: int
    fined: int
    laid: int
    hanging: int
    winner: int
    closed_with: int
    blocked: int
    rng_a: int
    rng_b: int
    rng_c: int
    rng_d: int
    notes: list[tuple[int, int, int]]
    orders: list[list[int]]
    script: list[list[int]]

    def __init__(self) -> None:
        for name, length in STATE_FIELDS.items():
            setattr(self, name, [0] * length if length > 1 else 0)
        self.notes = []
        self.orders = []
        self.script = []

    def copy(self) -> State:
        """An independent copy, without the notes."""
        twin = State.__new__(State)
        copy_state(self, twin)
        twin.notes = []
        twin.orders = self.orders[:]
        twin.script = self.script[:]
        return twin


def _copy_function() -> Any:
    """A function that copies every field by name: written out once, since it runs before every push."""
    lines = [
        f" b.{name} = a.{name}[:]" if length > 1 else f" b.{name} = a.{name}" for name, length in STATE_FIELDS.items()
    ]
    scope: dict[str, Any] = {}
    exec("def copy_state(a, b):\n" + "\n".join(lines), scope)
    return scope["copy_state"]


copy_state: Final = _copy_function()


def record_type(fields: dict[str, int]) -> Any:
    """The fields as a NumPy record type of 64-bit integers, for the compiled kernel."""
    import numpy as np

    return np.dtype(
        [(name, np.int64, (length,)) if length > 1 else (name, np.int64) for name, length in fields.items()]
    )
