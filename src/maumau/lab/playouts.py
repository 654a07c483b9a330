"""Whole rounds at full speed, in the kernel's manner: compiled by ``maumau.lab.machine``, or run as they are.

``r`` is a second state of which only the generator is used: the choices of random players never touch the shuffles.
"""

from __future__ import annotations

from typing import Final

from maumau.kernel.bits import nth, popcount
from maumau.kernel.chance import below
from maumau.kernel.layout import NAMING, NOBODY, OVER, WAITING, State, Tables
from maumau.kernel.legal import may_draw, may_pass, playable, wishable
from maumau.kernel.step import draw, name_suit, pass_turn, play, take

IN_LINE: Final = ("random_action",)
"""Put in line where compiled (``maumau.kernel.jit``)."""


def random_special(s: State, t: Tables, r: State) -> None:
    """The choices that are no ordinary turn: naming a suit, letting a last card stand."""
    if s.phase == NAMING:
        name_suit(s, t, below(r, 4))
    else:
        pass_turn(s, t)


def random_action(s: State, t: Tables, r: State) -> None:
    """One action of the seat on turn, each legal one equally likely (a card that wishes counts once for each suit)."""
    if s.phase == NAMING or s.phase == WAITING:
        random_special(s, t, r)
        return
    mask = playable(s, t)
    cards = popcount(mask)
    wishing = mask & t.wishes
    if s.hand_n[s.turn] == 1:
        wishing = 0
    suits = 15
    if t.wish_other and wishing:
        suits = wishable(s, t)
    others = popcount(suits) - 1
    plays = cards + others * popcount(wishing)
    pending = s.penalty > 0
    drawing = may_draw(s, t, mask)
    choices = plays + (1 if pending or drawing or may_pass(s, t, mask) else 0)
    if t.free_pass and drawing and may_pass(s, t, mask):
        choices += 1
    choice = below(r, choices)
    if choice >= plays:
        if pending:
            take(s, t)
        elif drawing and choice == plays:
            draw(s, t)
        else:
            pass_turn(s, t)
        return
    if choice < cards:
        card = nth(mask, choice)
        wish = nth(suits, others) if wishing & t.bit[card] else NOBODY
    else:
        card = nth(wishing, (choice - cards) // others)
        wish = nth(suits, (choice - cards) % others)
    play(s, t, card, wish, 0)


def random_round(s: State, t: Tables, r: State, longest: int) -> int:
    """Play a dealt round to its end with random actions; returns how many there were (at most ``longest``)."""
    actions = 0
    while s.phase != OVER and actions < longest:
        random_action(s, t, r)
        actions += 1
    return actions
