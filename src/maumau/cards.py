"""Suits, ranks, cards and packs: their text and their numbers. Nothing here knows a rule.

A card is a number: ``rank * 4 + suit`` for the 52 suited cards, 52 for a joker. Text is rank then suit
(``9h``, ``Ts``, ``Js``); ``10s`` is read too. A joker is ``*``; an unknown card is ``None`` here and ``??`` in text.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Final

SUIT_LETTERS: Final = "cdhs"
SUIT_SYMBOLS: Final = "♣♦♥♠"
RANK_LETTERS: Final = "23456789TJQKA"
JOKER_TEXT: Final = "*"
UNKNOWN_TEXT: Final = "??"

SUITED_CARDS: Final = 52
CARD_KINDS: Final = 53
"""How many different cards there are: 52 suited ones and the joker."""


class Suit(IntEnum):
    """A French suit; the German suits Eichel, Schellen, Herz and Laub take the same four places."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def letter(self) -> str:
        """The letter of this suit in text: ``c``, ``d``, ``h`` or ``s``."""
        return SUIT_LETTERS[self]

    @property
    def symbol(self) -> str:
        """The symbol people see: ♣, ♦, ♥ or ♠."""
        return SUIT_SYMBOLS[self]

    @classmethod
    def parse(cls, text: str) -> Suit:
        """Read a suit letter; raises ValueError for anything else."""
        index = SUIT_LETTERS.find(text.lower()) if len(text) == 1 else -1
        if index < 0:
            raise ValueError(f"{text!r} is not a suit; a suit is one of c, d, h, s")
        return cls(index)


class Rank(IntEnum):
    """A rank from the two (0) to the ace (12)."""

    TWO = 0
    THREE = 1
    FOUR = 2
    FIVE = 3
    SIX = 4
    SEVEN = 5
    EIGHT = 6
    NINE = 7
    TEN = 8
    JACK = 9
    QUEEN = 10
    KING = 11
    ACE = 12

    @property
    def letter(self) -> str:
        """The letter of this rank in text, ``T`` for the ten."""
        return RANK_LETTERS[self]

    @classmethod
    def parse(cls, text: str) -> Rank:
        """Read a rank letter (``10`` counts as ``T``); raises ValueError for anything else."""
        letter = "T" if text == "10" else text.upper()
        index = RANK_LETTERS.find(letter) if len(letter) == 1 else -1
        if index < 0:
            raise ValueError(f"{text!r} is not a rank; a rank is one of {' '.join(RANK_LETTERS)}")
        return cls(index)


_SUITS: Final = tuple(Suit)
_RANKS: Final = tuple(Rank)


class Card(int):
    """One kind of card, as its number 0…52. Equal cards of two packs are the same Card; other numbers are a ValueError."""

    __slots__ = ()

    def __new__(cls, number: int) -> Card:
        """The card with this number."""
        if isinstance(number, bool) or not hasattr(number, "__index__") or not 0 <= number < CARD_KINDS:
            raise ValueError(
                f"{number!r} is no card; a card is a number from 0 to {CARD_KINDS - 1}, or Card.parse('9h')"
            )
        return super().__new__(cls, number)

    @property
    def is_joker(self) -> bool:
        """Whether this is a joker, which has neither rank nor suit."""
        return self == SUITED_CARDS

    @property
    def rank(self) -> Rank | None:
        """The rank, None for a joker."""
        return None if self == SUITED_CARDS else _RANKS[self >> 2]

    @property
    def suit(self) -> Suit | None:
        """The suit, None for a joker."""
        return None if self == SUITED_CARDS else _SUITS[self & 3]

    @property
    def label(self) -> str:
        """What people see, language apart: ``9♥``, ``10♠``, ``J♣``, ``★`` for a joker."""
        if self == SUITED_CARDS:
            return "★"
        letter = RANK_LETTERS[self >> 2]
        return ("10" if letter == "T" else letter) + SUIT_SYMBOLS[self & 3]

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read ``9h``, ``Ts``, ``10s`` or ``*``; raises ValueError that quotes the text."""
        card = _BY_TEXT.get(text[:-1].upper() + text[-1:].lower())
        if card is None:
            raise ValueError(
                f"{text!r} is not a card; a card is a rank and a suit such as 9h, Ts or Js, or * for a joker"
            )
        return card

    def __str__(self) -> str:
        return _TEXTS[self]

    def __repr__(self) -> str:
        return f"Card({_TEXTS[self]!r})"


_TEXTS: Final = (*tuple(RANK_LETTERS[n >> 2] + SUIT_LETTERS[n & 3] for n in range(SUITED_CARDS)), JOKER_TEXT)
CARDS: Final = tuple(Card(n) for n in range(CARD_KINDS))
"""Every kind of card, by its number."""
JOKER: Final = CARDS[SUITED_CARDS]
_BY_TEXT: Final = {text: CARDS[n] for n, text in enumerate(_TEXTS)} | {
    f"10{SUIT_LETTERS[suit]}": CARDS[Rank.TEN * 4 + suit] for suit in range(4)
}


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by spaces or commas; raises ValueError at the first that is none."""
    return tuple(Card.parse(word) for word in text.replace(",", " ").split())


def format_cards(cards: Iterable[Card | None]) -> str:
    """Cards as text separated by spaces, unknown ones as ``??``."""
    return " ".join(UNKNOWN_TEXT if card is None else str(card) for card in cards)


def pack_of(cards: int, packs: int = 1, jokers: int = 0) -> tuple[Card, ...]:
    """The multiset of cards on a table, sorted by number.

    ``cards`` is 32 (seven to ace), 36 (six to ace) or 52 (two to ace), ``packs`` how often each is there, ``jokers`` how
    many per pack.
    """
    lowest = {32: Rank.SEVEN, 36: Rank.SIX}.get(cards, Rank.TWO)
    suited = [CARDS[n] for n in range(lowest * 4, SUITED_CARDS) for _ in range(packs)]
    return tuple(suited) + (JOKER,) * (jokers * packs)
