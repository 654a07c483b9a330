"""What the seat on turn may do."""

from __future__ import annotations

from maumau.kernel.layout import DEMANDS, NAMING, PLAYING, WAITING, State, Tables
from maumau.kernel.supply import supply


def fitting(s: State, t: Tables, hand: int) -> int:
    """Those of the cards that may be laid on the top card as things stand, whoever holds them."""
    if s.penalty > 0:
        if t.cap > 0 and s.chain >= t.cap:
            return 0
        return hand & t.answers[s.top]
    return hand & t.follow[s.top * DEMANDS + s.demand]


def playable(s: State, t: Tables) -> int:
    """The cards that the seat on turn may play, as a mask."""
    if s.phase != PLAYING:
        return 0
    seat = s.turn
    mask = fitting(s, t, s.hand0[seat])
    if s.drew and t.drawn_only:
        mask &= t.bit[s.drawn]
    if s.hand_n[seat] == 1:
        mask &= t.last_allowed
    return mask


def may_draw(s: State, t: Tables, mask: int) -> bool:
    """Whether the seat on turn may draw a card; ``mask`` is what it may play."""
    if s.phase != PLAYING or s.penalty > 0 or s.drew:
        return False
    return (t.voluntary > 0 or mask == 0) and supply(s) > 0


def may_pass(s: State, t: Tables, mask: int) -> bool:
    """Whether the seat on turn may pass: after drawing, or when nothing can be drawn (or to let a last card stand)."""
    if s.phase == WAITING:
        return True
    if s.phase != PLAYING or s.penalty > 0:
        return False
    if s.drew:
        return True
    return (t.voluntary > 0 or mask == 0) and supply(s) <= 0


def may_take(s: State) -> bool:
    """Whether the seat on turn faces a penalty."""
    return s.phase == PLAYING and s.penalty > 0


def may_name(s: State) -> bool:
    """Whether the dealer must name the starter's suit."""
    return s.phase == NAMING
