"""What a seat can do, as text and as a dense number that is the same under every ruleset.

``9h`` play, ``Js=c`` play and wish clubs, ``9h!`` play and say what is due, ``+`` draw, ``+4`` take the penalty of four,
``-`` pass, ``=h`` the dealer names hearts; ``2!`` seat 2 calls late, ``1?0`` seat 1 catches seat 0, and where identical cards
may be thrown in out of turn ``2:9h`` seat 2 throws in the nine of hearts.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, Literal

from maumau.cards import CARD_KINDS, CARDS, SUIT_LETTERS, Card, Suit

Kind = Literal["play", "draw", "take", "pass", "name", "call", "catch", "throw"]

SEATS: Final = 8
_PER_CARD: Final = 10
_DRAW: Final = CARD_KINDS * _PER_CARD
_TAKE: Final = _DRAW + 1
_PASS: Final = _DRAW + 2
_NAME: Final = _DRAW + 3
_CALL: Final = _NAME + 4
_CATCH: Final = _CALL + SEATS
_THROW: Final = _CATCH + SEATS * SEATS
ACTIONS: Final = _THROW + SEATS * _PER_CARD
"""How many actions there are; their ids run from 0 to one less."""

_PLAY_TEXT: Final = re.compile(r"(10[cdhs]|[2-9TJQKA][cdhs]|\*)(?:=([cdhs]))?(!)?", re.IGNORECASE)
_CATCH_TEXT: Final = re.compile(r"([0-7])\?([0-7])")
_THROW_TEXT: Final = re.compile(r"([0-7]):(?:10[cdhs]|[2-9TJQKA][cdhs]|\*)?(?:=([cdhs]))?(!)?", re.IGNORECASE)
TAKE_TEXT: Final = "+n"
"""A take as text where no position says how many cards it is."""


class Action(int):
    """One action, as its id. Make it with ``parse`` or the functions named after the kinds."""

    __slots__ = ()

    @classmethod
    def from_id(cls, number: int) -> Action:
        """The action with this id; raises ValueError outside 0…688."""
        if not 0 <= number < ACTIONS:
            raise ValueError(f"{number} is no action id; ids run from 0 to {ACTIONS - 1}")
        return _ALL[number]

    @classmethod
    def play(cls, card: Card, wish: Suit | int | None = None, called: bool = False) -> Action:
        """Lay a card, with the suit it names and the call that is due."""
        return _ALL[card * _PER_CARD + (5 if called else 0) + (0 if wish is None else 1 + wish)]

    @classmethod
    def name(cls, suit: Suit | int) -> Action:
        """The dealer names the suit of the starter."""
        return _ALL[_NAME + suit]

    @classmethod
    def call(cls, seat: int) -> Action:
        """A seat says late what it owes."""
        return _ALL[_CALL + seat]

    @classmethod
    def catch(cls, seat: int, target: int) -> Action:
        """A seat catches another that forgot its call."""
        return _ALL[_CATCH + seat * SEATS + target]

    @classmethod
    def throw(cls, seat: int, wish: Suit | int | None = None, called: bool = False) -> Action:
        """A seat throws in, out of turn, the very card that lies on top."""
        return _ALL[_THROW + seat * _PER_CARD + (5 if called else 0) + (0 if wish is None else 1 + wish)]

    @classmethod
    def parse(cls, text: str) -> Action:
        """Read an action; raises ValueError that quotes the text.

        A take's number and the card thrown in follow from the position and are not part of the action.
        """
        return _ALL[_parse(text)]

    @property
    def id(self) -> int:
        """The dense id."""
        return int(self)

    @property
    def kind(self) -> Kind:
        """What sort of action this is."""
        if self < _DRAW:
            return "play"
        if self < _CALL:
            return _TURN_KINDS[self - _DRAW] if self < _NAME else "name"
        if self < _THROW:
            return "call" if self < _CATCH else "catch"
        return "throw"

    @property
    def card(self) -> Card | None:
        """The card of a play."""
        return CARDS[self // _PER_CARD] if self < _DRAW else None

    @property
    def wish(self) -> Suit | None:
        """The suit that a play or the dealer names."""
        if self < _DRAW or self >= _THROW:
            wish = (self - (0 if self < _DRAW else _THROW)) % 5
            return Suit(wish - 1) if wish else None
        return Suit(self - _NAME) if _NAME <= self < _CALL else None

    @property
    def called(self) -> bool:
        """Whether a play says the call that is due."""
        return (self < _DRAW and self % _PER_CARD >= 5) or (self >= _THROW and (self - _THROW) % _PER_CARD >= 5)

    @property
    def seat(self) -> int | None:
        """The seat that shouts or throws in."""
        if self < _CALL:
            return None
        if self >= _THROW:
            return (self - _THROW) // _PER_CARD
        return self - _CALL if self < _CATCH else (self - _CATCH) // SEATS

    @property
    def target(self) -> int | None:
        """The seat that is caught."""
        return (self - _CATCH) % SEATS if _CATCH <= self < _THROW else None

    @property
    def without_call(self) -> Action:
        """The same play without the call; any other action as it is."""
        return _ALL[self - 5] if self.called else self

    @property
    def with_call(self) -> Action:
        """The same play with the call; any other action as it is."""
        return _ALL[self + 5] if (self < _DRAW or self >= _THROW) and not self.called else self

    def __str__(self) -> str:
        return _text(self)

    def __repr__(self) -> str:
        return f"Action({_text(self)!r})"


_TURN_KINDS: Final[tuple[Kind, ...]] = ("draw", "take", "pass")
_ALL: Final = tuple(Action(number) for number in range(ACTIONS))
DRAW: Final = _ALL[_DRAW]
TAKE: Final = _ALL[_TAKE]
PASS: Final = _ALL[_PASS]
_FIXED: Final = {"+": _DRAW, TAKE_TEXT: _TAKE, "-": _PASS}


@cache
def _text(action: Action) -> str:
    if action < _DRAW:
        wish = action % 5
        suit = f"={SUIT_LETTERS[wish - 1]}" if wish else ""
        return f"{CARDS[action // _PER_CARD]}{suit}{'!' if action.called else ''}"
    if action < _NAME:
        return ("+", TAKE_TEXT, "-")[action - _DRAW]
    if action < _CALL:
        return f"={SUIT_LETTERS[action - _NAME]}"
    if action < _CATCH:
        return f"{action - _CALL}!"
    if action < _THROW:
        return f"{action.seat}?{action.target}"
    named = action.wish
    return f"{action.seat}:{'' if named is None else f'={named.letter}'}{'!' if action.called else ''}"


def _parse(text: str) -> int:
    if text in _FIXED:
        return _FIXED[text]
    play = _PLAY_TEXT.fullmatch(text)
    if play:
        wish = SUIT_LETTERS.index(play[2].lower()) + 1 if play[2] else 0
        return Card.parse(play[1]) * _PER_CARD + wish + (5 if play[3] else 0)
    if taken(text) is not None:
        return _TAKE
    if len(text) == 2 and text[0] == "=" and text[1].lower() in SUIT_LETTERS:
        return _NAME + SUIT_LETTERS.index(text[1].lower())
    if len(text) == 2 and text[1] == "!" and text[0] in "01234567":
        return _CALL + int(text[0])
    catch = _CATCH_TEXT.fullmatch(text)
    if catch:
        return _CATCH + int(catch[1]) * SEATS + int(catch[2])
    throw = _THROW_TEXT.fullmatch(text)
    if throw:
        wish = SUIT_LETTERS.index(throw[2].lower()) + 1 if throw[2] else 0
        return _THROW + int(throw[1]) * _PER_CARD + wish + (5 if throw[3] else 0)
    raise ValueError(
        f"{text[:40]!r} is not an action; write 9h to play, Js=c to play and wish, 9h! to play and call, "
        "+ to draw, +2 to take a penalty, - to pass, =h to name a suit, 2! to call late, 1?0 to catch"
    )


def thrown(text: str) -> Card | None:
    """The card that a throw's text names (``2:9h``), None where it names none."""
    name = text.partition(":")[2].rstrip("!").partition("=")[0]
    return Card.parse(name) if name else None


def taken(text: str) -> int | None:
    """How many cards a take's text names (``+4``), None where it is no such text."""
    number = text[1:]
    return int(number) if text[:1] == "+" and number.isascii() and number.isdigit() and len(number) < 4 else None
