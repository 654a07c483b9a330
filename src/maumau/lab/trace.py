"""Fingerprints and counts that prove both ways of running the kernel equal, in the kernel's manner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from maumau.bots.sight import Sight
from maumau.bots.thumb_rules import ID_DRAW, ID_NAME, ID_PASS, ID_PER_CARD, ID_TAKE
from maumau.kernel.bits import lowest
from maumau.kernel.chance import WORD
from maumau.kernel.layout import NAMING, OVER, PACK, SEATS, WAITING, State, Tables
from maumau.kernel.legal import may_draw, may_pass, may_wish, playable
from maumau.lab.seats import JOKER_BIT, JOKERS, do_action, seat_acts, shouts, start_round

IN_LINE: Final = ("mix",)
"""Put in line where compiled (``maumau.kernel.jit``)."""


def mix(print_: int, value: int) -> int:
    """A fingerprint with one more number in it."""
    print_ = ((print_ ^ (value & WORD)) * 0x01000193) & WORD
    return ((print_ ^ (value >> 32 & WORD)) * 0x01000193) & WORD


def state_print(s: State, print_: int) -> int:
    """A fingerprint with every field of a state in it, the generator too."""
    for seat in range(SEATS):
        print_ = mix(print_, s.hand0[seat])
        print_ = mix(print_, s.hand1[seat])
        print_ = mix(print_, s.hand_n[seat] * 2 + s.active[seat])
        print_ = mix(print_, s.rest[seat])
    for i in range(s.stock_n):
        print_ = mix(print_, s.stock[i])
    for i in range(s.discard_n):
        print_ = mix(print_, s.discard[i])
    for i in range(s.places_n):
        print_ = mix(print_, s.places[i])
    print_ = mix(mix(mix(mix(print_, s.stock_n), s.discard_n), s.places_n), s.active_n)
    print_ = mix(mix(mix(mix(print_, s.phase), s.turn), s.direction), s.dealer)
    print_ = mix(mix(mix(mix(print_, s.top), s.demand), s.penalty), s.chain)
    print_ = mix(mix(mix(mix(print_, s.drew), s.drawn), s.passes), s.owing)
    print_ = mix(mix(mix(mix(print_, s.late), s.laid), s.winner), s.seats)
    print_ = mix(mix(mix(mix(print_, s.due), s.skips), s.due_skips), s.extra)
    print_ = mix(mix(mix(mix(print_, s.fresh), s.called), s.fined), s.hanging)
    print_ = mix(mix(mix(print_, s.closed_with), s.blocked), s.reshuffled)
    return mix(mix(mix(mix(print_, s.rng_a), s.rng_b), s.rng_c), s.rng_d)


def trace_rounds(
    states: Sequence[State],
    tables: Sequence[Tables],
    sights: Sequence[Sight],
    kinds: Sequence[int],
    weights: Sequence[Sequence[int]],
    seats: int,
    seed: int,
    seed_high: int,
    longest: int,
    prints: list[int],
    lengths: list[int],
) -> int:
    """Play as many rounds as ``prints`` is long and keep a fingerprint of all states of each."""
    s = states[0]
    r = states[1]
    t = tables[0]
    v = sights[0]
    total = 0
    for i in range(len(prints)):
        start_round(s, t, r, seats, seed, seed_high, i)
        print_ = state_print(s, 0)
        actions = 0
        while s.phase != OVER and actions < longest:
            seat_acts(s, t, r, v, kinds, weights)
            print_ = state_print(s, print_)
            actions += 1 + shouts(s, t, r, kinds, weights)
            print_ = state_print(s, print_)
        prints[i] = print_
        lengths[i] = actions
        total += actions
    return total


def copy_into(source: State, target: State) -> None:
    """Make one state equal to another."""
    for seat in range(SEATS):
        target.hand0[seat] = source.hand0[seat]
        target.hand1[seat] = source.hand1[seat]
        target.hand_n[seat] = source.hand_n[seat]
        target.active[seat] = source.active[seat]
        target.places[seat] = source.places[seat]
        target.rest[seat] = source.rest[seat]
    for i in range(PACK):
        target.stock[i] = source.stock[i]
        target.discard[i] = source.discard[i]
    target.seats = source.seats
    target.active_n = source.active_n
    target.places_n = source.places_n
    target.stock_n = source.stock_n
    target.discard_n = source.discard_n
    target.phase = source.phase
    target.turn = source.turn
    target.direction = source.direction
    target.dealer = source.dealer
    target.top = source.top
    target.demand = source.demand
    target.penalty = source.penalty
    target.chain = source.chain
    target.drew = source.drew
    target.drawn = source.drawn
    target.passes = source.passes
    target.owing = source.owing
    target.late = source.late
    target.laid = source.laid
    target.winner = source.winner
    target.due = source.due
    target.skips = source.skips
    target.due_skips = source.due_skips
    target.extra = source.extra
    target.fresh = source.fresh
    target.called = source.called
    target.fined = source.fined
    target.hanging = source.hanging
    target.closed_with = source.closed_with
    target.blocked = source.blocked
    target.reshuffled = source.reshuffled
    target.rng_a = source.rng_a
    target.rng_b = source.rng_b
    target.rng_c = source.rng_c
    target.rng_d = source.rng_d


def list_plays(s: State, t: Tables, cards: int, ids: list[int]) -> int:
    """Write down the ids of the plays of a mask of cards; returns how many there are."""
    n = 0
    if cards & JOKERS:
        cards = (cards | JOKERS) ^ (JOKERS ^ JOKER_BIT)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if t.wishes & t.bit[card] == 0 or s.hand_n[s.turn] == 1:
            ids[n] = card * ID_PER_CARD
            n += 1
            continue
        for suit in range(4):
            if may_wish(s, t, suit):
                ids[n] = card * ID_PER_CARD + 1 + suit
                n += 1
    return n


def list_actions(s: State, t: Tables, ids: list[int]) -> int:
    """Write down the ids of the legal actions, plays without the call; returns how many there are."""
    if s.phase == NAMING:
        for suit in range(4):
            ids[suit] = ID_NAME + suit
        return 4
    if s.phase == WAITING:
        ids[0] = ID_PASS
        return 1
    mask = playable(s, t)
    n = list_plays(s, t, mask, ids)
    if s.penalty > 0:
        ids[n] = ID_TAKE
        n += 1
    elif may_draw(s, t, mask):
        ids[n] = ID_DRAW
        n += 1
    if may_pass(s, t, mask):
        ids[n] = ID_PASS
        n += 1
    return n


def perft(
    states: Sequence[State],
    tables: Sequence[Tables],
    ids: Sequence[list[int]],
    counts: list[int],
    at: list[int],
    seats: int,
    seed: int,
    depth: int,
) -> int:
    """How many ways there are to do ``depth`` actions from the deal of a seed. There is a state for each level."""
    t = tables[0]
    start_round(states[0], t, states[depth + 1], seats, seed, 0, 0)
    level = 0
    total = 0
    counts[0] = list_actions(states[0], t, ids[0])
    at[0] = 0
    while level >= 0:
        if at[level] == counts[level]:
            level -= 1
            continue
        s = states[level + 1]
        copy_into(states[level], s)
        do_action(s, t, ids[level][at[level]])
        at[level] += 1
        if level + 1 == depth:
            total += 1
        elif s.phase != OVER:
            level += 1
            counts[level] = list_actions(s, t, ids[level])
            at[level] = 0
    return total


def replay_rounds(
    states: Sequence[State],
    tables: Sequence[Tables],
    ends: Sequence[int],
    actions: Sequence[int],
    listed: list[int],
    prints: list[int],
) -> int:
    """Do given actions on given states: those of round ``k`` run from ``ends[k - 1]`` to before ``ends[k]``.

    ``prints`` gets a fingerprint of the state and of what is legal in it after each action; ``listed`` is room for ids.
    """
    at = 0
    for k in range(len(ends)):
        s = states[k]
        t = tables[k]
        while at < ends[k]:
            do_action(s, t, actions[at])
            print_ = state_print(s, 0)
            if s.phase != OVER:
                for i in range(list_actions(s, t, listed)):
                    print_ = mix(print_, listed[i])
            prints[at] = print_
            at += 1
    return at
