"""What a round costs that somebody has conceded."""

from __future__ import annotations

from maumau.kernel.layout import COUNT_CARDS, COUNT_ROUNDS, State, Tables
from maumau.kernel.score import hand_points


def conceded_points(s: State, t: Tables, seat: int, conceded: int) -> int:
    """What a round that a seat has conceded adds to a seat's total.

    Nobody went out, so nothing is multiplied, and of all the hands only that of whoever conceded counts: against its
    owner, or for the winner of the round where the winner takes what the others hold.
    """
    if t.count == COUNT_ROUNDS:
        return 1 if seat == s.winner else 0
    counts_for = s.winner if t.winner_takes else conceded
    if t.count == COUNT_CARDS and seat == counts_for:
        return hand_points(s, t, conceded)
    return 0
