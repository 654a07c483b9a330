"""Rules of thumb as plain functions over integers, in the kernel's manner: run as they are by the bots, and compiled by
the laboratory. They read nothing but a Sight (what the seat may know), the tables of the rules, and weights.

No rank stands here. What a card is good for follows from the tables: what it makes others do, what may follow it, what it
costs at the end. Every legal choice gets a worth, the highest is taken; at equal worth the lowest card.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from maumau.bots.sight import CardTables, Sight
from maumau.kernel.bits import lowest, popcount

# Action ids (``maumau.game.action``).
ID_PER_CARD: Final = 10
ID_CALLED: Final = 5
ID_DRAW: Final = 530
ID_TAKE: Final = 531
ID_PASS: Final = 532
ID_NAME: Final = 533
ID_CALL: Final = 537
ID_CATCH: Final = 545
ID_THROW: Final = 609
NO_ID: Final = -1

WORD_BITS: Final = 0xFFFFFFFF
PRINTED_SUIT: Final = 0
KINDS_OF_DEMAND: Final = 6
POINTS_COUNT: Final = 0
"""The tables' ``count`` where a hand's points are what a round costs."""
ONE_OF_EACH: Final = 0x1111111111111
"""All thirteen ranks of the first suit."""

IN_LINE: Final = ("noise", "nearness", "held")
"""Put in line where compiled (``maumau.kernel.jit``)."""

# Weights by place; a bot is a row of them. Only their ratios matter.
MOBILE: Final = 0
"""For each card of the rest that could follow the card just played, up to three."""
STRANDED: Final = 1
"""Where nothing of the rest could follow."""
KEEP_WISH: Final = 2
"""For giving a wishing card away."""
HIT: Final = 3
"""For each card the next one must draw, the more the nearer it is to going out."""
KEEP_DRAW: Final = 4
"""For giving a drawing card away."""
AGAIN: Final = 5
"""For being on turn again, if something can follow."""
SKIP_NEAR: Final = 6
"""For each seat passed over, times how near it is to going out."""
KEEP_SKIP: Final = 7
"""For giving a card away that skips or turns."""
OTHERS: Final = 8
"""For each card that the others must draw."""
POINTS: Final = 9
"""For each point shed, times how near somebody is to going out."""
FORBIDDEN: Final = 10
"""For keeping nothing that may be the last card."""
DRAW_INSTEAD: Final = 11
"""For drawing although something could be played."""
KEEP_DRAWN: Final = 12
"""For passing with a card drawn that could be played."""
TAKE_EACH: Final = 13
"""For each card of a penalty taken."""
SUIT_HELD: Final = 14
"""For each card held of the suit that is wished."""
NOISE: Final = 15
"""How far chance moves the worth of a choice."""
SCARCE_NOISE: Final = 16
"""The same where there are fewer cards to draw than others at the table: bots of one mind could else go round for ever."""
FORGET: Final = 17
"""In how many of 256 cases a call is forgotten."""
MISS: Final = 18
"""In how many of 256 cases a catch is missed."""
EQUAL: Final = 19
"""For giving away cards that go together in one turn, for each that would go along: at the end they leave at once."""
PASS_INSTEAD: Final = 20
"""For passing with the last card where one could be drawn."""
WEIGHTS: Final = 21

NORMAL: Final = (42, -53, -278, 26, -106, 100, 200, -20, 437, 3, -600, -357, -385, -191, 10, 0, 2500, 0, 0, -80, -340)
"""Found by letting rows of weights play each other under all books and several house rules, two to six seats."""
EASY: Final = (2, 0, -6, 1, 0, 6, 2, 0, 4, 0, -30, -40, -40, -30, 6, 16, 250, 64, 128, 0, -45)


def noise(dice: int, salt: int, width: int) -> int:
    """A number below ``width`` from a roll of the dice; another salt gives another one."""
    if width == 0:
        return 0
    mixed = (dice ^ (salt * 0x9E3779B + 0x7F4A7C15)) & WORD_BITS
    mixed = (mixed * 0x2C1B3C6D) & WORD_BITS
    mixed = ((mixed ^ (mixed >> 15)) * 0x297A2D39) & WORD_BITS
    mixed = mixed ^ (mixed >> 16)
    return (mixed * width) >> 32


def nearness(cards: int) -> int:
    """How near a seat with so many cards is to going out: 6 with one card, 3 with two, 1 with three, else 0."""
    if cards <= 1:
        return 6
    if cards == 2:
        return 3
    return 1 if cards == 3 else 0


def nearest(v: Sight) -> int:
    """How near the nearest of the others is."""
    least = 99
    for i in range(v.others_n):
        least = min(least, v.ahead[i])
    return nearness(least)


def held(hand0: int, hand1: int, mask: int) -> int:
    """How many cards of a mask a hand holds, those held twice counted twice."""
    return popcount(hand0 & mask) + popcount(hand1 & mask)


def favourite_suit(t: CardTables, w: Sequence[int], hand0: int, hand1: int, suits: int, dice: int) -> int:
    """Of the suits that may be named the one of which the hand holds most, cards that wish themselves counted last."""
    best = 0
    best_worth = -1
    for suit in range(4):
        of_suit = ONE_OF_EACH << suit
        worth = held(hand0, hand1, of_suit & ~t.wishes) * w[SUIT_HELD] * 2 + held(hand0, hand1, of_suit)
        worth += noise(dice, 60 + suit, w[NOISE])
        if worth > best_worth and suits >> suit & 1:
            best = suit
            best_worth = worth
    return best


def turn_worth(v: Sight, t: CardTables, w: Sequence[int], card: int, can_follow: int) -> int:
    """What the turn that a card makes is worth: who is skipped, who is next, what it must draw."""
    skips = t.skip[card]
    backwards = 0
    if t.reverse[card]:
        if v.others_n > 1:
            backwards = 1
        else:
            skips += t.reverse_skips
    if skips > v.others_n:
        skips = v.others_n
    worth = 0
    if skips or backwards:
        worth += w[KEEP_SKIP]
    for i in range(skips):
        worth += w[SKIP_NEAR] * nearness(v.ahead[i])
    if skips == v.others_n:
        return worth + (w[AGAIN] if can_follow else 0)
    if backwards:
        worth += w[SKIP_NEAR] * nearness(v.ahead[0])
    if t.draw[card]:
        near = nearness(v.ahead[v.others_n - 1 - skips if backwards else skips])
        worth += w[KEEP_DRAW] + w[HIT] * min(t.draw[card], v.supply + 1) * (1 + near)
    return worth


def play_worth(v: Sight, t: CardTables, w: Sequence[int], card: int, dice: int) -> int:
    """What playing a card is worth."""
    bit = t.bit[card]
    if v.hand1 & bit:
        hand0 = v.hand0
        hand1 = v.hand1 ^ bit
    else:
        hand0 = v.hand0 ^ bit
        hand1 = v.hand1
    demand = PRINTED_SUIT
    worth = noise(dice, card, w[NOISE] if v.supply >= v.others_n else w[SCARCE_NOISE])
    if t.wishes & bit:
        demand = 1 + favourite_suit(t, w, hand0, hand1, v.suits, dice)
        worth += w[KEEP_WISH]
    following = hand0 & t.follow[card * KINDS_OF_DEMAND + demand]
    followers = held(hand0, hand1, following & ~t.wishes)
    worth += w[MOBILE] * min(followers, 3)
    if following == 0:
        worth += w[STRANDED]
    if hand0 & t.last_allowed == 0:
        worth += w[FORBIDDEN]
    if t.count == POINTS_COUNT:
        worth += w[POINTS] * t.points[card] * nearest(v)
    if t.several:
        worth += w[EQUAL] * held(hand0, hand1, t.equals[card])
    worth += w[OTHERS] * min(t.others[card] * v.others_n, v.supply + 1)
    return worth + turn_worth(v, t, w, card, following)


def choose_play(v: Sight, t: CardTables, w: Sequence[int], card: int, dice: int) -> int:
    """The action that plays a card: with the suit it names, and with the call that is due unless it is forgotten."""
    action = card * ID_PER_CARD
    bit = t.bit[card]
    if t.wishes & bit and v.hand_n > 1:
        hand1 = v.hand1 & ~bit
        hand0 = v.hand0 if v.hand1 & bit else v.hand0 ^ bit
        action += 1 + favourite_suit(t, w, hand0, hand1, v.suits, dice)
    if v.call_due and noise(dice, 70, 256) >= w[FORGET]:
        action += ID_CALLED
    return action


def least_of_equals(v: Sight, t: CardTables, w: Sequence[int], card: int, dice: int) -> int:
    """Of the cards that go along with the best one in the same turn the least: the best of them lies on top at last."""
    found = card
    least = play_worth(v, t, w, card, dice)
    cards = v.legal & t.equals[card]
    while cards:
        other = lowest(cards)
        cards &= cards - 1
        worth = play_worth(v, t, w, other, dice)
        if worth < least:
            found = other
            least = worth
    return found


def choose_id(v: Sight, t: CardTables, w: Sequence[int], dice: int) -> int:
    """The action of the seat on turn, as its id. ``dice`` is 32 random bits, used only as far as the weights say."""
    if v.naming:
        return ID_NAME + favourite_suit(t, w, v.hand0, v.hand1, v.suits, dice)
    if v.penalty > 0:
        best = ID_TAKE
        best_worth = w[TAKE_EACH] * v.penalty
    elif v.draws:
        best = ID_DRAW
        best_worth = w[DRAW_INSTEAD]
        if v.passes and v.hand_n == 1 and w[PASS_INSTEAD] > best_worth:
            best = ID_PASS
            best_worth = w[PASS_INSTEAD]
    else:
        best = ID_PASS
        best_worth = w[KEEP_DRAWN]
    if v.legal == 0:
        return best
    if v.hand_n == 1:
        return choose_play(v, t, w, lowest(v.legal), dice)
    best_card = -1
    if v.penalty == 0 and v.draws == 0 and v.passes == 0:
        best_worth = -1000000
    cards = v.legal
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        worth = play_worth(v, t, w, card, dice)
        if worth > best_worth or (worth == best_worth and best_card < 0):
            best_card = card
            best_worth = worth
    if best_card < 0:
        return best
    if t.several:
        best_card = least_of_equals(v, t, w, best_card, dice)
    return choose_play(v, t, w, best_card, dice)


def shout_id(seat: int, may_call: int, targets: int, w: Sequence[int], dice: int) -> int:
    """What a seat shouts: its own late call, or a catch of the first seat in the mask ``targets``; else ``NO_ID``."""
    if may_call and noise(dice, 71, 256) >= w[FORGET] * 3:
        return ID_CALL + seat
    if targets and noise(dice, 72, 256) >= w[MISS]:
        return ID_CATCH + seat * 8 + lowest(targets)
    return NO_ID
