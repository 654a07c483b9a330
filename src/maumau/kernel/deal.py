"""Starting a round: the pack, the shuffle, the deal and the starter."""

from __future__ import annotations

from maumau.kernel.chance import below, shuffle_stock
from maumau.kernel.layout import NO_EXTRA, NOBODY, PLAYING, PRINTED, State, Tables
from maumau.kernel.notes import shuffled
from maumau.kernel.step import turn_starter
from maumau.kernel.supply import add_to_hand
from maumau.kernel.turns import next_seat


def clear_round(s: State, seats: int) -> None:
    """An empty round for so many seats, all of them in it; the generator is left as it is."""
    s.seats = seats
    s.active_n = seats
    for seat in range(8):
        s.hand0[seat] = 0
        s.hand1[seat] = 0
        s.hand_n[seat] = 0
        s.rest[seat] = 0
        s.active[seat] = 1 if seat < seats else 0
    s.places_n = 0
    s.stock_n = 0
    s.reshuffled = 0
    s.discard_n = 0
    s.phase = PLAYING
    s.direction = 1
    s.demand = PRINTED
    s.penalty = 0
    s.due = 0
    s.chain = 0
    s.skips = 0
    s.due_skips = 0
    s.extra = NO_EXTRA
    s.drew = 0
    s.drawn = NOBODY
    s.passes = 0
    s.owing = 0
    s.fresh = 0
    s.late = NOBODY
    s.called = 0
    s.fined = 0
    s.laid = NOBODY
    s.hanging = NOBODY
    s.winner = NOBODY
    s.closed_with = NOBODY
    s.blocked = 0


def sit_out(s: State, seat: int) -> None:
    """A seat takes no part in this round."""
    if s.active[seat]:
        s.active[seat] = 0
        s.active_n -= 1


def choose_dealer(s: State) -> int:
    """The first dealer, by lot among the seats in the round."""
    lot = below(s, s.active_n)
    seat = next_seat(s, s.seats - 1)
    while lot > 0:
        seat = next_seat(s, seat)
        lot -= 1
    return seat


def lay_starter(s: State, t: Tables, place: int) -> None:
    """Put a card that may start, each equally likely, in the place of the card that will be turned.

    It is taken out before the shuffle, so that the others are shuffled without it.
    """
    fit = 0
    for i in range(s.stock_n):
        if t.start_cards & t.bit[s.stock[i]]:
            fit += 1
    lot = below(s, fit)
    found = 0
    while t.start_cards & t.bit[s.stock[found]] == 0 or lot > 0:
        if t.start_cards & t.bit[s.stock[found]]:
            lot -= 1
        found += 1
    starter = s.stock[found]
    s.stock_n -= 1
    s.stock[found] = s.stock[s.stock_n]
    shuffle_stock(s)
    s.stock[s.stock_n] = s.stock[place]
    s.stock[place] = starter
    s.stock_n += 1


def bury_starters(s: State, t: Tables) -> None:
    """Put cards that must not start under the stock, one after the other, until another one is on top."""
    for _ in range(s.stock_n):
        starter = s.stock[s.stock_n - 1]
        if t.redraw & t.bit[starter] == 0:
            return
        for i in range(s.stock_n - 1, 0, -1):
            s.stock[i] = s.stock[i - 1]
        s.stock[0] = starter


def deal(s: State, t: Tables, dealer: int) -> None:
    """Deal a cleared round with a seeded generator; ``dealer`` −1 draws the dealer by lot.

    Cards are dealt one at a time, clockwise from the dealer's left, and the next card starts the discard pile.
    """
    s.dealer = choose_dealer(s) if dealer == NOBODY else dealer
    s.stock_n = t.pack_n
    for i in range(t.pack_n):
        s.stock[i] = t.pack[i]
    dealt = t.hand_size * s.active_n
    if t.start_cards:
        lay_starter(s, t, t.pack_n - 1 - dealt)
    else:
        shuffle_stock(s)
    shuffled(s)
    seat = s.dealer
    for _ in range(dealt):
        seat = next_seat(s, seat)
        s.stock_n -= 1
        add_to_hand(s, t, seat, s.stock[s.stock_n])
    if t.redraw:
        bury_starters(s, t)
    s.stock_n -= 1
    turn_starter(s, t, s.stock[s.stock_n])
