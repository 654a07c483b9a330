"""What cards, ranks and suits are called, bent as the sentence needs it; all forms stand in the catalogues."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from maumau.cards import JOKER, JOKER_TEXT, SUIT_LETTERS, UNKNOWN_TEXT, Card, Suit
from maumau.ruleset.keys import JOKER_NAME
from maumau.ruleset.words.catalogue import WORDS, say

CASES: Final = {"nom": "card", "acc": "card_acc", "dat": "card_dat", "plain": "card_plain"}
_THING_FORMS: Final = ("a", "a_acc", "a_dat", "the", "the_acc", "the_dat")
_CARD_FORMS: Final = ("card", "card_acc", "card_dat")
_RIGHT_TO_LEFT: Final = {"R", "AL", "RLE", "RLO", "RLI"}
_ISOLATE, _POP_ISOLATE = "\u2068", "\u2069"


_INNER: Final[Mapping[str, Mapping[int, int]]] = {
    "de": str.maketrans("„“", "‚‘"),
    "en": str.maketrans("“”", "‘’"),
}


def quoted(lang: str, text: object) -> str:
    """A text in quotation marks, those within it turned into single ones."""
    return say(lang, "error.quoted", text=str(text).translate(_INNER.get(lang, {})))


@lru_cache(maxsize=1024)
def suit_name(lang: str, suit: Suit | int | str) -> str:
    """A suit by name: ``Kreuz``, ``clubs``."""
    letter = suit if isinstance(suit, str) else SUIT_LETTERS[suit]
    return say(lang, f"suit.{letter}")


@lru_cache(maxsize=1024)
def card_name(lang: str, card: Card | str | None, case: str = "nom") -> str:
    """A card by name: ``die Pik-Sieben``, in ``acc`` ``den Pik-Buben``, ``plain`` ``Pik Bube``; unknown: ``eine Karte``."""
    text = card_text(card)
    if text == UNKNOWN_TEXT:
        return say(lang, "count.cards", n=1)
    rank, suit = _rank_and_suit(text)
    return say(lang, f"rank.{rank}.{CASES[case]}", suit=suit and suit_name(lang, suit))


@lru_cache(maxsize=1024)
def card_label(lang: str, card: Card | str | None) -> str:
    """A card in a few characters: ``9♥``, in German ``B♥`` for the Jack; ``★`` for a joker."""
    text = card_text(card)
    if text == UNKNOWN_TEXT:
        return UNKNOWN_TEXT
    rank, suit = _rank_and_suit(text)
    return say(lang, f"rank.{rank}.short") + (Suit.parse(suit).symbol if suit else "")


def rank_name(lang: str, rank: str, form: str = "plain") -> str:
    """A rank (or ``joker``) by name: ``plain`` ``Bube``, ``short`` ``B``, ``a_acc`` ``einen Buben``, ``the`` ``der Bube``."""
    return say(lang, f"rank.{rank}.{form}")


@lru_cache(maxsize=512)
def thing_slots(lang: str, thing: str, prefix: str = "") -> Mapping[str, str]:
    """Slots for a rank letter, a card or ``joker`` that a rule names: ``a``, ``a_acc``, ``a_dat``, ``the`` …, ``rank``.

    One card is always definite: “der Herz-König” fills both ``a`` and ``the``.
    """
    if len(thing) == 2:
        forms = {
            form: card_name(lang, thing, case)
            for form, case in zip(_THING_FORMS, ("nom", "acc", "dat") * 2, strict=True)
        }
        plain = card_name(lang, thing, "plain")
    else:
        forms = {form: rank_name(lang, thing, form) for form in _THING_FORMS}
        plain = rank_name(lang, thing)
    return {prefix + form: text for form, text in forms.items()} | {prefix + "rank": plain}


@lru_cache(maxsize=512)
def card_slots(lang: str, card: Card | str | None, prefix: str = "card") -> Mapping[str, str]:
    """Slots for a card on the table: ``card``, ``card_acc``, ``card_dat`` and those of its rank: ``card_a`` …"""
    text = card_text(card)
    if text == UNKNOWN_TEXT:
        return {}
    cases = zip(_CARD_FORMS, ("nom", "acc", "dat"), strict=True)
    forms = {prefix + form.removeprefix("card"): card_name(lang, text, case) for form, case in cases}
    rank, _ = _rank_and_suit(text)
    return forms | {f"{prefix}_{form}": rank_name(lang, rank, form) for form in ("a", "a_acc", "a_dat", "plain")}


def card_text(card: Card | str | int | None) -> str:
    """The text of a card given as a card, a number or text; ``??`` for an unknown one."""
    if card is None:
        return UNKNOWN_TEXT
    return str(card) if isinstance(card, (Card, str)) else str(Card.parse(str(card)))


def _rank_and_suit(text: str) -> tuple[str, str]:
    if text in (JOKER_TEXT, JOKER_NAME):
        return JOKER_NAME, ""
    return text[:-1], text[-1]


def thing_of(card: Card) -> str:
    """The name under which the rules know a card's rank: its letter, or ``joker``."""
    return JOKER_NAME if card == JOKER else str(card)[0]


def call_word(lang: str, word: str, final: bool = False) -> str:
    """What is called with one card left, or (``final``) with the last one, bare: ``Mau``, ``Letzte Karte``, ``Klopfen``."""
    key = "call.maumau" if final else "call.mau"
    return say(lang, f"{key}_{word}" if WORDS.has(f"{key}_{word}") else key)


@lru_cache(maxsize=8)
def call_slots(lang: str, word: str) -> Mapping[str, str]:
    """Slots for what is called at a table: ``mau`` and ``maumau`` after an article or alone, ``…_acc`` as an object."""
    slots: dict[str, str] = {}
    for name, final in (("mau", False), ("maumau", True)):
        bare = call_word(lang, word, final)
        noun = WORDS.has(f"call.{name}_{word}_acc")
        slots[name] = bare if noun else say(lang, "call.quoted", word=bare)
        slots[f"{name}_acc"] = say(lang, f"call.{name}_{word}_acc") if noun else slots[name]
    return slots


def say_call(lang: str, word: str, key: str, /, **slots: object) -> str:
    """A text about the calls, in the version for the table's word where there is one."""
    own = f"{key}_{word}"
    return say(lang, own if WORDS.has(own) else key, **{**call_slots(lang, word), **slots})


def join(lang: str, items: Sequence[str], word: str = "and") -> str:
    """A list as it is spoken: “A, B und C”; ``word`` is ``and`` or ``or``."""
    if len(items) < 2:
        return "".join(items)
    first = items[0]
    for item in items[1:-1]:
        first = say(lang, "list.comma", first=first, last=item)
    return say(lang, f"list.{word}", first=first, last=items[-1])


def isolate(name: str) -> str:
    """A player's name that cannot turn the sentence around: right-to-left names are isolated."""
    if any(unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT for letter in name):
        return f"{_ISOLATE}{name}{_POP_ISOLATE}"
    return name
