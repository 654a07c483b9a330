"""What may be laid on each special card, pair by pair, as the kernel's own tables have it.

No pair of special cards is left open: under a pending penalty, under a pending skip, without either, under a wish, and on
a starter whose first play is free.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from maumau.cards import JOKER, Card, Suit
from maumau.kernel.layout import ANYTHING, DEMANDS, PRINTED
from maumau.kernel.layout import Tables as KernelTables
from maumau.ruleset.keys import ANY_POWER, ANY_RANK, JOKER_NAME, powers_of
from maumau.ruleset.ruleset import Ruleset
from maumau.ruleset.tables import pack_tables
from maumau.ruleset.words.catalogue import say
from maumau.ruleset.words.names import card_name, join, rank_name, thing_slots
from maumau.ruleset.words.powers import special_things
from maumau.ruleset.words.rules import ranks_in_pack

ALWAYS: Final = "yes"
SAME_SUIT: Final = "suit"
NEVER: Final = "no"
OTHERS: Final = "others"
_WISHES: Final = tuple(1 + suit for suit in Suit)


@dataclass(frozen=True, slots=True)
class PairRow:
    """One card on top in one state and what may go on it.

    The states are ``open`` and ``paid`` penalty, pending ``skips``, ``plain`` for other cards, under a ``wish``, and
    ``free`` as a starter.

    ``cells`` name a rank, card, ``joker`` or ``others`` and say ``yes``, ``suit`` (only in the right suit) or ``no``.
    """

    on: str
    state: str
    cells: tuple[tuple[str, str], ...]
    text: str


def special_pairs(lang: str, rules: Ruleset) -> tuple[PairRow, ...]:
    """What may be laid on what, a row for each special card and state."""
    tables = pack_tables(rules)
    things = special_things(rules.values)
    columns = [*things, OTHERS] if _cards_of(rules, OTHERS, things) else list(things)
    rows = []
    for on in things:
        tops = _cards_of(rules, on, things)
        for state, follow in _states(rules, tables, tops[0]) if tops else ():
            masks = [mask for top in tops for mask in follow(top)]
            cells = tuple((laid, _verdict(tables, masks, _cards_of(rules, laid, things))) for laid in columns)
            rows.append(PairRow(on, state, cells, _row_text(lang, on, state, cells)))
    return tuple(rows)


_Follow = Callable[[Card], list[int]]
"""The masks of what may be laid on a card in one state."""


def _states(rules: Ruleset, tables: KernelTables, top: Card) -> Iterator[tuple[str, _Follow]]:
    """The states in which a card can lie on top, each with what the kernel lets follow in it."""

    def demanding(*demands: int) -> _Follow:
        return lambda card: [tables.follow[card * DEMANDS + demand] for demand in demands]

    powers = powers_of(rules.values, top)
    penalty = rules["penalty.answer"] != "none" and ("draw" in powers or "pass_on" in powers)
    skipping = rules["skip.answer"] != "none" and "skip" in powers
    if penalty:
        yield "open", lambda card: [tables.answers[card]]
    if skipping:
        yield "skips", lambda card: [tables.skip_answers[card]]
    wishing = "wish" in powers
    if wishing:
        yield "wish", demanding(*_WISHES)
    if not wishing or rules["wish.lasts"] == "turn":
        yield "paid" if penalty else "plain", demanding(PRINTED)
    if wishing and _may_be_free(rules, top):
        yield "free", demanding(ANYTHING)


def _may_be_free(rules: Ruleset, top: Card) -> bool:
    """Whether a wishing card can be a starter on which the first play is free."""
    if rules["start.wish"] == "dealer" or rules["start.redraw"] in ("wish", ANY_POWER):
        return False
    return str(rules["start.rank"]) in (ANY_RANK, str(top)[0])


def _cards_of(rules: Ruleset, thing: str, special: tuple[str, ...]) -> list[Card]:
    """The cards of the pack that a column stands for; a card named on its own is no longer one of its rank."""
    if thing == JOKER_NAME:
        return [JOKER]
    if len(thing) == 2:
        return [Card.parse(thing)]
    plain = [rank for rank in ranks_in_pack(rules) if rank not in special]
    ranks = plain[:1] if thing == OTHERS else [thing]
    cards = [Card.parse(f"{rank}{suit.letter}") for rank in ranks for suit in Suit]
    return [card for card in cards if str(card) not in special]


def _verdict(tables: KernelTables, masks: list[int], cards: list[Card]) -> str:
    """Whether every card fits on every top, none does, or it hangs on the suit."""
    fits = {bool(mask & tables.bit[card]) for mask in masks for card in cards}
    if len(fits) == 2:
        return SAME_SUIT
    return ALWAYS if True in fits else NEVER


def _row_text(lang: str, on: str, state: str, cells: tuple[tuple[str, str], ...]) -> str:
    top = say(lang, f"pair.{state}", **thing_slots(lang, on))
    text = ""
    for verdict in (ALWAYS, SAME_SUIT, NEVER):
        cards = [_column(lang, laid) for laid, held in cells if held == verdict]
        if cards:
            said = say(lang, f"pair.{verdict}", cards=join(lang, cards))
            text = say(lang, "pair.join", first=text, last=said) if text else said
    return say(lang, "pair.row", on=top, cells=text)


def _column(lang: str, thing: str) -> str:
    if thing == OTHERS:
        return say(lang, "pair.others")
    return card_name(lang, thing, "plain") if len(thing) == 2 else rank_name(lang, thing)
