"""Places where a rule book is silent, damaged or unclear: the reading the product takes, and the other one."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from maumau.ruleset.keys import Value, format_value
from maumau.ruleset.words.catalogue import say
from maumau.ruleset.words.kinds import RulesLike

_ON_THE_WORD = ("last-call-two", "last-call-one", "spoken-like-international")
"""Readings of what a book says about “Mau-Mau”, which a table with another word does not have."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One such place: in which book or house rule, on which line of the sheet, under which value
    (and under which way of scoring), and how to switch it.
    """

    id: str
    line: str
    book: str | None = None
    house_rule: str | None = None
    value: Value | None = None
    switch: str | None = None
    count: str | None = None

    def holds(self, rules: RulesLike) -> bool:
        """Whether these rules take this reading."""
        if self.book not in (None, rules.book):
            return False
        if self.house_rule is not None and self.house_rule not in rules.house_rules:
            return False
        if self.id in _ON_THE_WORD and rules["call.word"] != "mau":
            return False
        if self.count not in (None, rules["score.count"]) or self._switched(rules):
            return False
        return self.value is None or rules[self.line] == self.value

    def _switched(self, rules: RulesLike) -> bool:
        """Whether all the values are set that take the other reading; a house rule's name among them is not looked up."""
        sides = [part.partition("=") for part in (self.switch or "").split("+")]
        return all(equals and format_value(rules[key]) == value for key, equals, value in sides)

    def this(self, lang: str) -> str:
        """The reading taken."""
        return say(lang, f"reading.{self.id}.this")

    def other(self, lang: str) -> str:
        """The other reading, and how to take it where a code does that."""
        text = say(lang, f"reading.{self.id}.other")
        return text if self.switch is None else say(lang, "sheet.switch", text=text, code=f"+{self.switch}")


@cache
def readings() -> tuple[Reading, ...]:
    """Every reading, as ``readings.toml`` lists them."""
    source = files("maumau.ruleset.words").joinpath("readings.toml").read_text(encoding="utf-8")
    return tuple(Reading(**entry) for entry in tomllib.loads(source)["reading"])


def readings_on(rules: RulesLike, keys: tuple[str, ...]) -> tuple[Reading, ...]:
    """The readings that these rules take on a line of the sheet with these keys."""
    return tuple(reading for reading in readings() if reading.line in keys and reading.holds(rules))
