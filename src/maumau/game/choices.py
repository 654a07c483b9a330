"""What may be done now, as actions: the kernel's answers written out."""

from __future__ import annotations

from typing import Final

from maumau.cards import Suit
from maumau.game.action import DRAW, PASS, TAKE, Action
from maumau.game.hands import kinds_of
from maumau.game.judge import call_due
from maumau.kernel.calls import may_call, may_catch
from maumau.kernel.layout import NAMING, OVER, WAITING, State, Tables
from maumau.kernel.legal import may_draw, may_pass, may_throw_in, may_wish, playable

_SUITS: Final = tuple(Suit)


def actions_on_turn(s: State, t: Tables) -> tuple[Action, ...]:
    """What the seat on turn may do, plays without the call."""
    if s.phase == OVER:
        return ()
    if s.phase == NAMING:
        return tuple(Action.name(suit) for suit in _SUITS)
    if s.phase == WAITING:
        return (PASS,)
    mask = playable(s, t)
    actions = _plays(s, t, mask)
    if s.penalty:
        actions.append(TAKE)
    elif may_draw(s, t, mask):
        actions.append(DRAW)
    if may_pass(s, t, mask):
        actions.append(PASS)
    return tuple(actions)


def _plays(s: State, t: Tables, mask: int) -> list[Action]:
    wishes = s.hand_n[s.turn] > 1
    actions: list[Action] = []
    for card in kinds_of(mask):
        if wishes and t.wishes >> card & 1:
            actions.extend(Action.play(card, suit) for suit in _SUITS if may_wish(s, t, suit))
        else:
            actions.append(Action.play(card))
    return actions


def plays_to_call(s: State, t: Tables) -> tuple[Action, ...]:
    """Those plays of the seat on turn that may carry the call (``!``)."""
    return tuple(_plays(s, t, playable(s, t))) if call_due(s, t) else ()


def shouts_of(s: State, t: Tables, seat: int) -> tuple[Action, ...]:
    """The calls and catches open to a seat, and the cards that it may throw in."""
    if not s.owing and not t.throw_in:
        return ()
    actions = [Action.call(seat)] if may_call(s, t, seat) else []
    actions += [Action.catch(seat, target) for target in range(s.seats) if may_catch(s, t, seat, target)]
    if may_throw_in(s, t, seat):
        wishes: list[Suit | None] = [None]
        if t.wishes >> s.top & 1 and s.hand_n[seat] > 1:
            wishes = [suit for suit in _SUITS if may_wish(s, t, suit)]
        actions += [Action.throw(seat, wish) for wish in wishes]
    return tuple(actions)
