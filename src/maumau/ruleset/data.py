"""The rule books and house rules as they lie in the package's TOML files."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Final

from maumau.ruleset.errors import RuleError
from maumau.ruleset.keys import PLAIN_KEYS, Value, key_for

BOOKS: Final = ("family", "classic", "international", "study")
"""The rule books of Mau-Mau by name, the one most tables play first."""

RELATIVES: Final = (
    "crazy-eights",
    "switch",
    "tschau-sepp",
    "neunerln",
    "prsi",
    "olsen",
    "vandatta",
    "pesten",
)
"""The rule books of Mau-Mau's relatives, the simplest first."""

NOT_PLAYED: Final[Mapping[str, tuple[str, ...]]] = {"makao": ("switch", "prsi")}
"""Relatives that no keys say, with the books that come nearest. In Makao a Jack demands a rank."""

ALL_BOOKS: Final = (*BOOKS, *RELATIVES)
"""Every rule book."""

DEFAULT_BOOK: Final = BOOKS[0]
NUMBER: Final = "N"
SOURCE: Final = "source"


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One house rule: ``code`` as it is typed (``mau-N`` stands for mau-1, mau-2 …) and what it sets.

    ``group`` is where a player looks for it, ``slots`` what it excludes others from, ``needs`` values that must hold at
    the end, ``not_with`` rules it contradicts, ``instead`` a rule that would supply what it needs.
    """

    code: str
    group: str
    sets: Mapping[str, Value]
    least: int = 0
    most: int = 0
    slots: tuple[str, ...] = ()
    not_with: tuple[str, ...] = ()
    needs: Mapping[str, Value] = field(default_factory=dict)
    instead: str | None = None

    @property
    def takes_number(self) -> bool:
        """Whether the code ends in a number of the table's choice."""
        return self.code.endswith(f"-{NUMBER}")

    def values(self, number: int | None) -> dict[str, Value]:
        """What the rule sets, with ``number`` in the place of N."""
        return {key: number if value == NUMBER and number is not None else value for key, value in self.sets.items()}


@dataclass(frozen=True, slots=True)
class Source:
    """A publication that a rule book's values come from: its title and public address."""

    title: str
    url: str


def _load(*path: str) -> dict[str, Any]:
    return tomllib.loads(files("maumau.ruleset").joinpath(*path).read_text(encoding="utf-8"))


def _flatten(table: Mapping[str, Any], prefix: str = "") -> dict[str, Value]:
    flat: dict[str, Value] = {}
    for name, value in table.items():
        if isinstance(value, Mapping):
            flat |= _flatten(value, f"{prefix}{name}.")
        else:
            flat[prefix + name] = value
    return flat


@cache
def book_values(book: str) -> Mapping[str, Value]:
    """All values of a rule book, checked against the keys; raises RuleError ``unknown-book``."""
    values = {name: key.default for name, key in PLAIN_KEYS.items() if key.default is not None}
    for name, value in _flatten(_book(book)).items():
        key = key_for(name)
        if key is None:
            raise RuleError("unknown-key", name=name, near=[])
        values[name] = key.check(name, value)
    missing = PLAIN_KEYS.keys() - values.keys()
    if missing:
        raise RuleError("unknown-key", name=f"{book}: {min(missing)} is missing", near=[])
    return values


def _book(book: str) -> dict[str, Any]:
    """A rule book's values as they lie in its file; where they come from is left out."""
    return {name: value for name, value in _load_book(book).items() if name != SOURCE}


@cache
def _load_book(book: str) -> dict[str, Any]:
    if book not in ALL_BOOKS:
        raise RuleError("unknown-book", name=book, near=list(BOOKS))
    return _load("books", f"{book}.toml")


@cache
def book_sources(book: str) -> tuple[Source, ...]:
    """Where a rule book's values come from, the main publication first; nothing where the book names none."""
    entry = _load_book(book).get(SOURCE)
    if entry is None:
        return ()
    return tuple(Source(one["title"], one["url"]) for one in (entry, *entry.get("more", ())))


@cache
def house_rules() -> Mapping[str, HouseRule]:
    """Every house rule by its code pattern."""
    return {
        code: HouseRule(
            code,
            entry["group"],
            entry["sets"],
            entry.get("least", 0),
            entry.get("most", 0),
            tuple(entry.get("slots", ())),
            tuple(entry.get("not_with", ())),
            entry.get("needs", {}),
            entry.get("instead"),
        )
        for code, entry in _load("house_rules.toml").items()
    }
