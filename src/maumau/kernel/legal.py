"""What the seat on turn may do."""

from __future__ import annotations

from typing import Final

from maumau.kernel.layout import (
    DEMANDS,
    EQUAL_ONLY,
    FIRST_JOKER,
    MAY_FOLLOW,
    MUST_COVER,
    NAMING,
    NO_EXTRA,
    PLAYING,
    PRINTED,
    SUITS,
    THEN_DRAWN,
    WAITING,
    State,
    Tables,
)
from maumau.kernel.supply import supply

IN_LINE: Final = ("fitting", "playable", "may_draw", "may_pass")
"""Put in line where compiled (``maumau.kernel.jit``)."""


def fitting(s: State, t: Tables, hand: int) -> int:
    """Those of the cards that may be laid on the top card as things stand, whoever holds them."""
    if s.penalty + s.skips > 0:
        return answering(s, t, hand)
    if s.extra == EQUAL_ONLY:
        return hand & t.equals[s.top]
    return hand & t.follow[s.top * DEMANDS + s.demand]


def answering(s: State, t: Tables, hand: int) -> int:
    """Those of the cards that answer the penalty or the skips pending."""
    if s.penalty == 0:
        return hand & t.skip_answers[s.top]
    if t.cap > 0 and s.chain >= t.cap:
        return 0
    return hand & t.answers[s.top]


def playable(s: State, t: Tables) -> int:
    """The cards that the seat on turn may play, as a mask."""
    if s.phase != PLAYING:
        return 0
    seat = s.turn
    mask = fitting(s, t, s.hand0[seat])
    if s.drawn >= 0:
        mask = playable_after_drawing(s, t, mask)
    if s.hand_n[seat] == 1:
        mask &= t.last_allowed
        if t.call_to_finish and (s.called & t.bit[seat]) == 0:
            mask = 0
    return mask


def playable_after_drawing(s: State, t: Tables, mask: int) -> int:
    """Those of the fitting cards that may be played once a card was drawn."""
    if t.draw_then:
        return mask & t.bit[s.drawn] if t.draw_then == THEN_DRAWN else 0
    if t.forced and mask & t.bit[s.drawn]:
        return mask & t.bit[s.drawn]
    return mask


def may_draw(s: State, t: Tables, mask: int) -> bool:
    """Whether the seat on turn may draw a card; ``mask`` is what it may play."""
    if s.phase != PLAYING or s.penalty > 0 or s.skips > 0 or s.drew >= t.draw_most:
        return False
    if s.extra != NO_EXTRA and s.extra != MUST_COVER:
        return False
    unforced = t.voluntary > 0 and s.drew == 0 and s.extra == NO_EXTRA
    return (unforced or mask == 0) and supply(s, t) > 0


def may_pass(s: State, t: Tables, mask: int) -> bool:
    """Whether the seat on turn may pass: after drawing, when nothing can be drawn, or where a table agrees on it instead of
    drawing (or to let a last card stand).
    """
    if s.phase != PLAYING:
        return s.phase == WAITING
    if s.penalty > 0:
        return False
    if s.skips > 0 or s.extra == MAY_FOLLOW or s.extra == EQUAL_ONLY:
        return True
    if t.free_pass and may_draw(s, t, mask):
        return True
    if s.drew > 0:
        if mask:
            return t.forced == 0 or s.drawn < 0 or (mask & t.bit[s.drawn]) == 0
        return s.drew >= t.draw_most or supply(s, t) <= 0
    return ((t.voluntary > 0 and s.extra == NO_EXTRA) or mask == 0) and supply(s, t) <= 0


def may_take(s: State) -> bool:
    """Whether the seat on turn faces a penalty."""
    return s.phase == PLAYING and s.penalty > 0


def may_name(s: State) -> bool:
    """Whether the dealer must name the starter's suit."""
    return s.phase == NAMING


def may_wish(s: State, t: Tables, suit: int) -> bool:
    """Whether a wishing card laid now may name this suit."""
    if t.wish_other == 0:
        return True
    if PRINTED < s.demand <= SUITS:
        return suit != s.demand - 1
    return s.top >= SUITS * 13 or suit != s.top % SUITS


def wishable(s: State, t: Tables) -> int:
    """The suits that a wishing card laid now may name, as bits."""
    suits = 0
    for suit in range(SUITS):
        if may_wish(s, t, suit):
            suits |= 1 << suit
    return suits


def may_throw_in(s: State, t: Tables, seat: int) -> bool:
    """Whether a seat may throw in the very card that lies on top, out of turn, before anybody has acted on it.

    A seat that has turns to sit out sits out this too.
    """
    if t.throw_in == 0 or s.phase != PLAYING or s.drew > 0 or s.extra != NO_EXTRA or s.skips > 0:
        return False
    twins = t.bit[s.top] if s.top < FIRST_JOKER else t.bit[FIRST_JOKER] | t.bit[FIRST_JOKER + 1]
    if s.active[seat] == 0 or s.rest[seat] > 0 or s.hanging >= 0 or s.turn == seat or (s.hand0[seat] & twins) == 0:
        return False
    if s.hand_n[seat] == 1:
        if (t.last_allowed & t.bit[s.top]) == 0:
            return False
        if t.call_to_finish and (s.called & t.bit[seat]) == 0:
            return False
    if s.penalty > 0:
        return True
    return (t.equals[s.top] & t.bit[s.top]) != 0
