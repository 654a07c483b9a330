"""A ruleset packed into the kernel's tables, by card."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from maumau.cards import CARDS as CARDS_BY_NUMBER
from maumau.cards import JOKER, RANK_LETTERS, SUITED_CARDS, Card
from maumau.kernel import layout
from maumau.kernel.layout import CARDS, DEMANDS, Tables
from maumau.ruleset.keys import ANY_RANK, JOKER_NAME, NO_RANKS, SKIP_ALL, Value, powers_of
from maumau.ruleset.ruleset import Ruleset

_WINDOWS: Final = {"next-begins": layout.NEXT_BEGINS, "next-ends": layout.NEXT_ENDS, "own-begins": layout.OWN_BEGINS}
_START_WISHES: Final = {"free": layout.FREE, "free-plain": layout.FREE_PLAIN, "dealer": layout.DEALER_NAMES}
_COUNTS: Final = {"cards": layout.COUNT_CARDS, "rounds": layout.COUNT_ROUNDS, "none": layout.COUNT_NOTHING}


def face(number: int) -> Card:
    """The card that a kernel number 0…53 stands for (both jokers are the joker)."""
    return CARDS_BY_NUMBER[number] if number < SUITED_CARDS else JOKER


def mask_of(fits: Callable[[Card], bool]) -> int:
    """The mask of kernel numbers whose cards satisfy a condition."""
    return sum(1 << number for number in range(CARDS) if fits(face(number)))


def kernel_pack(rules: Ruleset) -> list[int]:
    """The pack as kernel numbers; jokers take the two joker numbers in turn."""
    numbers: list[int] = []
    jokers = 0
    for card in rules.pack:
        numbers.append(SUITED_CARDS + jokers % 2 if card == JOKER else int(card))
        jokers += card == JOKER
    return numbers


@cache
def pack_tables(rules: Ruleset) -> Tables:
    """The kernel's tables of a ruleset at its seats; never change them."""
    t = Tables()
    powers = [powers_of(rules.values, face(number)) for number in range(CARDS)]
    _pack_powers(t, rules, powers)
    _pack_masks(t, rules, powers)
    _pack_choices(t, rules)
    return t


def _pack_powers(t: Tables, rules: Ruleset, powers: list[dict[str, Value]]) -> None:
    for number, own in enumerate(powers):
        rank = face(number).rank
        name = JOKER_NAME if rank is None else rank.letter
        skip = own.get("skip", 0)
        t.bit[number] = 1 << number
        t.draw[number] = int(own.get("draw", 0))
        t.skip[number] = layout.SKIP_ALL if skip == SKIP_ALL else int(skip)
        t.reverse[number] = int(own.get("reverse", False))
        t.others[number] = int(own.get("others", 0))
        t.powers[number] = int(bool(t.draw[number] or t.skip[number] or t.reverse[number] or t.others[number]))
        t.points[number] = rules.number(f"points.{name}")
        t.closing[number] = rules.number(f"closing.{name}")


def _pack_masks(t: Tables, rules: Ruleset, powers: list[dict[str, Value]]) -> None:
    wishing = {face(number) for number in range(CARDS) if powers[number].get("wish")}
    drawing = {face(number) for number in range(CARDS) if powers[number].get("draw")}
    t.wishes = mask_of(lambda card: card in wishing)
    for number in range(CARDS):
        _pack_follow(t, number, wishing, bool(rules["wish.on_wish"]), rules["start.wish"] == "free-plain")
        top = face(number)
        if rules["penalty.answer"] == "same":
            t.answers[number] = mask_of(lambda card, top=top: card in drawing and card.rank == top.rank)  # type: ignore[misc]
    forbidden = rules["end.forbidden"]
    t.last_allowed = mask_of(lambda card: forbidden == NO_RANKS or card.is_joker or _letter(card) not in str(forbidden))
    start = rules["start.rank"]
    t.start_cards = 0 if start == ANY_RANK else mask_of(lambda card: not card.is_joker and _letter(card) == start)


def _letter(card: Card) -> str:
    return RANK_LETTERS[card >> 2]


def _pack_follow(t: Tables, number: int, wishing: set[Card], on_wish: bool, free_plain: bool) -> None:
    """What may be laid on a card, for each demand: by suit or rank, the wished suit, or anything."""
    top = face(number)
    barred = 0 if on_wish or top not in wishing else mask_of(lambda card: card in wishing and card.rank == top.rank)
    wild = mask_of(lambda card: card in wishing or card.is_joker)
    row = number * DEMANDS
    if top.is_joker:
        t.follow[row] = mask_of(lambda card: True) & ~barred
    else:
        t.follow[row] = (mask_of(lambda card: card.suit == top.suit or card.rank == top.rank) | wild) & ~barred
    for suit in range(4):
        t.follow[row + 1 + suit] = (mask_of(lambda card, suit=suit: card.suit == suit) | wild) & ~barred  # type: ignore[misc]
    t.follow[row + layout.ANYTHING] = mask_of(lambda card: not (free_plain and card in wishing))


def _pack_choices(t: Tables, rules: Ruleset) -> None:
    values: Mapping[str, Value] = rules.values
    pack = kernel_pack(rules)
    t.pack[: len(pack)] = pack
    t.pack_n = len(pack)
    t.hand_size = rules.number("deal.cards")
    t.start_acts = int(values["start.acts"])
    t.start_wish = _START_WISHES[str(values["start.wish"])]
    t.voluntary = int(values["draw.when"] == "any")
    t.drawn_only = int(values["draw.then"] == "drawn")
    t.answerable = int(values["penalty.answer"] != "none")
    t.cap = rules.number("penalty.cap")
    t.reverse_skips = int(values["reverse.two"] == "skip")
    t.spoken = int(values["call.mode"] == "spoken")
    t.window = _WINDOWS[str(values["call.window"])]
    t.mau = rules.number("call.mau")
    t.needed = int(values["call.needed"])
    t.maumau = rules.number("call.maumau")
    t.final_draw = int(values["end.final_draw"])
    t.play_on = int(values["end.play_on"])
    t.count = _COUNTS[str(values["score.count"])]
