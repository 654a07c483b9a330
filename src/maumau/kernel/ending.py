"""The end of a round, and a round that is blocked."""

from __future__ import annotations

from maumau.kernel.layout import NO_EXTRA, NOBODY, OVER, PACK, PRINTED, State, Tables


def finish(s: State) -> None:
    """The round is over: nothing of it reaches the next one."""
    s.phase = OVER
    s.penalty = 0
    s.due = 0
    s.chain = 0
    s.skips = 0
    s.due_skips = 0
    s.extra = NO_EXTRA
    s.demand = PRINTED
    s.owing = 0
    s.late = NOBODY
    s.drew = 0
    s.drawn = NOBODY
    s.hanging = NOBODY


def fewest(s: State) -> int:
    """The seat in the round with the fewest cards, nobody where several have as few."""
    found = NOBODY
    least = PACK + 1
    for seat in range(s.seats):
        if s.active[seat] and s.hand_n[seat] <= least:
            found = NOBODY if s.hand_n[seat] == least else seat
            least = s.hand_n[seat]
    return found


def count_pass(s: State, t: Tables) -> None:
    """One more turn in a row in which nothing was drawn or played; as many as players block the round."""
    s.passes += 1
    if s.passes >= s.active_n:
        s.blocked = 1
        if t.blocked_fewest and s.winner == NOBODY:
            s.winner = fewest(s)
        finish(s)
