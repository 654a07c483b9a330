"""What a finished round is worth."""

from __future__ import annotations

from maumau.kernel.bits import lowest
from maumau.kernel.layout import COUNT_CARDS, COUNT_ROUNDS, NOBODY, State, Tables


def hand_points(s: State, t: Tables, seat: int) -> int:
    """The card points of a hand."""
    total = 0
    once = s.hand0[seat]
    while once:
        total += t.points[lowest(once)]
        once &= once - 1
    twice = s.hand1[seat]
    while twice:
        total += t.points[lowest(twice)]
        twice &= twice - 1
    return total


def closing_factor(s: State, t: Tables) -> int:
    """What everybody else's points are multiplied by: the card the winner went out with may double them.

    The winner's card is the top one, except where play went on for the places: then nothing is multiplied unless the
    last to go out was also the first.
    """
    if s.winner == NOBODY or s.places_n != 1:
        return 1
    return t.closing[s.top]


def round_points(s: State, t: Tables, seat: int) -> int:
    """What the finished round adds to the seat's total."""
    if t.count == COUNT_CARDS:
        return hand_points(s, t, seat) * closing_factor(s, t)
    if t.count == COUNT_ROUNDS:
        return 1 if seat == s.winner else 0
    return 0
