"""The last card: out, caught before that, or out only when nothing can come back."""

from __future__ import annotations

from maumau.kernel.calls import owe_call
from maumau.kernel.ending import finish
from maumau.kernel.layout import NOBODY, PLAYING, WAITING, State, Tables
from maumau.kernel.notes import OUT, note
from maumau.kernel.powers import add_draw, card_acts
from maumau.kernel.supply import make_draw
from maumau.kernel.turns import give_turn, next_seat


def lay_last(s: State, t: Tables, seat: int, card: int, called: int) -> None:
    """The last card is down: out, or waiting to be caught where Mau-Mau is needed and was not said."""
    if t.spoken and t.needed and called == 0:
        owe_call(s, t, seat)
        s.laid = seat
        s.phase = WAITING
        give_turn(s, next_seat(s, seat))
        return
    stand(s, t, seat, card)


def stand(s: State, t: Tables, seat: int, card: int) -> None:
    """A last card stands: the seat is out, unless the card can still come back to it."""
    s.phase = PLAYING
    s.owing &= ~t.bit[seat]
    if t.final_back and t.draw[card] and s.hanging == NOBODY:
        s.hanging = seat
        card_acts(s, t, seat, card)
        settle_hanging(s, t)
        return
    if s.hanging != NOBODY:
        seat = s.hanging
    go_out(s, t, seat, card)


def go_out(s: State, t: Tables, seat: int, card: int) -> None:
    """A seat is out: the round is over, or goes on for the places."""
    s.phase = PLAYING
    if s.winner == NOBODY:
        s.winner = seat
        s.closed_with = card
    s.places[s.places_n] = seat
    s.places_n += 1
    s.active[seat] = 0
    s.active_n -= 1
    s.owing &= ~t.bit[seat]
    if t.play_on and s.active_n > 1:
        note(s, OUT, seat, s.places_n)
        card_acts(s, t, seat, card)
        return
    if t.final_draw and t.draw[card] and s.hanging == NOBODY:
        add_draw(s, t, card)
        make_draw(s, t, next_seat(s, seat), s.due)
    finish(s)


def settle_hanging(s: State, t: Tables) -> None:
    """Whoever laid a last drawing card is out once nothing can come back to it any more."""
    if s.hanging != NOBODY and s.penalty + s.due == 0 and s.phase == PLAYING:
        if s.hand_n[s.hanging] == 0:
            go_out(s, t, s.hanging, s.top)
        s.hanging = NOBODY
