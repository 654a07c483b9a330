"""Whose turn it is."""

from __future__ import annotations

from typing import Final

from maumau.kernel.layout import NO_EXTRA, NOBODY, State
from maumau.kernel.notes import SKIPPED, note

IN_LINE: Final = ("step_seat", "next_seat", "give_turn", "pass_turn_on")
"""Put in line where compiled (``maumau.kernel.jit``)."""


def step_seat(s: State, seat: int, direction: int) -> int:
    """The next seat in a direction that is still in the round."""
    seat += direction
    if seat < 0:
        seat = s.seats - 1
    elif seat >= s.seats:
        seat = 0
    while s.active[seat] == 0:
        seat += direction
        if seat < 0:
            seat = s.seats - 1
        elif seat >= s.seats:
            seat = 0
    return seat


def next_seat(s: State, seat: int) -> int:
    """The next seat in the direction of play that is still in the round."""
    return step_seat(s, seat, s.direction)


def give_turn(s: State, seat: int) -> None:
    """It is this seat's turn now, or that of the next one which does not sit out a turn."""
    while s.rest[seat] > 0:
        s.rest[seat] -= 1
        note(s, SKIPPED, seat, 0)
        seat = next_seat(s, seat)
    s.turn = seat
    s.drew = 0
    s.drawn = NOBODY
    s.extra = NO_EXTRA
    s.fresh = 0
    s.fined = 0


def pass_turn_on(s: State) -> None:
    """The next seat in order is on turn."""
    give_turn(s, next_seat(s, s.turn))
