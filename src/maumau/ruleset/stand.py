"""A table's values with the number of players settled: which of its cards act, start, answer, and may be the last."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final

from maumau.cards import RANK_LETTERS, Card
from maumau.ruleset import keys
from maumau.ruleset.keys import Value, key_for, powers_of

ENDLESS: Final = 1000
"""More answers than any table needs."""


class Stand:
    """A table's values with the number of players settled, and what its cards can do."""

    def __init__(self, values: Mapping[str, Value], seats: int, pack: tuple[Card, ...]) -> None:
        self.values = values
        self.seats = seats
        self.pack = pack

    def __getitem__(self, key: str) -> Value:
        value = self.values.get(key)
        if value is None:
            known = key_for(key)
            value = known.default if known is not None else None
        if value is None:
            raise KeyError(key)
        return value

    @cached_property
    def powers(self) -> dict[Card, dict[str, Value]]:
        """What each card of the pack can do."""
        named = {key.split(".")[1] for key in self.values if key.startswith("power.")}
        cards = set(self.pack)
        acting = {card for card in cards if name_of(card) in named or str(card) in named}
        return {card: powers_of(self.values, card) if card in acting else {} for card in cards}

    @cached_property
    def _having(self) -> dict[str, set[Card]]:
        return {power: {card for card, own in self.powers.items() if power in own} for power in keys.POWERS}

    def having(self, power: str) -> set[Card]:
        """The cards of the pack that have a power."""
        return self._having[power]

    @cached_property
    def special(self) -> set[Card]:
        """The cards of the pack that have any power."""
        return {card for card, own in self.powers.items() if own}

    @cached_property
    def skipping(self) -> set[Card]:
        """The cards that make somebody miss a turn here; between two, one that turns the direction may do so as well."""
        turning = self.having("reverse") if self["reverse.two"] == "skip" and self.two_may_be_left else set()
        return self.having("skip") | turning

    @cached_property
    def two_may_be_left(self) -> bool:
        """Whether two can face each other: at a table of two, or where seats drop out."""
        shrinks = self["end.play_on"] or self["match.elimination"] or self["match.tie"] == "tied"
        return self.seats == 2 or bool(shrinks)

    @cached_property
    def acting(self) -> set[Card]:
        """The cards whose power a starter can have, wishes aside."""
        powers = ("draw", "skip", "others", "back")
        turning = self.having("reverse") if self.seats > 2 or self["reverse.two"] == "skip" else set()
        return {card for power in powers for card in self.having(power)} | turning

    def may_be_last(self, card: Card) -> bool:
        """Whether a card may empty a hand."""
        forbidden = str(self["end.forbidden"])
        if forbidden == keys.ANY_POWER:
            return card not in self.special
        return forbidden == keys.NO_RANKS or card.is_joker or name_of(card) not in forbidden

    def may_start(self, card: Card) -> bool:
        """Whether a card may be the starter."""
        rank = self["start.rank"]
        return (rank == keys.ANY_RANK or name_of(card) == rank) and card not in self.redrawn

    @cached_property
    def redrawn(self) -> set[Card]:
        """The cards that are put back when they are turned first."""
        redraw = self["start.redraw"]
        return self.having("wish") if redraw == "wish" else self.special if redraw == "power" else set()

    @cached_property
    def answers(self) -> set[tuple[Card, Card]]:
        """Which card answers a penalty on which, as pairs (top card, answer)."""
        how, drawing, passing = self["penalty.answer"], self.having("draw"), self.having("pass_on")
        cancelling = self.having("cancel")
        covered = bool(self.having("again")) or self["play.equal"]
        tops = self.powers.keys() if covered else drawing | passing

        def answers(top: Card, card: Card) -> bool:
            same_suit = card.suit is not None and card.suit == top.suit
            if card in cancelling:
                return True
            if card in passing and (same_suit or (top in passing and card.rank == top.rank)):
                return True
            if card not in drawing or how == "any":
                return card in drawing
            if top not in drawing:
                return top in passing and same_suit
            return card.rank == top.rank or (how == "fitting" and (same_suit or card.is_joker))

        if how == "none" or not drawing:
            return set()
        able = drawing | passing | cancelling
        return {(top, card) for top in tops for card in able if answers(top, card)}

    @cached_property
    def most_answers(self) -> int:
        """How many cards can answer one penalty, one after the other, at most."""
        drawing = self.having("draw")
        if any(self.powers[card].keys() & {"others", "back"} for card in drawing):
            return ENDLESS  # cards drawn meanwhile can bring answers back out of the discards
        mixed = any(top.rank != card.rank for top, card in self.answers)
        able = {card for pair in self.answers for card in pair} if mixed else drawing
        groups = [able] if mixed else [{card for card in able if card.rank == rank} for rank in {c.rank for c in able}]
        return max((sum(card in group for card in self.pack) - 1 for group in groups), default=0)


def name_of(card: Card) -> str:
    """What a card's rank is called in keys."""
    return keys.JOKER_NAME if card.rank is None else RANK_LETTERS[card >> 2]
