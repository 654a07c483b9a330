"""Places where a rule book is silent, damaged or unclear: the reading the product takes, and the other one."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Final

from maumau.cards import RANK_LETTERS, SUIT_LETTERS, Card
from maumau.ruleset.errors import RuleError
from maumau.ruleset.keys import POWERS, Value, powers_of
from maumau.ruleset.ruleset import Ruleset
from maumau.ruleset.words.catalogue import say
from maumau.ruleset.words.kinds import RulesLike
from maumau.ruleset.words.powers import things_with
from maumau.ruleset.words.rules import ranks_in_pack

_EVERY_RANK: Final = "*"
_SAYS_NOTHING: Final = ("no-effect", "needs")
"""Codes of the errors about a part of a rule code that would change nothing at any table."""

Wanted = Value | list[Value]


@dataclass(frozen=True, slots=True)
class Reading:
    """One such place: in which book or house rule, on which line of the sheet, under which value
    (and ``when`` else), and how to switch it.
    """

    id: str
    line: str
    book: str | None = None
    house_rule: str | None = None
    value: Value | None = None
    when: Mapping[str, Wanted] = field(default_factory=dict, hash=False)
    only: str | None = None
    switch: str | None = None

    def holds(self, rules: RulesLike) -> bool:
        """Whether these rules take this reading, and all that its sentences name is so at the table."""
        if self.book not in (None, rules.book):
            return False
        if self.house_rule is not None and self.house_rule not in rules.house_rules:
            return False
        if self.only is not None and len(things_with(rules, self.only)) != 1:
            return False
        wanted = dict(self.when) if self.value is None else {**self.when, self.line: self.value}
        return all(_is(rules, key, values) for key, values in wanted.items())

    def at(self, rules: RulesLike) -> Reading | None:
        """This reading with its switch where that does something here; None where the other one comes to the same."""
        if self.switch is None:
            return self
        parts = self.switch.split("+")
        try:
            Ruleset.parse(f"{rules.code}+{self.switch}")
        except RuleError as error:
            idle = error.code in _SAYS_NOTHING and error.params.get("first") in parts
            return None if idle else replace(self, switch=None)
        return self

    def this(self, lang: str) -> str:
        """The reading taken."""
        return say(lang, f"reading.{self.id}.this")

    def other_alone(self, lang: str) -> str:
        """The other reading."""
        return say(lang, f"reading.{self.id}.other")

    def other(self, lang: str) -> str:
        """The other reading, and how to take it where a code does that."""
        text = self.other_alone(lang)
        return text if self.switch is None else say(lang, "sheet.switch", text=text, code=f"+{self.switch}")


@cache
def readings() -> tuple[Reading, ...]:
    """Every reading, as ``readings.toml`` lists them."""
    source = files("maumau.ruleset.words").joinpath("readings.toml").read_text(encoding="utf-8")
    return tuple(Reading(**entry) for entry in tomllib.loads(source)["reading"])


def readings_on(rules: RulesLike, keys: tuple[str, ...]) -> tuple[Reading, ...]:
    """The readings that these rules take on a line of the sheet with these keys, switches only where they do something."""
    taken = (reading.at(rules) for reading in readings() if reading.line in keys and reading.holds(rules))
    return tuple(reading for reading in taken if reading is not None)


def _is(rules: RulesLike, key: str, wanted: Wanted) -> bool:
    """Whether a key has the value, or one of the values; a power must be so on every card of its rank."""
    allowed = wanted if isinstance(wanted, list) else [wanted]
    if not key.startswith("power."):
        return rules[key] in allowed
    _, rank, power = key.split(".")
    if rank != _EVERY_RANK and rank not in ranks_in_pack(rules):
        return False
    cards = [
        Card.parse(letter + suit) for letter in (RANK_LETTERS if rank == _EVERY_RANK else rank) for suit in SUIT_LETTERS
    ]
    return all(powers_of(rules.values, card).get(power, POWERS[power].default) in allowed for card in cards)
