"""Kernel hands as cards."""

from __future__ import annotations

from maumau.cards import CARDS, JOKER, SUITED_CARDS, Card
from maumau.kernel.bits import lowest
from maumau.kernel.layout import State

_JOKER_BITS = (1 << SUITED_CARDS) | (1 << (SUITED_CARDS + 1))


def face(number: int) -> Card:
    """The card that a kernel number 0…53 stands for."""
    return CARDS[number] if number < SUITED_CARDS else JOKER


def cards_of(mask: int) -> list[Card]:
    """The cards of a mask, sorted; a joker stands once for each of its bits."""
    cards: list[Card] = []
    while mask:
        cards.append(face(lowest(mask)))
        mask &= mask - 1
    return cards


def kinds_of(mask: int) -> list[Card]:
    """The cards of a mask, sorted, each kind once."""
    if mask & _JOKER_BITS == _JOKER_BITS:
        mask &= ~(1 << (SUITED_CARDS + 1))
    return cards_of(mask)


def hand_of(s: State, seat: int) -> tuple[Card, ...]:
    """The cards a seat holds, sorted."""
    cards = cards_of(s.hand0[seat])
    if s.hand1[seat]:
        cards = sorted(cards + cards_of(s.hand1[seat]))
    return tuple(cards)


def holds(mask: int, card: Card) -> bool:
    """Whether a mask holds a card."""
    return bool(mask & (_JOKER_BITS if card == JOKER else 1 << card))
