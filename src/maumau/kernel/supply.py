"""Drawing, and turning the discards over when the stock runs out."""

from __future__ import annotations

from typing import Final

from maumau.kernel.chance import shuffle_stock
from maumau.kernel.layout import State, Tables
from maumau.kernel.notes import DRAWN, MADE, RESHUFFLED, note, shuffled

IN_LINE: Final = ("supply", "add_to_hand", "draw_cards", "make_draw")
"""Put in line where compiled (``maumau.kernel.jit``)."""


def supply(s: State, t: Tables) -> int:
    """How many cards can still be drawn: the stock, and all discards but the top while the stock may be renewed."""
    if s.reshuffled >= t.reshuffles:
        return s.stock_n
    return s.stock_n + s.discard_n - 1


def reshuffle(s: State) -> None:
    """Shuffle all discards but the top into a new stock; the top card and the wish in force stay."""
    n = s.discard_n - 1
    s.reshuffled += 1
    for i in range(n):
        s.stock[i] = s.discard[i]
    s.discard[0] = s.discard[n]
    s.discard_n = 1
    s.stock_n = n
    shuffle_stock(s)
    shuffled(s)
    note(s, RESHUFFLED, s.turn, n)


def add_to_hand(s: State, t: Tables, seat: int, card: int) -> None:
    """Put a card into a hand, on the second plane if the first already holds it."""
    bit = t.bit[card]
    if s.hand0[seat] & bit:
        s.hand1[seat] |= bit
    else:
        s.hand0[seat] |= bit
    s.hand_n[seat] += 1


def draw_cards(s: State, t: Tables, seat: int, n: int) -> int:
    """Draw up to n cards, reshuffling in the middle if needed; returns how many there were."""
    got = 0
    while got < n:
        if s.stock_n == 0:
            if s.discard_n <= 1 or s.reshuffled >= t.reshuffles:
                break
            reshuffle(s)
        s.stock_n -= 1
        card = s.stock[s.stock_n]
        add_to_hand(s, t, seat, card)
        note(s, DRAWN, seat, card)
        got += 1
    return got


def make_draw(s: State, t: Tables, seat: int, n: int) -> int:
    """Draw cards that a rule, not the seat's own choice, makes it draw."""
    note(s, MADE, seat, n)
    return draw_cards(s, t, seat, n)
