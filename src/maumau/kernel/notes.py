"""What the interpreted kernel tells the game above it. In the compiled kernel both functions do nothing."""

from __future__ import annotations

from typing import Final

from maumau.kernel.layout import State

DRAWN: Final = 0
"""A seat drew a card (value: the card)."""
MADE: Final = 1
"""The cards that follow are ones a seat is made to draw (value: how many are due)."""
SKIPPED: Final = 2
REVERSED: Final = 3
"""The direction turned (value: the new direction)."""
RESHUFFLED: Final = 4
"""The discards became the stock (value: how many)."""
OUT: Final = 5
"""A seat is out and the round goes on (value: its place, from 1)."""
PASSED: Final = 6
"""A turn ended without a play after a draw that does not fit."""


def note(s: State, kind: int, seat: int, value: int) -> None:
    """Remember that something happened."""
    s.notes.append((kind, seat, value))


def shuffled(s: State) -> None:
    """The stock was shuffled: give it the order a record prescribes, where one is being replayed, and keep the order."""
    if s.script:
        s.stock[: s.stock_n] = s.script.pop(0)
    s.orders.append(s.stock[: s.stock_n])
