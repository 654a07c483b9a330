"""The actions: what each changes. They trust that ``legal`` and ``calls`` allow them."""

from __future__ import annotations

from maumau.kernel.calls import act, owe_call, turn_begins, turn_ends
from maumau.kernel.layout import (
    ANYTHING,
    DEALER_NAMES,
    NAMING,
    NOBODY,
    OVER,
    PLAYING,
    PRINTED,
    SKIP_ALL,
    WAITING,
    State,
    Tables,
)
from maumau.kernel.legal import playable
from maumau.kernel.notes import OUT, PASSED, REVERSED, SKIPPED, note
from maumau.kernel.supply import draw_cards, make_draw, supply


def next_seat(s: State, seat: int) -> int:
    """The next seat in the direction of play that is still in the round."""
    seat += s.direction
    if seat < 0:
        seat = s.seats - 1
    elif seat >= s.seats:
        seat = 0
    while s.active[seat] == 0:
        seat += s.direction
        if seat < 0:
            seat = s.seats - 1
        elif seat >= s.seats:
            seat = 0
    return seat


def give_turn(s: State, seat: int) -> None:
    """It is this seat's turn now."""
    s.turn = seat
    s.drew = 0
    s.drawn = NOBODY


def pass_turn_on(s: State) -> None:
    """The next seat in order is on turn."""
    give_turn(s, next_seat(s, s.turn))


def finish(s: State) -> None:
    """The round is over: nothing of it reaches the next one."""
    s.phase = OVER
    s.penalty = 0
    s.chain = 0
    s.demand = PRINTED
    s.owing = 0
    s.late = NOBODY
    s.drew = 0
    s.drawn = NOBODY


def count_pass(s: State) -> None:
    """One more turn in a row in which nothing could be drawn; as many as players block the round."""
    s.passes += 1
    if s.passes >= s.active_n:
        finish(s)


def everyone_else_draws(s: State, t: Tables, seat: int, n: int) -> None:
    """Every other seat in the round draws n, the next one first."""
    other = next_seat(s, seat)
    for _ in range(s.active_n - s.active[seat]):
        make_draw(s, t, other, n)
        other = next_seat(s, other)


def skip_steps(s: State, t: Tables, seat: int, card: int) -> int:
    """How many places the turn moves on, with the direction turned and the skips noted."""
    skips = t.skip[card]
    if t.reverse[card]:
        if s.active_n > 2:
            s.direction = -s.direction
            note(s, REVERSED, seat, s.direction)
        elif t.reverse_skips:
            skips += 1
    if skips >= SKIP_ALL:
        skips = s.active_n - s.active[seat]
    return skips


def card_acts(s: State, t: Tables, seat: int, card: int) -> None:
    """A card's powers, wishes aside, and whose turn it makes."""
    if t.powers[card] == 0:
        give_turn(s, next_seat(s, seat))
        return
    skips = skip_steps(s, t, seat, card)
    if t.others[card]:
        everyone_else_draws(s, t, seat, t.others[card])
    turn = next_seat(s, seat)
    for _ in range(skips):
        note(s, SKIPPED, turn, 0)
        turn = next_seat(s, turn)
    give_turn(s, turn)
    if t.draw[card]:
        s.penalty += t.draw[card]
        if t.answerable == 0:
            resolve_penalty(s, t)


def resolve_penalty(s: State, t: Tables) -> None:
    """A penalty that nobody may answer: the seat that faces it draws at once and loses its turn."""
    due = s.penalty
    s.penalty = 0
    s.chain = 0
    got = make_draw(s, t, s.turn, due)
    if got == 0:
        count_pass(s)
    if s.phase != OVER:
        pass_turn_on(s)


def take_from_hand(s: State, t: Tables, seat: int, card: int) -> int:
    """Take a card out of a hand; returns it (the other joker where the first is not held)."""
    if card == 52 and s.hand0[seat] & t.bit[52] == 0:
        card = 53
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
    if s.drew == 0:
        turn_begins(s, t, seat)
    turn_ends(s, t)
    card = take_from_hand(s, t, seat, card)
    s.discard[s.discard_n] = card
    s.discard_n += 1
    s.top = card
    s.demand = PRINTED
    s.passes = 0
    if s.penalty > 0:
        s.chain += 1
    left = s.hand_n[seat]
    if left == 0:
        lay_last(s, t, seat, card, called)
        return
    if left == 1 and t.spoken and called == 0:
        owe_call(s, t, seat)
    if wish >= 0:
        s.demand = wish + 1
    card_acts(s, t, seat, card)


def lay_last(s: State, t: Tables, seat: int, card: int, called: int) -> None:
    """The last card is down: out, or waiting to be caught where Mau-Mau is needed and was not said."""
    if t.spoken and t.needed and called == 0:
        owe_call(s, t, seat)
        s.laid = seat
        s.phase = WAITING
        give_turn(s, next_seat(s, seat))
        return
    go_out(s, t, seat, card)


def go_out(s: State, t: Tables, seat: int, card: int) -> None:
    """A seat is out: the round is over, or goes on for the places."""
    s.phase = PLAYING
    if s.winner == NOBODY:
        s.winner = seat
    s.places[s.places_n] = seat
    s.places_n += 1
    s.active[seat] = 0
    s.active_n -= 1
    s.owing &= ~t.bit[seat]
    if t.play_on and s.active_n > 1:
        note(s, OUT, seat, s.places_n)
        card_acts(s, t, seat, card)
        return
    if t.final_draw and t.draw[card]:
        make_draw(s, t, next_seat(s, seat), s.penalty + t.draw[card])
    finish(s)


def draw(s: State, t: Tables) -> None:
    """Draw one card; the turn ends by itself where nothing can be played then."""
    act(s, s.turn)
    turn_begins(s, t, s.turn)
    draw_cards(s, t, s.turn, 1)
    s.drew = 1
    s.drawn = s.stock[s.stock_n]
    s.passes = 0
    if playable(s, t) == 0:
        note(s, PASSED, s.turn, 0)
        turn_ends(s, t)
        pass_turn_on(s)


def take(s: State, t: Tables) -> None:
    """Take the penalty, as much of it as there is; the turn ends and the chain is cleared."""
    act(s, s.turn)
    turn_begins(s, t, s.turn)
    turn_ends(s, t)
    due = s.penalty
    s.penalty = 0
    s.chain = 0
    got = draw_cards(s, t, s.turn, due)
    s.passes = 0 if got else s.passes
    if got == 0:
        count_pass(s)
    if s.phase != OVER:
        pass_turn_on(s)


def pass_turn(s: State, t: Tables) -> None:
    """Pass, or let a silent last card stand."""
    act(s, s.turn)
    if s.phase == WAITING:
        go_out(s, t, s.laid, s.top)
        return
    if s.drew == 0:
        turn_begins(s, t, s.turn)
    turn_ends(s, t)
    if s.drew == 0 and supply(s) <= 0:
        count_pass(s)
    if s.phase != OVER:
        pass_turn_on(s)


def name_suit(s: State, t: Tables, suit: int) -> None:
    """The dealer names the suit of the starter; then the first turn begins."""
    s.phase = PLAYING
    starter_acts(s, t, s.top)
    s.demand = suit + 1


def call(s: State, t: Tables, seat: int) -> None:
    """Say what is owed just after the card."""
    act(s, seat)
    s.owing &= ~t.bit[seat]
    s.late = NOBODY
    if s.phase == WAITING and seat == s.laid:
        go_out(s, t, seat, s.top)


def catch(s: State, t: Tables, seat: int, target: int) -> None:
    """Catch a seat that forgot its call: it draws; after a last card play goes on as after any play of that card."""
    act(s, seat)
    s.owing &= ~t.bit[target]
    if s.phase == WAITING and target == s.laid:
        make_draw(s, t, target, t.maumau)
        s.passes = 0
        s.phase = PLAYING
        card_acts(s, t, target, s.top)
        return
    if make_draw(s, t, target, t.mau):
        s.passes = 0


def starter_acts(s: State, t: Tables, card: int) -> None:
    """The first turn, with the starter's powers as if the dealer had played it where the book says so."""
    if t.start_acts:
        card_acts(s, t, s.dealer, card)
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
