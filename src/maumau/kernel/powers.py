"""What a card does once it lies, at once and when its turn ends."""

from __future__ import annotations

from typing import Final

from maumau.kernel.ending import count_pass
from maumau.kernel.layout import OVER, SKIP_ALL, State, Tables
from maumau.kernel.notes import REVERSED, SKIPPED, note
from maumau.kernel.supply import make_draw
from maumau.kernel.turns import give_turn, next_seat, pass_turn_on, step_seat

IN_LINE: Final = ("add_powers", "leave_turn", "card_acts")
"""Put in line where compiled (``maumau.kernel.jit``)."""


def card_acts(s: State, t: Tables, seat: int, card: int) -> None:
    """A card's powers, wishes aside, and whose turn it makes."""
    if t.powers[card]:
        add_powers(s, t, seat, card)
    elif s.due + s.due_skips == 0:
        give_turn(s, next_seat(s, seat))
        return
    leave_turn(s, t, seat)


def add_powers(s: State, t: Tables, seat: int, card: int) -> None:
    """What a card does at once, and what it makes due for when the turn ends."""
    if t.back[card]:
        make_draw(s, t, step_seat(s, seat, -s.direction), t.back[card])
    if t.skip[card] >= SKIP_ALL:
        s.due_skips += s.active_n - s.active[seat]
    else:
        s.due_skips += t.skip[card]
    if t.reverse[card]:
        if s.active_n > 2:
            s.direction = -s.direction
            note(s, REVERSED, seat, s.direction)
        elif t.reverse_skips and t.skip[card] < SKIP_ALL:
            s.due_skips += 1
    if t.others[card]:
        everyone_else_draws(s, t, seat, t.others[card])
    if t.draw[card]:
        add_draw(s, t, card)


def add_draw(s: State, t: Tables, card: int) -> None:
    """Add what a drawing card makes due, or double what is due already."""
    if t.doubling and s.due:
        s.due += s.due
    else:
        s.due += t.draw[card]


def everyone_else_draws(s: State, t: Tables, seat: int, n: int) -> None:
    """Every other seat in the round draws n, the next one first."""
    other = next_seat(s, seat)
    for _ in range(s.active_n - s.active[seat]):
        make_draw(s, t, other, n)
        other = next_seat(s, other)


def leave_turn(s: State, t: Tables, seat: int) -> None:
    """The turn ends after a card: what it made due is pending now, for whoever is on turn."""
    turn = next_seat(s, seat)
    if s.due_skips:
        if t.skip_answerable:
            s.skips = s.due_skips
        else:
            for _ in range(s.due_skips):
                note(s, SKIPPED, turn, 0)
                turn = next_seat(s, turn)
        s.due_skips = 0
    give_turn(s, turn)
    if s.due:
        s.penalty = s.due
        s.due = 0
        if t.answerable == 0:
            resolve_penalty(s, t)


def resolve_penalty(s: State, t: Tables) -> None:
    """A penalty that nobody may answer: the seat that faces it draws at once and loses its turn."""
    due = s.penalty
    s.penalty = 0
    s.chain = 0
    got = make_draw(s, t, s.turn, due)
    if got == 0:
        count_pass(s, t)
    if s.phase != OVER:
        pass_turn_on(s)
