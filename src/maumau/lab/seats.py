"""Whole rounds with a bot on each seat, in the kernel's manner: compiled by ``machine``, or run as they are.

``v`` is what the seat on turn may see, filled here from the state: the thumb bots read nothing else. ``r`` is a second
state of which only the generator is used: no bot's chance ever touches the shuffles. A bot is a row of weights
(``maumau.bots.thumb_rules``); a seat whose ``kinds`` entry is ``RANDOM`` plays at random and says nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from maumau.bots.sight import Sight
from maumau.bots.thumb_rules import (
    ID_CALL,
    ID_CALLED,
    ID_CATCH,
    ID_DRAW,
    ID_NAME,
    ID_PASS,
    ID_PER_CARD,
    ID_TAKE,
    ID_THROW,
    NO_ID,
    choose_id,
    shout_id,
)
from maumau.kernel.calls import may_call, may_catch
from maumau.kernel.chance import seed_chance, word
from maumau.kernel.deal import clear_round, deal
from maumau.kernel.layout import NAMING, NOBODY, OVER, PLAYING, State, Tables
from maumau.kernel.legal import may_draw, may_pass, playable, wishable
from maumau.kernel.step import call, catch, draw, name_suit, pass_turn, play, take, throw_in
from maumau.kernel.turns import next_seat
from maumau.lab.playouts import random_action, random_round

ALL_SUITS: Final = 15
RANDOM: Final = 0
THUMB: Final = 1
CHOICES: Final = 0x6D61756D
"""What tells the generator of the bots' chance from the generator of the round with the same seed."""
JOKERS: Final = 0x30000000000000
JOKER_BIT: Final = 0x10000000000000


def see(s: State, t: Tables, v: Sight, seat: int) -> None:
    """Fill in what the seat on turn sees."""
    v.hand0 = s.hand0[seat]
    v.hand1 = s.hand1[seat]
    if t.jokers and (v.hand0 | v.hand1) & JOKERS:
        see_jokers(v)
    v.hand_n = s.hand_n[seat]
    legal = playable(s, t)
    v.draws = 1 if may_draw(s, t, legal) else 0
    v.passes = 1 if (t.free_pass or v.draws == 0) and may_pass(s, t, legal) else 0
    if t.jokers and legal & JOKERS:
        legal = (legal | JOKERS) ^ (JOKERS ^ JOKER_BIT)
    v.legal = legal
    v.penalty = s.penalty
    v.naming = 1 if s.phase == NAMING else 0
    v.call_due = 1 if t.spoken and s.phase == PLAYING and v.hand_n <= 2 and legal else 0
    v.suits = wishable(s, t) if legal & t.wishes and v.hand_n > 1 else ALL_SUITS
    v.supply = s.stock_n + s.discard_n - 1
    v.others_n = 0
    other = next_seat(s, seat)
    while other != seat:
        v.ahead[v.others_n] = s.hand_n[other]
        v.others_n += 1
        other = next_seat(s, other)


def see_jokers(v: Sight) -> None:
    """Jokers are one card to everybody: put those held on the same bits, whichever they are."""
    jokers = 0
    for card in range(52, 54):
        jokers += v.hand0 >> card & 1
        jokers += v.hand1 >> card & 1
    v.hand0 &= ~JOKERS
    v.hand1 &= ~JOKERS
    v.hand0 |= JOKERS if jokers > 1 else JOKER_BIT
    if jokers > 2:
        v.hand1 |= JOKERS if jokers > 3 else JOKER_BIT


def do_action(s: State, t: Tables, action: int) -> None:
    """Do the action with this id, which must be legal."""
    if action < ID_DRAW:
        wish = action % ID_CALLED - 1
        play(s, t, action // ID_PER_CARD, wish, 1 if action % ID_PER_CARD >= ID_CALLED else 0)
    elif action == ID_DRAW:
        draw(s, t)
    elif action == ID_TAKE:
        take(s, t)
    elif action == ID_PASS:
        pass_turn(s, t)
    elif action < ID_CALL:
        name_suit(s, t, action - ID_NAME)
    elif action < ID_CATCH:
        call(s, t, action - ID_CALL)
    elif action < ID_THROW:
        catch(s, t, (action - ID_CATCH) // 8, (action - ID_CATCH) % 8)
    elif t.throw_in:
        throw = (action - ID_THROW) % ID_PER_CARD
        throw_in(s, t, (action - ID_THROW) // ID_PER_CARD, throw % ID_CALLED - 1, 1 if throw >= ID_CALLED else 0)


def seat_shout(s: State, t: Tables, r: State, seat: int, weights: Sequence[int]) -> int:
    """What a seat shouts now, as an action's id."""
    own = 1 if may_call(s, t, seat) else 0
    targets = 0
    for target in range(s.seats):
        if may_catch(s, t, seat, target):
            targets |= t.bit[target]
    if own == 0 and targets == 0:
        return NO_ID
    return shout_id(seat, own, targets, weights, word(r))


def shouts(s: State, t: Tables, r: State, kinds: Sequence[int], weights: Sequence[Sequence[int]]) -> int:
    """Ask every seat in seat order for a shout, anew after each; returns how many there were."""
    count = 0
    seat = 0
    while seat < s.seats and s.owing:
        shout = NO_ID if kinds[seat] == RANDOM else seat_shout(s, t, r, seat, weights[seat])
        seat += 1
        if shout != NO_ID:
            do_action(s, t, shout)
            count += 1
            seat = 0
    return count


def seat_acts(s: State, t: Tables, r: State, v: Sight, kinds: Sequence[int], weights: Sequence[Sequence[int]]) -> None:
    """The seat on turn does one action."""
    seat = s.turn
    if kinds[seat] == RANDOM:
        random_action(s, t, r)
        return
    see(s, t, v, seat)
    do_action(s, t, choose_id(v, t, weights[seat], word(r)))


def bots_round(
    s: State, t: Tables, r: State, v: Sight, kinds: Sequence[int], weights: Sequence[Sequence[int]], longest: int
) -> int:
    """Play a dealt round to its end; returns how many actions and shouts there were (at most about ``longest``)."""
    actions = 0
    while s.phase != OVER and actions < longest:
        seat_acts(s, t, r, v, kinds, weights)
        actions += 1
        if s.owing:
            actions += shouts(s, t, r, kinds, weights)
    return actions


def start_round(s: State, t: Tables, r: State, seats: int, seed: int, seed_high: int, number: int) -> None:
    """Deal round ``number`` of a seed: its own seed is the 128 bits of ``seed_high``, ``seed`` and ``number``."""
    low = number & 0xFFFFFFFF
    high = number >> 32
    clear_round(s, seats)
    seed_chance(s, seed_high, seed, high, low)
    seed_chance(r, seed_high ^ CHOICES, seed, high, low)
    deal(s, t, NOBODY)


def play_random(
    states: Sequence[State],
    tables: Sequence[Tables],
    seats: int,
    seed: int,
    seed_high: int,
    first: int,
    longest: int,
    winners: list[int],
    lengths: list[int],
    blocked: list[int],
) -> int:
    """Random rounds ``first``, ``first + 1`` … as many as the lists are long; returns the number of actions."""
    s = states[0]
    r = states[1]
    t = tables[0]
    total = 0
    for i in range(len(winners)):
        start_round(s, t, r, seats, seed, seed_high, first + i)
        length = random_round(s, t, r, longest)
        winners[i] = s.winner
        lengths[i] = length
        blocked[i] = s.blocked
        total += length
    return total


def play_bots(
    states: Sequence[State],
    tables: Sequence[Tables],
    sights: Sequence[Sight],
    kinds: Sequence[int],
    weights: Sequence[Sequence[int]],
    seats: int,
    seed: int,
    seed_high: int,
    first: int,
    longest: int,
    winners: list[int],
    lengths: list[int],
    blocked: list[int],
) -> int:
    """The same with a bot on each seat."""
    s = states[0]
    r = states[1]
    t = tables[0]
    v = sights[0]
    total = 0
    for i in range(len(winners)):
        start_round(s, t, r, seats, seed, seed_high, first + i)
        length = bots_round(s, t, r, v, kinds, weights, longest)
        winners[i] = s.winner
        lengths[i] = length
        blocked[i] = s.blocked
        total += length
    return total
