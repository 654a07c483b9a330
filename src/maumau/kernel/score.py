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

    Nothing is multiplied in a blocked round. Where each closing card counts, so does every such card that lies directly
    under the winner's, as long as that is still the top one.
    """
    if s.blocked or s.closed_with == NOBODY:
        return 1
    factor = t.closing[s.closed_with]
    if t.closing_each and factor > 1 and s.places_n == 1:
        below = s.discard_n - 2
        while below >= 0 and t.closing[s.discard[below]] > 1:
            factor *= t.closing[s.discard[below]]
            below -= 1
    return factor


def round_points(s: State, t: Tables, seat: int) -> int:
    """What the finished round adds to the seat's total."""
    if s.blocked and t.blocked_free:
        return 0
    if t.count == COUNT_CARDS:
        return card_points(s, t, seat)
    if t.count == COUNT_ROUNDS:
        return 1 if seat == s.winner else 0
    return 0


def card_points(s: State, t: Tables, seat: int) -> int:
    """Card points of a seat: a loser's own hand, or for the winner the others' hands where the winner takes them."""
    factor = closing_factor(s, t)
    if t.winner_takes:
        return winner_points(s, t, factor) if seat == s.winner else 0
    return winner_fine(s, t) if seat == s.winner else hand_points(s, t, seat) * factor


def winner_fine(s: State, t: Tables) -> int:
    """What the winner's last card costs; nothing where the round was won by the fewest cards."""
    return 0 if s.closed_with == NOBODY else t.fine[s.closed_with]


def winner_points(s: State, t: Tables, factor: int) -> int:
    """What the winner takes: all the others' hands."""
    total = 0
    for other in range(s.seats):
        if other != s.winner:
            total += hand_points(s, t, other)
    return total * factor - winner_fine(s, t)
