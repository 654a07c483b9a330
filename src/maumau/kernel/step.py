"""The actions: what each changes. They trust that ``legal`` and ``calls`` allow them."""

from __future__ import annotations

from typing import Final

from maumau.kernel.calls import act, may_call, owe_call, turn_begins, turn_ends
from maumau.kernel.ending import count_pass
from maumau.kernel.last_card import lay_last, settle_hanging, stand
from maumau.kernel.layout import (
    ANYTHING,
    DEALER_NAMES,
    EQUAL_ONLY,
    FIRST_JOKER,
    MAY_PLAY,
    NAMING,
    NO_EXTRA,
    NOBODY,
    OVER,
    PLAYING,
    PRINTED,
    TURN_FOLLOWS,
    WAITING,
    State,
    Tables,
)
from maumau.kernel.legal import may_draw, playable
from maumau.kernel.notes import PASSED, SKIPPED, note
from maumau.kernel.powers import add_powers, card_acts, leave_turn, resolve_penalty
from maumau.kernel.supply import draw_cards, make_draw
from maumau.kernel.turns import give_turn, next_seat, pass_turn_on

IN_LINE: Final = ("take_from_hand",)
"""Put in line where compiled (``maumau.kernel.jit``)."""


def take_from_hand(s: State, t: Tables, seat: int, card: int) -> int:
    """Take a card out of a hand; returns it (the other joker where the first is not held)."""
    if t.jokers and card == FIRST_JOKER and (s.hand0[seat] & t.bit[FIRST_JOKER]) == 0:
        card = FIRST_JOKER + 1
    bit = t.bit[card]
    if s.hand1[seat] & bit:
        s.hand1[seat] ^= bit
    else:
        s.hand0[seat] ^= bit
    s.hand_n[seat] -= 1
    return card


def play(s: State, t: Tables, card: int, wish: int, called: int) -> None:
    """Lay a card; ``wish`` is a suit or −1, ``called`` whether the call that is due was said with it."""
    seat = s.turn
    act(s, seat)
    if s.drew == 0 and s.extra == NO_EXTRA:
        turn_begins(s, t, seat)
    card = take_from_hand(s, t, seat, card)
    s.discard[s.discard_n] = card
    s.discard_n += 1
    s.top = card
    s.demand = PRINTED
    s.passes = 0
    passing = t.passes_on and s.penalty > 0 and only_passes(t, card)
    if s.penalty + s.skips > 0:
        answer(s, t, card)
    left = s.hand_n[seat]
    extra = NO_EXTRA if passing else follow_up(s, t, seat, card)
    if extra == NO_EXTRA or left == 0:
        turn_ends(s, t)
    if left == 0:
        lay_last(s, t, seat, card, called)
        return
    if left == 1 and t.spoken:
        if called:
            s.called |= t.bit[seat]
        else:
            s.called &= ~t.bit[seat]
            owe_call(s, t, seat)
    elif called and t.false_call:
        pay_false(s, t, seat, t.false_call)
    if wish >= 0:
        s.demand = wish + 1
    if extra:
        stay_on(s, t, seat, card, extra)
    elif passing:
        leave_turn(s, t, seat)
    else:
        card_acts(s, t, seat, card)
    if s.hanging != NOBODY:
        settle_hanging(s, t)


def only_passes(t: Tables, card: int) -> bool:
    """Whether a card laid on a penalty only passes it on; it does nothing else then."""
    return t.draw[card] == 0 and t.cancel[card] == 0


def answer(s: State, t: Tables, card: int) -> None:
    """A card is laid on what is pending: it adds to it, passes it on, or cancels it."""
    s.chain += 1
    s.due = s.penalty
    s.penalty = 0
    if t.skip_adds:
        s.due_skips = s.skips
    s.skips = 0
    if t.cancel[card]:
        s.due = 0
        s.chain = 0


def follow_up(s: State, t: Tables, seat: int, card: int) -> int:
    """Why the turn goes on after a card: another may follow or must cover it, or the hand holds its equal."""
    if t.again[card]:
        return t.again[card]
    return EQUAL_ONLY if t.several and s.hand0[seat] & t.equals[card] else NO_EXTRA


def stay_on(s: State, t: Tables, seat: int, card: int, extra: int) -> None:
    """The seat goes on after its card: what the card makes due waits until the turn ends."""
    if t.powers[card]:
        add_powers(s, t, seat, card)
    s.drew = 0
    s.drawn = NOBODY
    s.extra = extra


def draw(s: State, t: Tables) -> None:
    """Draw one card; the turn ends by itself where nothing can be played or drawn then."""
    act(s, s.turn)
    if s.drew == 0 and s.extra == NO_EXTRA:
        turn_begins(s, t, s.turn)
    draw_cards(s, t, s.turn, 1)
    s.drew += 1
    s.drawn = s.stock[s.stock_n]
    s.passes = 0
    end_if_stuck(s, t)


def end_if_stuck(s: State, t: Tables) -> None:
    """End the turn of a seat that has drawn and can neither play nor draw."""
    if playable(s, t) == 0 and not may_draw(s, t, 0):
        note(s, PASSED, s.turn, 0)
        turn_passes(s, t)


def turn_passes(s: State, t: Tables) -> None:
    """The turn ends without a card (or, after cards, without another one)."""
    turn_ends(s, t)
    if s.extra != NO_EXTRA:
        leave_turn(s, t, s.turn)
        settle_hanging(s, t)
        return
    wish_lapses(s, t)
    pass_turn_on(s)


def wish_lapses(s: State, t: Tables) -> None:
    """A turn ended without a card: a wish that binds for one turn is gone, and so is a free start for one turn."""
    if s.demand == ANYTHING:
        if t.free_one_turn:
            s.demand = PRINTED
    elif t.wish_one_turn:
        s.demand = PRINTED


def take(s: State, t: Tables) -> None:
    """Take the penalty, as much of it as there is; the chain is cleared, and mostly the turn ends."""
    seat = s.turn
    act(s, seat)
    turn_begins(s, t, seat)
    due = s.penalty
    s.penalty = 0
    s.chain = 0
    got = draw_cards(s, t, seat, due)
    if got:
        s.passes = 0
    if s.hanging != NOBODY:
        settle_hanging(s, t)
    if s.phase != OVER and t.after_penalty != TURN_FOLLOWS:
        end_paid_turn(s, t, got)


def end_paid_turn(s: State, t: Tables, got: int) -> None:
    """End the turn of a seat that has paid, unless it may play a card still and can."""
    if t.after_penalty == MAY_PLAY:
        s.drew = t.draw_most
        if playable(s, t):
            return
        note(s, PASSED, s.turn, 0)
    turn_ends(s, t)
    wish_lapses(s, t)
    if got == 0:
        count_pass(s, t)
    if s.phase != OVER:
        pass_turn_on(s)


def pass_turn(s: State, t: Tables) -> None:
    """Pass, sit out a turn, end a turn that could go on, or let a silent last card stand."""
    act(s, s.turn)
    if s.phase == WAITING:
        stand(s, t, s.laid, s.top)
        return
    if s.drew == 0 and s.extra == NO_EXTRA:
        turn_begins(s, t, s.turn)
    if s.skips > 0:
        sit_out_turns(s, t)
        return
    if s.drew == 0 and s.extra == NO_EXTRA:
        turn_ends(s, t)
        count_pass(s, t)
        if s.phase == OVER:
            return
    turn_passes(s, t)


def sit_out_turns(s: State, t: Tables) -> None:
    """The seat accepts the skips pending: this turn, and where they add up as many more."""
    note(s, SKIPPED, s.turn, 0)
    s.rest[s.turn] += s.skips - 1
    s.skips = 0
    s.chain = 0
    turn_ends(s, t)
    wish_lapses(s, t)
    pass_turn_on(s)


def name_suit(s: State, t: Tables, suit: int) -> None:
    """The dealer names the suit of the starter; then the first turn begins."""
    s.phase = PLAYING
    starter_acts(s, t, s.top)
    s.demand = suit + 1


def call(s: State, t: Tables, seat: int) -> None:
    """Say what is owed just after the card; a false call costs cards where the table wants it so."""
    due = may_call(s, t, seat)
    act(s, seat)
    if not due:
        if t.false_call:
            pay_false(s, t, seat, t.false_call)
        return
    s.owing &= ~t.bit[seat]
    s.late = NOBODY
    if s.phase == WAITING and seat == s.laid:
        stand(s, t, seat, s.top)
    elif s.hand_n[seat] == 1:
        s.called |= t.bit[seat]


def pay_false(s: State, t: Tables, seat: int, cards: int) -> None:
    """A false shout costs cards, once a turn."""
    s.fined |= t.bit[seat]
    if make_draw(s, t, seat, cards):
        s.passes = 0


def catch(s: State, t: Tables, seat: int, target: int) -> None:
    """Catch a seat that forgot its call: it draws; after a last card play goes on as after any play of that card."""
    act(s, seat)
    if (s.owing & t.bit[target]) == 0:
        if t.false_catch:
            pay_false(s, t, seat, t.false_catch)
        return
    s.owing &= ~t.bit[target]
    if s.phase == WAITING and target == s.laid:
        make_draw(s, t, target, t.maumau)
        s.passes = 0
        s.phase = PLAYING
        caught_card_acts(s, t, target, s.top)
        return
    if make_draw(s, t, target, t.mau):
        s.passes = 0


def caught_card_acts(s: State, t: Tables, seat: int, card: int) -> None:
    """A last card was caught: play goes on as after any play of it."""
    give_turn(s, seat)
    passing = t.passes_on and s.chain > 0 and s.due > 0 and only_passes(t, card)
    extra = NO_EXTRA if passing else follow_up(s, t, seat, card)
    # The same lines as in `play`, not a function of both: the plain build must see that `extra` is known here.
    if extra:
        stay_on(s, t, seat, card, extra)
    elif passing:
        leave_turn(s, t, seat)
    else:
        card_acts(s, t, seat, card)
    if s.hanging != NOBODY:
        settle_hanging(s, t)


def throw_in(s: State, t: Tables, seat: int, wish: int, called: int) -> None:
    """Throw in the very card that lies on top, out of turn; play goes on from the seat that did."""
    act(s, seat)
    give_turn(s, seat)
    play(s, t, min(s.top, FIRST_JOKER), wish, called)


def starter_acts(s: State, t: Tables, card: int) -> None:
    """The first turn, with the starter's powers as if the dealer had played it where the book says so."""
    if t.start_acts:
        card_acts(s, t, s.dealer, card)
        if t.start_pays and s.penalty > 0:
            resolve_penalty(s, t)
    else:
        give_turn(s, next_seat(s, s.dealer))


def turn_starter(s: State, t: Tables, card: int) -> None:
    """Turn the starter: it is the top card, and its effect makes the first turn."""
    s.discard[0] = card
    s.discard_n = 1
    s.top = card
    wishes = t.wishes & t.bit[card]
    if wishes and t.start_wish == DEALER_NAMES:
        s.phase = NAMING
        give_turn(s, s.dealer)
        return
    starter_acts(s, t, card)
    if wishes:
        s.demand = ANYTHING
