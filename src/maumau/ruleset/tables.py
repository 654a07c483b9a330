"""A ruleset packed into the kernel's tables, by card."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Final

from maumau.cards import CARDS as CARDS_BY_NUMBER
from maumau.cards import JOKER, RANK_LETTERS, SUITED_CARDS, Card, Rank, Suit
from maumau.kernel import layout
from maumau.kernel.layout import CARDS, DEMANDS, Tables
from maumau.ruleset import keys
from maumau.ruleset.keys import Value, powers_of
from maumau.ruleset.ruleset import Ruleset

_WINDOWS: Final = {"next-begins": layout.NEXT_BEGINS, "next-ends": layout.NEXT_ENDS, "own-begins": layout.OWN_BEGINS}
_START_WISHES: Final = {"free": layout.FREE, "free-plain": layout.FREE_PLAIN, "dealer": layout.DEALER_NAMES}
_AGAIN: Final = {"no": layout.NO_EXTRA, "may": layout.MAY_FOLLOW, "must": layout.MUST_COVER}
_THEN: Final = {"any": layout.THEN_ANY, "drawn": layout.THEN_DRAWN, "none": layout.THEN_NONE}
_AFTER_PENALTY: Final = {"end": layout.TURN_ENDS, "play": layout.MAY_PLAY, "turn": layout.TURN_FOLLOWS}
_COUNTS: Final = {"cards": layout.COUNT_CARDS, "rounds": layout.COUNT_ROUNDS, "none": layout.COUNT_NOTHING}


def face(number: int) -> Card:
    """The card that a kernel number 0…53 stands for (both jokers are the joker)."""
    return CARDS_BY_NUMBER[number] if number < SUITED_CARDS else JOKER


def mask_of(fits: Callable[[Card], bool]) -> int:
    """The mask of kernel numbers whose cards satisfy a condition."""
    return sum(1 << number for number in range(CARDS) if fits(face(number)))


def _has_suit(suit: Suit, card: Card) -> bool:
    return card.suit == suit


def _has_rank(rank: Rank | None, card: Card) -> bool:
    return card.rank == rank


_ALL: Final = (1 << CARDS) - 1
_JOKERS: Final = mask_of(lambda card: card.is_joker)
_OF_SUIT: Final = tuple(mask_of(partial(_has_suit, suit)) for suit in Suit)
_LIKE_RANK: Final = tuple(mask_of(partial(_has_rank, face(number).rank)) for number in range(CARDS))
"""For each kernel number the cards of its rank."""
_LIKE_SUIT: Final = tuple(_OF_SUIT[number & 3] if number < SUITED_CARDS else 0 for number in range(CARDS))
"""For each kernel number the cards of its suit; a joker has none."""


def kernel_pack(rules: Ruleset) -> list[int]:
    """The pack as kernel numbers; jokers take the two joker numbers in turn."""
    numbers: list[int] = []
    jokers = 0
    for card in rules.pack:
        numbers.append(SUITED_CARDS + jokers % 2 if card == JOKER else int(card))
        jokers += card == JOKER
    return numbers


@lru_cache(maxsize=4096)
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
        name = keys.JOKER_NAME if rank is None else rank.letter
        skip = own.get("skip", 0)
        t.bit[number] = 1 << number
        t.draw[number] = int(own.get("draw", 0))
        t.skip[number] = layout.SKIP_ALL if skip == keys.SKIP_ALL else int(skip)
        t.reverse[number] = int(own.get("reverse", False))
        t.others[number] = int(own.get("others", 0))
        t.back[number] = int(own.get("back", 0))
        t.again[number] = _AGAIN[str(own.get("again", "no"))]
        t.cancel[number] = int(own.get("cancel", False))
        acts = (t.draw[number], t.skip[number], t.reverse[number], t.others[number], t.back[number])
        t.powers[number] = int(any(acts))
        t.fine[number] = rules.number(f"fine.{name}")
        t.points[number] = rules.number(f"points.{name}")
        t.closing[number] = rules.number(f"closing.{name}")


class _Powers:
    """Which cards have a power, as masks."""

    def __init__(self, powers: list[dict[str, Value]]) -> None:
        self._cards = dict.fromkeys(keys.POWERS, 0)
        for number, own in enumerate(powers):
            for power in own:
                self._cards[power] |= 1 << number
        self.any = sum(1 << number for number, own in enumerate(powers) if own)

    def __getitem__(self, power: str) -> int:
        return self._cards[power]


def _pack_masks(t: Tables, rules: Ruleset, powers: list[dict[str, Value]]) -> None:
    having = _Powers(powers)
    t.wishes = having["wish"]
    t.apart = 0 if rules["play.on_special"] else having.any
    # Between two, a card that turns the direction acts as a skip and is answered like one.
    skipping = having["skip"] | (having["reverse"] if rules["reverse.two"] == "skip" else 0)
    for number in range(CARDS):
        _pack_follow(t, number, rules)
        forbidden = t.apart if t.apart >> number & 1 else 0
        for row in range(number * DEMANDS, number * DEMANDS + layout.ANYTHING):
            t.follow[row] &= ~forbidden
        t.answers[number] = _answers(rules, having, number)
        t.equals[number] = _LIKE_RANK[number] & ~forbidden
        if rules["skip.answer"] == "same" and skipping >> number & 1:
            t.skip_answers[number] = _LIKE_RANK[number] & skipping
    t.last_allowed = _last_allowed(rules, having)
    start = rules["start.rank"]
    t.start_cards = 0 if start == keys.ANY_RANK else mask_of(lambda card: not card.is_joker and _letter(card) == start)
    t.redraw = {"none": 0, "wish": having["wish"], "power": having.any}[str(rules["start.redraw"])]


def _answers(rules: Ruleset, having: _Powers, top: int) -> int:
    """What may be laid on a pending penalty with this card on top."""
    how = rules["penalty.answer"]
    if how == "none":
        return 0
    on_drawing, on_passing = having["draw"] >> top & 1, having["pass_on"] >> top & 1
    passing = having["pass_on"] & (_LIKE_SUIT[top] | (_LIKE_RANK[top] if on_passing else 0))
    if how == "any":
        drawing = _ALL
    elif on_drawing:
        drawing = _LIKE_RANK[top] | (_LIKE_SUIT[top] | _JOKERS if how == "fitting" else 0)
    else:  # on a card that passes on goes a drawing card of its suit; on one that only covers, none
        drawing = _LIKE_SUIT[top] if on_passing else 0
    return having["cancel"] | passing | (having["draw"] & drawing)


def _last_allowed(rules: Ruleset, having: _Powers) -> int:
    forbidden = str(rules["end.forbidden"])
    if forbidden == keys.ANY_POWER:
        return _ALL & ~having.any
    return mask_of(lambda card: forbidden == keys.NO_RANKS or card.is_joker or _letter(card) not in forbidden)


def _letter(card: Card) -> str:
    return RANK_LETTERS[card >> 2]


def _pack_follow(t: Tables, number: int, rules: Ruleset) -> None:
    """What may be laid on a card, for each demand: by suit or rank, the wished suit, or anything."""
    twins = _LIKE_RANK[number] & t.wishes if t.wishes >> number & 1 else 0
    barred, welcome = (0, twins) if rules["wish.on_wish"] else (twins, 0)
    wild = _JOKERS | (t.wishes if rules["wish.fits"] == "any" else 0)
    row = number * DEMANDS
    printed = _ALL if number >= SUITED_CARDS else _LIKE_SUIT[number] | _LIKE_RANK[number] | wild
    t.follow[row] = printed & ~barred
    for suit in Suit:
        served = _OF_SUIT[suit] if rules["wish.suited_on_wish"] else 0
        t.follow[row + 1 + suit] = (_OF_SUIT[suit] | wild | welcome) & ~(barred & ~served)
    t.follow[row + layout.ANYTHING] = _ALL & ~(t.wishes if rules["start.wish"] == "free-plain" else 0)


def _pack_choices(t: Tables, rules: Ruleset) -> None:
    values: Mapping[str, Value] = rules.values
    pack = kernel_pack(rules)
    t.pack[: len(pack)] = pack
    t.pack_n = len(pack)
    t.jokers = int(JOKER in rules.pack)
    t.hand_size = rules.number("deal.cards")
    t.start_acts = int(values["start.acts"])
    t.start_pays = int(not values["start.answer"])
    t.start_wish = _START_WISHES[str(values["start.wish"])]
    t.free_one_turn = int(values["start.free_for"] == "turn")
    t.voluntary = int(values["draw.when"] == "any")
    t.draw_most = layout.NO_LIMIT if values["draw.most"] == "fits" else rules.number("draw.most")
    t.draw_then = _THEN[str(values["draw.then"])]
    t.reshuffles = rules.number("draw.reshuffles")
    t.forced = int(values["draw.forced"])
    t.free_pass = int(values["draw.pass"])
    t.answerable = int(values["penalty.answer"] != "none")
    t.doubling = int(values["penalty.grows"] == "double")
    t.passes_on = int(values["play.throw_in"] or any(name.endswith(".pass_on") for name in values))
    t.cap = rules.number("penalty.cap")
    t.after_penalty = _AFTER_PENALTY[str(values["penalty.then"])]
    t.skip_answerable = int(values["skip.answer"] != "none")
    t.skip_adds = int(values["skip.adds"])
    t.wish_other = int(values["wish.suits"] == "other")
    t.wish_one_turn = int(values["wish.lasts"] == "turn")
    t.several = int(values["play.equal"])
    t.throw_in = int(values["play.throw_in"])
    t.reverse_skips = int(values["reverse.two"] == "skip")
    t.spoken = int(values["call.mode"] == "spoken")
    worth_it = any(values[key] for key in keys.WORTH_A_CATCH)
    t.window = _WINDOWS[str(values["call.window"])] if worth_it else layout.NEXT_BEGINS
    t.mau = rules.number("call.mau")
    t.needed = int(values["call.needed"])
    t.maumau = rules.number("call.maumau")
    t.false_call = rules.number("call.false")
    t.false_catch = rules.number("call.false_catch")
    t.call_to_finish = int(values["call.to_finish"] and values["call.mode"] == "spoken")
    t.final_draw = int(values["end.final_draw"])
    t.final_back = int(values["end.final_back"])
    t.play_on = int(values["end.play_on"])
    t.blocked_free = int(values["end.blocked"] == "nothing")
    t.blocked_fewest = int(values["end.blocked"] == "fewest")
    t.winner_takes = int(values["score.to"] == "winner")
    t.closing_each = int(values["score.closing_each"])
    t.count = _COUNTS[str(values["score.count"])]
