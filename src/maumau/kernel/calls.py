"""Saying Mau and catching who forgot: the windows."""

from __future__ import annotations

from typing import Final

from maumau.kernel.layout import NEXT_BEGINS, NEXT_ENDS, NOBODY, OVER, OWN_BEGINS, State, Tables

IN_LINE: Final = ("act", "turn_begins", "turn_ends")
"""Put in line where compiled (``maumau.kernel.jit``)."""


def act(s: State, seat: int) -> None:
    """Note that a seat acts: from now on nobody else may call late."""
    if s.late != seat:
        s.late = NOBODY


def turn_begins(s: State, t: Tables, seat: int) -> None:
    """Close the windows that end when this seat's turn begins, with its first action."""
    if s.owing:
        if t.window == NEXT_BEGINS:
            s.owing = 0
        elif t.window == OWN_BEGINS:
            s.owing &= ~t.bit[seat]


def turn_ends(s: State, t: Tables) -> None:
    """Close the windows that end with the action that ends a turn; what came to be owed in this turn stays open."""
    if t.window == NEXT_ENDS and s.owing:
        s.owing &= t.bit[s.turn] if s.fresh else 0


def owe_call(s: State, t: Tables, seat: int) -> None:
    """A call was due with this seat's play and was not said."""
    s.owing |= t.bit[seat]
    s.late = seat
    s.fresh = 1


def may_call(s: State, t: Tables, seat: int) -> bool:
    """Whether the seat may still say what it owes."""
    return s.phase != OVER and s.late == seat and (s.owing & t.bit[seat]) != 0


def may_catch(s: State, t: Tables, seat: int, target: int) -> bool:
    """Whether the seat may catch the other one."""
    return s.phase != OVER and seat != target and s.active[seat] != 0 and (s.owing & t.bit[target]) != 0
