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
from maumau.kernel.layout import (
    ANYTHING,
    EQUAL_ONLY,
    MUST_COVER,
    NAMING,
    NO_EXTRA,
    OVER,
    PLAYING,
    PRINTED,
    THEN_DRAWN,
    WAITING,
    State,
    Tables,
)
from maumau.kernel.legal import fitting, may_draw, may_pass, may_take, may_throw_in, may_wish, playable
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
    if s.drawn >= 0 and face(s.drawn) != card and (t.draw_then == THEN_DRAWN or t.forced):
        barred = t.draw_then == THEN_DRAWN or fitting(s, t, t.bit[s.drawn])
        if barred:
            rule = "draw.then" if t.draw_then == THEN_DRAWN else "draw.forced"
            return Reason("only-drawn-card", params | {"drawn": face(s.drawn), "rule": rule})
    if s.drawn >= 0 and not playable(s, t) and t.draw_then > THEN_DRAWN:
        return Reason("nothing-after-drawing", params | {"rule": "draw.then"})
    if s.hand_n[s.turn] == 1 and not t.last_allowed & mask:
        return Reason("may-not-finish", params | {"rule": "end.forbidden"})
    if s.hand_n[s.turn] == 1 and t.call_to_finish and not s.called >> s.turn & 1:
        return Reason("not-called", params | {"rule": "call.to_finish"})
    return _why_it_fits(s, t, mask, params)


def explain_throw(s: State, t: Tables, seat: int, card: Card) -> Reason:
    """Why a seat that is not on turn may or may not throw in a card that it holds."""
    if not t.throw_in:
        return Reason("not-your-turn", {"seat": s.turn})
    if s.phase == NAMING:
        return Reason("name-first")
    if s.phase == WAITING:
        return Reason("last-card-waits", {"seat": s.laid})
    params: dict[str, Any] = {"card": card, "top": face(s.top), "rule": "play.throw_in"}
    if card != face(s.top):
        return Reason("not-the-same-card", params)
    return Reason("may-throw-in", params) if may_throw_in(s, t, seat) else _why_it_stays_out(s, t, seat, params)


def _why_it_stays_out(s: State, t: Tables, seat: int, params: dict[str, Any]) -> Reason:
    """What stands in the way of the very card that lies on top."""
    mask = _mask(t, params["card"])
    if s.drew > 0:
        return Reason("too-late-to-throw-in", params)
    if s.skips or s.extra or s.rest[seat] or s.hanging >= 0:
        return Reason("cannot-throw-in", params)
    if s.hand_n[seat] == 1 and not t.last_allowed & mask:
        return Reason("may-not-finish", params | {"rule": "end.forbidden"})
    if s.hand_n[seat] == 1 and t.call_to_finish and not s.called >> seat & 1:
        return Reason("not-called", params | {"rule": "call.to_finish"})
    return Reason("special-on-special", params | {"rule": "play.on_special"})


def _mask(t: Tables, card: Card) -> int:
    return t.bit[card] | (t.bit[card + 1] if card.is_joker else 0)


def _why_it_does_not_fit(s: State, t: Tables, mask: int, params: dict[str, Any]) -> Reason:
    if s.penalty > 0:
        rule = "penalty.cap" if t.cap and s.chain >= t.cap else "penalty.answer"
        return Reason("penalty-pending", params | {"penalty": s.penalty, "rule": rule})
    if s.skips > 0:
        return Reason("skip-pending", params | {"skips": s.skips, "rule": "skip.answer"})
    if s.extra == EQUAL_ONLY:
        return Reason("equal-only", params | {"rule": "play.equal"})
    if s.demand == ANYTHING:
        return Reason("free-not-wish", params | {"rule": "start.wish"})
    if t.apart & mask and t.apart >> s.top & 1:
        return Reason("special-on-special", params | {"rule": "play.on_special"})
    if t.wishes & mask:
        return Reason("wish-on-wish", params | {"rule": "wish.on_wish"})
    wish = wish_of(s)
    if wish is not None:
        return Reason("wish-not-followed", params | {"wish": wish.letter})
    return Reason("suit-not-followed", params)


def _why_it_fits(s: State, t: Tables, mask: int, params: dict[str, Any]) -> Reason:
    card, top = params["card"], params["top"]
    if s.penalty > 0:
        code = "fits-cancel" if t.cancel[card] else "fits-answer" if t.draw[card] else "fits-pass-on"
        return Reason(code, params | {"penalty": s.penalty, "rule": "penalty.answer"})
    if s.skips > 0:
        return Reason("fits-skip", params | {"skips": s.skips, "rule": "skip.answer"})
    if s.extra == EQUAL_ONLY:
        return Reason("fits-equal", params | {"rule": "play.equal"})
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


def refusal(s: State, t: Tables, action: Action, said: int | None = None, thrown: Card | None = None) -> Reason | None:
    """Why an action is not legal now, None where it is.

    ``said`` is the number a take was written with, ``thrown`` the card a throw was written with.
    """
    if s.phase == OVER:
        return Reason("round-over")
    kind = action.kind
    if kind == "play":
        return _refuse_play(s, t, action)
    if kind in ("call", "catch"):
        return _refuse_shout(s, t, action)
    if kind == "throw":
        return _refuse_throw(s, t, action, thrown)
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
    if action.wish is not None and left and not may_wish(s, t, action.wish):
        return Reason("wish-same-suit", {"card": card, "wish": action.wish.letter, "rule": "wish.suits"})
    if action.called and not call_due(s, t):
        return refuse_false_call(s, t, s.turn)
    return None


def refuse_false_call(s: State, t: Tables, seat: int) -> Reason | None:
    """Why a call with nothing to call for is refused; None where it is allowed and costs cards."""
    if not t.spoken:
        return Reason("call-automatic", {"rule": "call.mode"})
    return None if _may_pay(s, t, seat, t.false_call) else Reason("call-not-due", {"rule": "call.mode"})


def _may_pay(s: State, t: Tables, seat: int, cards: int) -> bool:
    """Whether a false shout is taken and paid for: once a turn."""
    return t.spoken != 0 and cards > 0 and s.phase == PLAYING and s.active[seat] != 0 and not s.fined >> seat & 1


def call_due(s: State, t: Tables) -> bool:
    """Whether a play of the seat on turn would have something to call for: one card left, or none."""
    return s.phase == PLAYING and t.spoken != 0 and s.hand_n[s.turn] <= 2


def _refuse_draw(s: State, t: Tables) -> Reason | None:
    mask = playable(s, t)
    if may_draw(s, t, mask):
        return None
    if s.penalty > 0:
        return Reason("take-instead", {"penalty": s.penalty})
    if s.skips > 0:
        return Reason("skip-pending", {"skips": s.skips, "top": face(s.top), "rule": "skip.answer"})
    if s.extra not in (NO_EXTRA, MUST_COVER):
        return Reason("no-draw-now")
    if s.drew >= t.draw_most:
        return Reason("already-drawn", {"rule": "draw.most"})
    if supply(s, t) <= 0:
        return Reason("nothing-to-draw")
    if s.extra == MUST_COVER:
        return Reason("must-cover", {"top": face(s.top)})
    return Reason("must-play", {"rule": "draw.when"})


def _refuse_pass(s: State, t: Tables) -> Reason | None:
    mask = playable(s, t)
    if may_pass(s, t, mask):
        return None
    if s.penalty > 0:
        return Reason("penalty-pending", {"penalty": s.penalty, "top": face(s.top), "rule": "penalty.answer"})
    if s.extra == MUST_COVER and mask:
        return Reason("must-cover", {"top": face(s.top)})
    if s.drew and mask and not mask & t.bit[s.drawn]:
        return Reason("must-play", {"rule": "draw.forced"})
    if s.drew and mask:
        return Reason("must-play-drawn", {"drawn": face(s.drawn), "rule": "draw.forced"})
    if supply(s, t) <= 0 or (mask and not t.voluntary):
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
        return None if may_call(s, t, seat) else refuse_false_call(s, t, seat)
    if seat == target:
        return Reason("catch-yourself")
    if may_catch(s, t, seat, target) or _may_pay(s, t, seat, t.false_catch):
        return None
    return Reason("nothing-to-catch", {"target": target})


def _refuse_throw(s: State, t: Tables, action: Action, card: Card | None) -> Reason | None:
    seat, top = action.seat, face(s.top)
    assert seat is not None
    if seat >= s.seats or not s.active[seat]:
        return Reason("not-playing", {"seat": seat})
    if not t.throw_in or seat == s.turn or not holds(s.hand0[seat], top) or (card is not None and card != top):
        return Reason("cannot-throw-in", {"top": top, "rule": "play.throw_in"})
    if not may_throw_in(s, t, seat):
        return explain_throw(s, t, seat, top)
    left = s.hand_n[seat] - 1
    wishes = bool(t.wishes >> s.top & 1)
    if wishes and left and action.wish is None:
        return Reason("wish-missing", {"card": top})
    if action.wish is not None and not wishes:
        return Reason("wish-not-due", {"card": top})
    if action.wish is not None and left and not may_wish(s, t, action.wish):
        return Reason("wish-same-suit", {"card": top, "wish": action.wish.letter, "rule": "wish.suits"})
    if action.called and left > 1:
        return refuse_false_call(s, t, seat)
    return refuse_false_call(s, t, seat) if action.called and not t.spoken else None
