"""Why something may or may not be done: the kernel's answers with their reasons.

The kernel alone decides; this says in the words of the rules what it decided by. ``refusal`` must agree with the kernel's
``legal`` and ``calls``: a test compares them on every state it visits.
"""

from __future__ import annotations

from typing import Any

from maumau.cards import Card, Suit
from maumau.game.action import Action
from maumau.game.errors import Reason
from maumau.game.hands import face, holds
from maumau.kernel.calls import may_call, may_catch
from maumau.kernel.layout import ANYTHING, NAMING, OVER, PLAYING, PRINTED, WAITING, State, Tables
from maumau.kernel.legal import fitting, may_draw, may_pass, may_take, playable
from maumau.kernel.supply import supply


def wish_of(s: State) -> Suit | None:
    """The wish in force."""
    return Suit(s.demand - 1) if PRINTED < s.demand < ANYTHING else None


def explain_card(s: State, t: Tables, card: Card) -> Reason:
    """Why the seat on turn may or may not play a card that it holds."""
    if s.phase == NAMING:
        return Reason("name-first")
    if s.phase == WAITING:
        return Reason("last-card-waits", {"seat": s.laid})
    params: dict[str, Any] = {"card": card, "top": face(s.top)}
    mask = _mask(t, card)
    if not fitting(s, t, mask):
        return _why_it_does_not_fit(s, t, mask, params)
    if s.drew and t.drawn_only and face(s.drawn) != card:
        return Reason("only-drawn-card", params | {"drawn": face(s.drawn), "rule": "draw.then"})
    if s.hand_n[s.turn] == 1 and not t.last_allowed & mask:
        return Reason("may-not-finish", params | {"rule": "end.forbidden"})
    return _why_it_fits(s, t, mask, params)


def _mask(t: Tables, card: Card) -> int:
    return t.bit[card] | (t.bit[card + 1] if card.is_joker else 0)


def _why_it_does_not_fit(s: State, t: Tables, mask: int, params: dict[str, Any]) -> Reason:
    if s.penalty > 0:
        rule = "penalty.cap" if t.cap and s.chain >= t.cap else "penalty.answer"
        return Reason("penalty-pending", params | {"penalty": s.penalty, "rule": rule})
    if s.demand == ANYTHING:
        return Reason("free-not-wish", params | {"rule": "start.wish"})
    if t.wishes & mask:
        return Reason("wish-on-wish", params | {"rule": "wish.on_wish"})
    wish = wish_of(s)
    if wish is not None:
        return Reason("wish-not-followed", params | {"wish": wish.letter})
    return Reason("suit-not-followed", params)


def _why_it_fits(s: State, t: Tables, mask: int, params: dict[str, Any]) -> Reason:
    card, top = params["card"], params["top"]
    if s.penalty > 0:
        return Reason("fits-answer", params | {"penalty": s.penalty, "rule": "penalty.answer"})
    if s.demand == ANYTHING:
        return Reason("fits-free", params | {"rule": "start.wish"})
    wish = wish_of(s)
    if wish is not None and card.suit == wish:
        return Reason("fits-wish", params | {"wish": wish.letter})
    if wish is None and not top.is_joker and card.suit == top.suit:
        return Reason("fits-suit", params)
    if wish is None and not top.is_joker and card.rank == top.rank:
        return Reason("fits-rank", params)
    return Reason("fits-any" if t.wishes & mask or card.is_joker else "fits-joker", params)


def refusal(s: State, t: Tables, action: Action, said: int | None = None) -> Reason | None:
    """Why an action is not legal now, None where it is; ``said`` is the number a take was written with."""
    if s.phase == OVER:
        return Reason("round-over")
    kind = action.kind
    if kind == "play":
        return _refuse_play(s, t, action)
    if kind in ("call", "catch"):
        return _refuse_shout(s, t, action)
    if s.phase == NAMING and kind != "name":
        return Reason("name-first")
    if s.phase == WAITING and kind != "pass":
        return Reason("last-card-waits", {"seat": s.laid})
    if kind == "draw":
        return _refuse_draw(s, t)
    if kind == "pass":
        return _refuse_pass(s, t)
    if kind == "take":
        return _refuse_take(s, said)
    return None if s.phase == NAMING else Reason("name-not-asked")


def _refuse_play(s: State, t: Tables, action: Action) -> Reason | None:
    card = action.card
    assert card is not None
    mask = _mask(t, card)
    if s.phase == PLAYING and not holds(s.hand0[s.turn], card):
        return Reason("not-in-hand", {"card": card})
    if not playable(s, t) & mask:
        return explain_card(s, t, card)
    left = s.hand_n[s.turn] - 1
    wishes = bool(t.wishes & mask)
    if wishes and left and action.wish is None:
        return Reason("wish-missing", {"card": card})
    if action.wish is not None and not wishes:
        return Reason("wish-not-due", {"card": card})
    if action.called and not call_due(s, t):
        return (
            Reason("call-not-due", {"rule": "call.mode"})
            if t.spoken
            else Reason("call-automatic", {"rule": "call.mode"})
        )
    return None


def call_due(s: State, t: Tables) -> bool:
    """Whether a play of the seat on turn would have something to call for: one card left, or none."""
    return s.phase == PLAYING and t.spoken != 0 and s.hand_n[s.turn] <= 2


def _refuse_draw(s: State, t: Tables) -> Reason | None:
    mask = playable(s, t)
    if may_draw(s, t, mask):
        return None
    if s.penalty > 0:
        return Reason("take-instead", {"penalty": s.penalty})
    if s.drew:
        return Reason("already-drawn")
    if supply(s) <= 0:
        return Reason("nothing-to-draw")
    return Reason("must-play", {"rule": "draw.when"})


def _refuse_pass(s: State, t: Tables) -> Reason | None:
    mask = playable(s, t)
    if may_pass(s, t, mask):
        return None
    if s.penalty > 0:
        return Reason("penalty-pending", {"penalty": s.penalty, "top": face(s.top), "rule": "penalty.answer"})
    if supply(s) <= 0 or (mask and not t.voluntary):
        return Reason("must-play", {"rule": "draw.when"})
    return Reason("draw-first")


def _refuse_take(s: State, said: int | None) -> Reason | None:
    if not may_take(s):
        return Reason("no-penalty")
    if said is not None and said != s.penalty:
        return Reason("penalty-amount", {"said": said, "penalty": s.penalty})
    return None


def _refuse_shout(s: State, t: Tables, action: Action) -> Reason | None:
    seat, target = action.seat, action.target
    assert seat is not None
    for named in (seat, target):
        if named is not None and (named >= s.seats or not (s.active[named] or s.laid == named)):
            return Reason("not-playing", {"seat": named})
    if target is None:
        if may_call(s, t, seat):
            return None
        return Reason("call-not-due" if t.spoken else "call-automatic", {"rule": "call.mode"})
    if seat == target:
        return Reason("catch-yourself")
    return None if may_catch(s, t, seat, target) else Reason("nothing-to-catch", {"target": target})
