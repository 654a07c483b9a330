"""Parts of a rule code that change the book and yet nothing at any table: refused, with what is to blame."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from maumau.ruleset.data import book_values
from maumau.ruleset.errors import RuleError
from maumau.ruleset.idle import Blame, idle_at, settled_away
from maumau.ruleset.keys import Value, format_value, key_for
from maumau.ruleset.parts import Part, read_part
from maumau.ruleset.stand import Stand

_TABLE_SIZES: Final = frozenset(("players.min", "players.max"))
_SETTLED: Final[Mapping[str, str]] = {
    "pack.cards": "pack.cards",
    "pack.packs": "pack.packs",
    "deal.cards": "deal.cards",
    "pack.full_from": "pack.cards",
    "pack.double_from": "pack.packs",
    "deal.two": "deal.cards",
}
"""Keys that the number of players settles, and where one sees what became of them."""

_ELSE: Final[Mapping[str, str]] = {
    "call.mode=spoken": "spoken-calls",
    "pack.cards=52": "52-cards",
    "pack.packs=2": "two-packs",
    "players.min=2": "players-2",
    "players.max=3": "players-3",
    "match.target=100": "match.rounds=5",
}
"""What else would do, for where a single value does not go with the rest."""


class Reader(NamedTuple):
    """How parts are read into values that stand together (or a RuleError), and values into a table of so many seats."""

    coherent: Callable[[str, Sequence[Part]], Mapping[str, Value]]
    table: Callable[[str, Mapping[str, Value], int], Stand | None]


def refuse_needless_parts(book: str, parts: Sequence[Part], values: Mapping[str, Value], reader: Reader) -> None:
    """Raise RuleError ``no-effect`` (or ``needs``) for the first part that changes the book and yet nothing.

    A part without which the others could not stand is needed, whatever it changes.
    """
    for part in parts:
        others = [other for other in parts if other.text != part.text]
        blame = _judged(book, others, part, values, reader)
        if blame is not None and _stand(book, others, reader):
            raise _needless(book, parts, part, values, blame, reader)


def _together(book: str, parts: Sequence[Part]) -> dict[str, Value]:
    values = dict(book_values(book))
    for part in parts:
        values |= part.sets
    return values


def _judged(book: str, others: Sequence[Part], part: Part, values: Mapping[str, Value], reader: Reader) -> Blame | None:
    """What is to blame that a part changes values and yet nothing; how many may play always counts."""
    left = _together(book, others)
    changed = [key for key in part.sets if values[key] != _value(left, key)]
    if not changed or part.sets.keys() & _TABLE_SIZES:
        return None
    return _blame(book, part, changed, values, left, reader)


def _value(values: Mapping[str, Value], key: str) -> Value | None:
    known = key_for(key)
    return values.get(key, known.default if known is not None else None)


def _stand(book: str, parts: Sequence[Part], reader: Reader) -> bool:
    try:
        reader.coherent(book, parts)
    except RuleError:
        return False
    return True


def _blame(
    book: str,
    part: Part,
    changed: Sequence[str],
    values: Mapping[str, Value],
    left: Mapping[str, Value],
    reader: Reader,
) -> Blame | None:
    """What is to blame that a part says nothing at any table, against the values without it; None where it speaks."""
    found, so_anyhow = None, False
    for seats in range(int(values["players.min"]), int(values["players.max"]) + 1):
        now, was = reader.table(book, values, seats), reader.table(book, left, seats)
        if now is None and was is None:
            continue
        if now is None or was is None:
            return None
        for key in changed:
            so_anyhow = so_anyhow or (part.rule is not None and key in _SETTLED and now[key] == part.sets[key])
            blame = _blame_at(key, values, now, was)
            if blame is None:
                return None
            found = blame  # at the largest table, where it is least the number of players that is to blame
    return None if so_anyhow else found  # what a house rule says may be so only because the players are so many


def _blame_at(key: str, values: Mapping[str, Value], now: Stand, was: Stand) -> Blame | None:
    if key not in _SETTLED:
        return idle_at(now, was, key)
    return settled_away(values, key) if now[_SETTLED[key]] == was[_SETTLED[key]] else None


def _needless(
    book: str, parts: Sequence[Part], part: Part, values: Mapping[str, Value], blame: Blame, reader: Reader
) -> RuleError:
    """The error that names the part, what is to blame, and what would work."""
    key, needed, value = blame.because.partition("=")
    setter = next((other for other in reversed(parts) if key in other.sets and other is not part), None)
    if needed and setter is None:
        works = _first_that_works(book, parts, part, [blame.instead or blame.because], reader)
        return RuleError("needs", first=part.text, needs=key, value=value, book=book, instead=works)
    second = setter.text if setter else f"{key}={format_value(values[key])}"
    rest = [other for other in parts if other is not setter]
    wanted = blame.because if needed else blame.instead
    offers = [wanted, *filter(None, [_ELSE.get(wanted)])] if wanted else []
    works = _first_that_works(book, rest, part, offers, reader)
    said = {"first": part.text, "second": second, "book": None if setter else book, "instead": works}
    return RuleError("no-effect", **said)


def _first_that_works(
    book: str, parts: Sequence[Part], part: Part, offers: Sequence[str], reader: Reader
) -> str | None:
    """The first offer that, put to the parts, makes rules in which the part says something."""
    for offer in offers:
        added = read_part(offer)
        tried = [*(other for other in parts if not other.sets.keys() & added.sets.keys()), added]
        try:
            values = reader.coherent(book, tried)
        except RuleError:
            continue
        asked = part if part in tried else added
        others = [other for other in tried if other is not asked]
        if _judged(book, others, asked, values, reader) is None:
            return offer
    return None
