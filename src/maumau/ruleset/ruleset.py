"""A table's rules: a rule book, house rules and single values, written as one short code.

The code is ``book(+house-rule | +key=value)*``: ``family``, ``family+nine-reverse+jack-20``, ``family+deal.cards=6``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, lru_cache, partial
from types import MappingProxyType
from typing import Final

from maumau.cards import Card, pack_of
from maumau.ruleset.coherence import refuse_single_values, refuse_without_packs
from maumau.ruleset.data import ALL_BOOKS, BOOKS, DEFAULT_BOOK, NOT_PLAYED, book_values, house_rules
from maumau.ruleset.errors import RuleError
from maumau.ruleset.keys import PLAIN_KEYS, Value, key_for
from maumau.ruleset.needless import Reader, refuse_needless_parts
from maumau.ruleset.parts import NUMBERED, Part, read_part
from maumau.ruleset.stand import Stand
from maumau.ruleset.ways import Way, Why, checked_instead, checked_swap, ways_out

_LONGEST_CODE: Final = 2000
_WITH_INSTEAD: Final = ("contradiction", "no-effect", "needs", "does-not-fit")


@dataclass(frozen=True)
class Ruleset:
    """What a table plays: frozen, hashable, equal when book and values are equal.

    ``values`` maps every key to its value; powers that a card lacks are left out. ``seats`` is None until ``at(seats)``
    has settled what hangs on the number of players.
    """

    book: str
    parts: tuple[str, ...]
    pairs: tuple[tuple[str, Value], ...]
    seats: int | None = None

    @classmethod
    def parse(cls, code: str) -> Ruleset:
        """Read a rule code; raises RuleError that says what is wrong and what would work.

        A ``+`` that a browser turned into a space is understood; what is said twice is kept once.
        """
        return _parse(code)

    @classmethod
    def of(cls, rules: str | Ruleset) -> Ruleset:
        """Rules as they are or by their code; raises ValueError for anything else."""
        if isinstance(rules, Ruleset):
            return rules
        if not isinstance(rules, str):
            raise ValueError(f"{rules!r} are no rules; give a rule code such as 'family', or a Ruleset")
        return cls.parse(rules)

    @cached_property
    def code(self) -> str:
        """The code that ``parse`` reads back to these rules (before ``at``)."""
        return "+".join((self.book, *self.parts))

    @cached_property
    def values(self) -> Mapping[str, Value]:
        """Every key's value."""
        return MappingProxyType(dict(self.pairs))

    @property
    def house_rules(self) -> tuple[str, ...]:
        """The house rules of the code, single values left out."""
        return tuple(part for part in self.parts if "=" not in part)

    def __getitem__(self, key: str) -> Value:
        value = self.values.get(key)
        if value is not None:
            return value
        known = key_for(key)
        if known is None or known.default is None:
            raise KeyError(key)
        return known.default

    def number(self, key: str) -> int:
        """The value of a key that holds a number."""
        return int(self[key])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ruleset):
            return NotImplemented
        return (self.book, self.pairs, self.seats) == (other.book, other.pairs, other.seats)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.book, self.pairs, self.seats))

    def __repr__(self) -> str:
        at = "" if self.seats is None else f".at({self.seats})"
        return f"Ruleset.parse({self.code!r}){at}"

    def __str__(self) -> str:
        return self.code

    def at(self, seats: int) -> Ruleset:
        """These rules for so many players, packs and sizes settled; raises RuleError if they cannot be played so."""
        return _resolve(self.code, seats)

    @property
    def least_seats(self) -> int:
        """The fewest players these rules allow."""
        return self.number("players.min")

    @property
    def most_seats(self) -> int:
        """The most players these rules allow."""
        return self.number("players.max")

    @cached_property
    def pack(self) -> tuple[Card, ...]:
        """Every card on the table, sorted; needs ``at(seats)`` where the pack hangs on the number of players."""
        return pack_of(self.number("pack.cards"), self.number("pack.packs"), self.number("pack.jokers"))


@lru_cache(maxsize=4096)
def _parse(code: str) -> Ruleset:
    try:
        return _read(code)
    except RuleError as error:
        raise _with_checked_instead(code, error, _why_unread) from None


def _with_checked_instead(code: str, error: RuleError, why: Why) -> RuleError:
    """The error with only such a way out as leads to rules that can be read."""
    if error.code not in _WITH_INSTEAD:
        return error
    parts = _split(code)
    instead = checked_instead(parts, error, why)
    swap = checked_swap(parts, error, why) if instead is None and error.code == "needs" else None
    more = {"instead": instead} | ({"swap": swap} if swap else {})
    return RuleError(error.code, **error.params | more)


def _why_unread(code: str) -> RuleError | None:
    """Why a code cannot be read, without a look at the ways out."""
    try:
        _read(code)
    except RuleError as error:
        return error
    return None


def _split(code: str) -> list[str]:
    return code.strip().replace(" ", "+").split("+")


def _read(code: str) -> Ruleset:
    if len(code) > _LONGEST_CODE:
        raise RuleError("unknown-book", name=code[:40] + "…", near=list(BOOKS))
    book, *texts = _split(code)
    if any((book, *texts)) and not all((book, *texts)):
        raise RuleError("empty-part", whole=code.strip(), right="+".join(filter(None, (book, *texts))))
    _known_book(book)
    for text in texts:
        if text in ALL_BOOKS:
            raise RuleError("two-books", first=book, second=text)
    parts = list({part.text: part for part in map(read_part, texts)}.values())
    values = _coherent(book, parts)
    refuse_needless_parts(book, parts, values, _READER)
    return Ruleset(book, tuple(part.text for part in parts), _canonical(values))


def _coherent(book: str, parts: Sequence[Part]) -> Mapping[str, Value]:
    """The values of a book and parts that stand together and that so many can play; raises RuleError."""
    values = dict(book_values(book))
    _refuse_contradictions(parts)
    for part in parts:
        values |= part.sets
    _refuse_missing_needs(book, parts, values)
    refuse_single_values(values, {key: part.text for part in parts for key in part.sets}, book)
    _refuse_what_nobody_can_play(Ruleset(book, (), _canonical(values)))
    return values


def _table(book: str, values: Mapping[str, Value], seats: int) -> Stand | None:
    """Values at a number of players; None where they cannot be dealt."""
    try:
        settled = _settle(Ruleset(book, (), tuple(values.items())), seats)
    except RuleError:
        return None
    return Stand(settled.values, seats, settled.pack)


def _refuse_what_nobody_can_play(rules: Ruleset) -> None:
    """Raise the RuleError of the smallest table where not one of the sizes that the rules allow can be dealt."""
    refused: RuleError | None = None
    for seats in range(rules.least_seats, rules.most_seats + 1):
        try:
            _settle(rules, seats)
        except RuleError as error:
            refused = refused or error
        else:
            return
    if refused is not None:
        raise refused


def _known_book(book: str) -> str:
    if book in NOT_PLAYED:
        raise RuleError("not-played", name=book, near=list(NOT_PLAYED[book]))
    if book not in ALL_BOOKS:
        near = get_close_matches(book, ALL_BOOKS, n=2, cutoff=0.5)
        if not near and (book in house_rules() or NUMBERED.fullmatch(book)):
            near = [f"{DEFAULT_BOOK}+{book}"]
        raise RuleError("unknown-book", name=book, near=near or list(BOOKS))
    return book


def _canonical(values: Mapping[str, Value]) -> tuple[tuple[str, Value], ...]:
    return tuple(sorted((name, value) for name, value in values.items() if _says_something(values, name, value)))


def _says_something(values: Mapping[str, Value], name: str, value: Value) -> bool:
    """Whether the value must be kept: a power that a card lacks says nothing, unless it takes away its rank's."""
    key = key_for(name)
    if key is None or key.default is None or value != key.default or name in PLAIN_KEYS or name.startswith("points."):
        return True
    family, middle, *power = name.split(".")
    return len(middle) == 2 and values.get(".".join((family, middle[0], *power)), key.default) != key.default


def _refuse_contradictions(parts: Sequence[Part]) -> None:
    for later, part in enumerate(parts):
        for earlier in parts[:later]:
            if _contradict(earlier, part):
                raise RuleError("contradiction", first=earlier.text, second=part.text, instead=None)


def _contradict(one: Part, other: Part) -> bool:
    if any(one.sets[key] != other.sets[key] for key in one.sets.keys() & other.sets.keys()):
        return True
    if one.rule is None or other.rule is None:
        return False
    if one.text == other.text:
        return False
    shared = set(one.rule.slots) & set(other.rule.slots)
    return bool(shared) or one.rule.code in other.rule.not_with or other.rule.code in one.rule.not_with


def _refuse_missing_needs(book: str, parts: Sequence[Part], values: Mapping[str, Value]) -> None:
    for part in parts:
        for key, value in (part.rule.needs if part.rule else {}).items():
            if values[key] == value:
                continue
            other = next((p.text for p in reversed(parts) if key in p.sets), None)
            if other is None:
                instead = part.rule.instead if part.rule else None
                raise RuleError("needs", first=part.text, needs=key, value=value, book=book, instead=instead)
            raise RuleError("contradiction", first=part.text, second=other, instead=None)


@lru_cache(maxsize=4096)
def _resolve(code: str, seats: int) -> Ruleset:
    # Kept by the code and not by the rules: equal rules may be written in two ways, and each keeps its own.
    rules = _parse(code)
    try:
        return _settle(rules, seats)
    except RuleError as error:
        raise _with_checked_instead(code, error, partial(_why_unsettled, seats=seats)) from None


def _why_unsettled(code: str, seats: int) -> RuleError | None:
    """Why so many cannot play by a code."""
    try:
        _settle(_read(code), seats)
    except RuleError as error:
        return error
    return None


def _settle(rules: Ruleset, seats: int) -> Ruleset:
    """The rules with what hangs on the number of players settled."""
    values = dict(rules.pairs)
    least, most = rules.least_seats, rules.most_seats
    if not least <= seats <= most:
        raise RuleError("seats-not-allowed", seats=seats, least=least, most=most, book=rules.book)
    for key, held, becomes in (("pack.full_from", "pack.cards", "52"), ("pack.double_from", "pack.packs", 2)):
        threshold = int(values[key])
        if threshold and seats >= threshold:
            values[held] = becomes
    if seats == 2 and values["deal.two"]:
        values["deal.cards"] = values["deal.two"]
    refuse_without_packs(values)
    resolved = Ruleset(rules.book, rules.parts, _canonical(values), seats)
    needed = seats * resolved.number("deal.cards") + 1
    if needed > len(resolved.pack):
        instead = "two-packs" if values["pack.packs"] == 1 else "52-cards"
        raise RuleError(
            "does-not-fit",
            seats=seats,
            cards=values["deal.cards"],
            pack=len(resolved.pack),
            needed=needed,
            instead=instead,
        )
    return resolved


def ways_out_of(code: str, error: RuleError) -> Iterator[Way]:
    """Every step, or two together, that turn a code which cannot be read into one that can."""
    return ways_out(code, error, _why_unread)


_READER: Final = Reader(_coherent, _table)
